"""The answer stage: a question event becomes an answer event."""

from __future__ import annotations

from dataclasses import dataclass

from contracts.answers import Answer, AnswerGiven, Spent
from contracts.events import QuestionAsked
from contracts.ports import TreeStore
from processors.answerer import Answerer
from streams.gaps import GapFinder


@dataclass(frozen=True, slots=True)
class AnswerStage:
    """Answers questions from the story as of their ordinal.

    A work that nobody has heard of is a story that has not begun: the answer abstains.
    """

    tree: TreeStore
    answerer: Answerer
    gaps: GapFinder

    async def __call__(self, asked: QuestionAsked) -> AnswerGiven:
        """Return the answer to `asked`.

        Raises:
            TransientError: a store is down.
        """
        gaps = await self.gaps.as_of(asked.work_id, asked.as_of)
        view = await self.tree.view(asked.work_id, asked.as_of)
        answer = Answer(
            answer="",
            abstained=True,
            as_of=asked.as_of,
            indexed_to=None,
            gaps=gaps,
            citations=(),
            spent=Spent(),
            channels=(),
        )
        if view is not None:
            answer = await self.answerer.answer(view, asked.question, asked.words, gaps)
        return AnswerGiven(question_id=asked.question_id, work_id=asked.work_id, answer=answer)
