"""The answer stage: a question event becomes an answer event."""

from __future__ import annotations

from dataclasses import dataclass

from contracts.answers import Answer, AnswerGiven, Spent
from contracts.events import QuestionAsked
from contracts.ports import TreeStore
from processors.walking.answering import WalkingAnswerer
from streams.gaps import GapFinder, known_at


@dataclass(frozen=True, slots=True)
class AnswerStage:
    """Answers questions from the story as of their ordinal.

    A work that nobody has heard of is a story that has not begun: the answer abstains.
    """

    tree: TreeStore
    answerer: WalkingAnswerer
    gaps: GapFinder

    async def __call__(self, asked: QuestionAsked) -> AnswerGiven:
        """Return the answer to `asked`.

        Raises:
            TransientError: a store is down.
        """
        view = await self.tree.view(asked.work_id, asked.as_of)
        if view is None:
            answer = Answer(
                answer="",
                abstained=True,
                as_of=asked.as_of,
                indexed_to=None,
                gaps=known_at(await self.gaps(asked.work_id), asked.as_of),
                citations=(),
                spent=Spent(),
                channels=(),
            )
        else:
            gaps = await self.gaps.as_of(view)
            answer = await self.answerer.answer(
                view, asked.question, asked.words, gaps, asked.budget
            )
        return AnswerGiven(question_id=asked.question_id, work_id=asked.work_id, answer=answer)
