"""The teacher's results as training pairs: what LitSeg-Lite is asked, what it should answer."""

from __future__ import annotations

from collections.abc import AsyncIterator

from contracts.frozen import Frozen
from contracts.ids import ChapterId, WorkId
from contracts.scenes import ChapterText
from processors.litseg import LitSeg, LitSegLite
from processors.training.format_reward import VALID, format_reward


class Message(Frozen):
    """One turn, in the form that trainers read."""

    role: str
    content: str


class TrainingPair(Frozen):
    """A chunk with the teacher's answer in LitSeg-Lite's schema.

    `reward` is the format reward of the answer; `valid` says that every step of the teacher was
    valid without repair, and so is the answer: only such pairs are fit for supervised training.
    """

    work_id: WorkId
    chapter_id: ChapterId
    first_sentence: int
    last_sentence: int
    messages: tuple[Message, ...]
    reward: float
    valid: bool


async def training_pairs(
    chapter: ChapterText, teacher: LitSeg, student: LitSegLite
) -> AsyncIterator[TrainingPair]:
    """Yield a pair for each chunk of `chapter`, which has at least one sentence.

    The chunks are the teacher's, so that its context holds the results of its steps as well. One
    on which it gave nothing that can be read is left out.

    Raises:
        TransientError: the teacher's model or the memo cannot be reached.
        PermanentError: its server does not take this text.
    """
    shown = teacher.shown(chapter)
    first = 1
    while first <= len(chapter.sentences):
        chunk = shown.chunk_from(first)
        first = chunk.last + 1
        text, size = shown.text(chunk), shown.bytes(chunk)
        taught = await teacher.taught(chapter, chunk, text, size)
        if taught.answer is None:
            continue
        asked = student.request(chapter, chunk, text, size)
        answer = taught.answer.model_dump_json()
        reward = format_reward(answer, chunk.size)
        yield TrainingPair(
            work_id=chapter.work_id,
            chapter_id=chapter.chapter_id,
            first_sentence=chunk.first,
            last_sentence=chunk.last,
            messages=(
                Message(role="system", content=asked.system),
                Message(role="user", content=asked.user),
                Message(role="assistant", content=answer),
            ),
            reward=reward,
            valid=taught.valid and reward == VALID,
        )
