"""A model has several chapters to think about, and what comes of them keeps its order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from contracts.errors import PermanentError, TransientError
from contracts.events import ChapterEvent
from contracts.frozen import Frozen
from contracts.ids import WorkId
from contracts.ports import NewRecord
from contracts.topics import CHAPTERS
from streams.ahead import Ahead
from streams.inprocess import InProcessRunner
from streams.logs.sqlite_log import SqliteEventLog
from streams.parking import ParkingLot
from streams.stage import BatchLimits, Stage, each_with_position
from tests.unit.streams.stand_ins import (
    StandInTree,
    as_record,
    now_ms,
    opened_log,
    path_to,
    published,
    segment,
)

W, OTHER = WorkId("w"), WorkId("other")


@dataclass
class Model:
    """Thinks for a while; notes who was begun in what order, and how many were at once."""

    most: int = 0
    now: int = 0
    down: set[str] = field(default_factory=set)
    unfit: set[str] = field(default_factory=set)
    begun: list[str] = field(default_factory=list)
    cancelled: int = 0

    async def segment(self, event: ChapterEvent, position: int) -> Frozen:
        name = str(getattr(event, "chapter_id", ""))
        self.begun.append(name)
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await asyncio.sleep(0.001 * (9 - int(name) % 7))  # later ones are often done earlier
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            self.now -= 1
        if name in self.down:
            raise TransientError("the model is down")
        if name in self.unfit:
            raise PermanentError("unfit")
        return await segment(event, position)


@asynccontextmanager
async def running(
    model: Model, tree: StandInTree, log: SqliteEventLog, most: int = 3
) -> AsyncIterator[InProcessRunner]:
    first, *rest = path_to(tree, ParkingLot(log))
    ahead = Ahead(most)
    stage = replace(
        first,
        handler=each_with_position(model.segment),
        limits=BatchLimits(ahead=most),
        ahead=ahead,
    )
    stages: Sequence[Stage[Any]] = [stage, *rest]
    yield InProcessRunner(log, stages, now_ms=now_ms)
    await ahead.close()


async def tell(log: SqliteEventLog, chapters: range, work: str = W) -> None:
    await log.append([as_record(published(str(n), f"Body {n}.", work)) for n in chapters])


def names(chapters: range) -> list[str]:
    return [str(n) for n in chapters]


async def test_several_are_thought_about_at_once_and_each_once_and_in_order(
    tmp_path: Path,
) -> None:
    model, tree = Model(), StandInTree()
    async with opened_log(tmp_path) as log, running(model, tree, log) as runner:
        await tell(log, range(50))
        assert not (await runner.run_until_idle()).held
    assert model.most == 4
    assert sorted(model.begun, key=int) == names(range(50))
    assert [chapter for _, chapter in tree.chapters] == names(range(50))


async def test_what_is_down_is_held_in_its_turn_and_asked_again(tmp_path: Path) -> None:
    model, tree = Model(down={"5"}), StandInTree()
    async with opened_log(tmp_path) as log, running(model, tree, log) as runner:
        await tell(log, range(10))
        report = await runner.run_until_idle()
        assert [hold.chapter_id for hold in report.held] == ["5"]
        assert [chapter for _, chapter in tree.chapters] == names(range(5))
        model.down.clear()
        assert not (await runner.run_until_idle()).held
    assert [chapter for _, chapter in tree.chapters] == names(range(10))
    others = [each for each in model.begun if each != "5"]
    assert sorted(others) == [each for each in names(range(10)) if each != "5"]


async def test_what_is_unfit_is_one_dead_letter_and_the_others_go_on(tmp_path: Path) -> None:
    model, tree = Model(unfit={"5"}), StandInTree()
    async with opened_log(tmp_path) as log, running(model, tree, log) as runner:
        await tell(log, range(4))
        await log.append([NewRecord(CHAPTERS, W.encode(), b"no event")])
        await tell(log, range(4, 10))
        report = await runner.run_until_idle()
        assert len(report.dead) == 2
    assert [chapter for _, chapter in tree.chapters] == [
        each for each in names(range(10)) if each != "5"
    ]


async def test_what_is_of_a_paused_work_is_not_begun(tmp_path: Path) -> None:
    model, tree = Model(), StandInTree()
    async with opened_log(tmp_path) as log, running(model, tree, log) as runner:
        await ParkingLot(log).pause(OTHER)
        await tell(log, range(3))
        await tell(log, range(100, 103), OTHER)
        await tell(log, range(3, 6))
        await runner.run_until_idle()
    assert sorted(model.begun) == names(range(6))


async def test_who_is_cut_off_ends_what_it_has_begun(tmp_path: Path) -> None:
    model, tree = Model(), StandInTree()
    async with opened_log(tmp_path) as log:
        async with running(model, tree, log) as runner:
            await tell(log, range(10))
            run = asyncio.create_task(runner.run_until_idle())
            while model.now < 4:  # noqa: ASYNC110 - there is no event for it
                await asyncio.sleep(0)
            run.cancel()
            with pytest.raises(asyncio.CancelledError):
                await run
        assert model.cancelled == 4
        async with running(model, tree, log) as runner:
            await runner.run_until_idle()
    assert [chapter for _, chapter in tree.chapters] == names(range(10))
