"""The answer stage: a question event becomes an answer event."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from contracts.answers import Answer, AnswerGiven, Gap, Spent
from contracts.events import QuestionAsked
from contracts.ports import TreeStore
from processors.walking.answering import WalkingAnswerer
from streams.gaps import Gaps, known_at


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class AnswerStage:
    """Answers questions from the story as of their ordinal, by their deadline or as expired.

    A work that nobody has heard of is a story that has not begun: the answer abstains.
    """

    tree: TreeStore
    answerer: WalkingAnswerer
    gaps: Gaps
    now: Callable[[], datetime] = _now

    async def __call__(self, asked: QuestionAsked) -> AnswerGiven:
        """Return the answer to `asked`.

        Raises:
            TransientError: a store is down.
        """
        left_s = None
        if asked.deadline is not None:
            left_s = (asked.deadline - self.now()).total_seconds()
            if left_s <= 0:
                return _given(asked, _silence(asked), expired=True)
        try:
            async with asyncio.timeout(left_s) as limit:
                return _given(asked, await self._answer(asked))
        except TimeoutError:
            if not limit.expired():
                raise
            return _given(asked, _silence(asked), expired=True)

    async def _answer(self, asked: QuestionAsked) -> Answer:
        view = await self.tree.view(asked.work_id, asked.as_of)
        if view is None:
            gaps = await (await self.gaps.live())(asked.work_id)
            return _silence(asked, known_at(gaps, asked.as_of))
        gaps = await self.gaps.as_of(view)
        return await self.answerer.answer(view, asked.question, asked.words, gaps, asked.budget)


def _given(asked: QuestionAsked, answer: Answer, *, expired: bool = False) -> AnswerGiven:
    return AnswerGiven(
        question_id=asked.question_id, work_id=asked.work_id, answer=answer, expired=expired
    )


def _silence(asked: QuestionAsked, gaps: tuple[Gap, ...] = ()) -> Answer:
    """Return the answer that says nothing."""
    return Answer(
        answer="",
        abstained=True,
        as_of=asked.as_of,
        indexed_to=None,
        gaps=gaps,
        citations=(),
        spent=Spent(),
        channels=(),
    )
