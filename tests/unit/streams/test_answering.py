"""A question is answered by its deadline, or as expired: it is never dropped."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from contracts.errors import TransientError
from contracts.events import QuestionAsked
from contracts.ids import Generation, WorkId
from contracts.ordinals import Ordinal
from contracts.ports import BoundStory
from graph.memory import MemoryTreeStore
from streams.answering import AnswerStage
from streams.gaps import Gaps
from streams.wiring import opened
from tests.e2e.homes import in_memory, publish
from tests.unit.streams.stand_ins import published

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
ASKED = QuestionAsked(
    question_id="q1", work_id=WorkId("w"), question="Who came?", as_of=Ordinal.parse("1")
)


def by(seconds: float) -> QuestionAsked:
    return ASKED.model_copy(update={"deadline": NOON + timedelta(seconds=seconds)})


class SlowTree(MemoryTreeStore):
    """Takes its time, or is down."""

    def __init__(self, seconds: float = 0.0, *, down: bool = False) -> None:
        super().__init__()
        self.seconds = seconds
        self.down = down

    async def view(
        self, work_id: WorkId, as_of: Ordinal | None, generation: Generation | None = None
    ) -> BoundStory | None:
        await asyncio.sleep(self.seconds)
        if self.down:
            raise TransientError("the graph is down")
        return await super().view(work_id, as_of, generation)


async def stage_on(tree: MemoryTreeStore, folder: Path) -> AnswerStage:
    async with opened(in_memory(folder)) as home:
        return AnswerStage(tree, home.answerer, Gaps(home.log, tree), lambda: NOON)


async def test_a_question_without_deadline_is_answered_whenever_it_comes(tmp_path: Path) -> None:
    async with opened(in_memory(tmp_path)) as home:
        await publish(home, [published("1", "Hedda Brandt came home with the ledger.")])
        stage = AnswerStage(home.tree, home.answerer, home.gaps)
        given = await stage(ASKED.model_copy(update={"question": "Who came home?"}))
    assert (given.question_id, given.work_id, given.expired) == ("q1", "w", False)
    assert given.answer.as_of == Ordinal.parse("1")


async def test_past_its_deadline_it_is_answered_as_expired(tmp_path: Path) -> None:
    tree = SlowTree(down=True)  # nobody even looks
    given = await (await stage_on(tree, tmp_path))(by(0))
    assert given.expired
    assert given.answer.abstained
    assert given.answer.as_of == ASKED.as_of
    assert given.question_id == "q1"


async def test_an_answer_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    given = await (await stage_on(SlowTree(60.0), tmp_path))(by(0.05))
    assert given.expired


async def test_before_its_deadline_it_waits_for_a_store(tmp_path: Path) -> None:
    stage = await stage_on(SlowTree(down=True), tmp_path)
    with pytest.raises(TransientError):
        await stage(by(5))


async def test_of_a_work_that_nobody_knows_it_abstains_and_is_not_expired(tmp_path: Path) -> None:
    async with opened(in_memory(tmp_path)) as home:
        given = await AnswerStage(home.tree, home.answerer, home.gaps, lambda: NOON)(by(5))
    assert given.answer.abstained
    assert not given.expired
