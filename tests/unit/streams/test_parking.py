"""Paused works: nothing lost, in order, beside the others, whoever dies on the way."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from contracts.errors import TransientError, WorkMustWait
from contracts.events import ChapterEvent
from contracts.frozen import Frozen
from contracts.ids import WorkId
from contracts.parking import (
    EventParked,
    EventsReleased,
    ReleaseHeld,
    WorkPaused,
    WorkResumed,
)
from contracts.ports import NewRecord, Record
from contracts.topics import CHAPTERS
from streams.dead_letters import read_back
from streams.inprocess import InProcessRunner, RunReport
from streams.logs.sqlite_log import SqliteEventLog
from streams.parking import ParkedWork, ParkingLot
from streams.runner import Held, StageRunner
from streams.stage import Stage, each_with_position
from tests.crashes import SimulatedCrash
from tests.unit.streams.stand_ins import (
    StandInTree,
    as_record,
    now_ms,
    opened_log,
    path_to,
    published,
    segment,
)

_FORGET_THE_FIRST = (
    "DELETE FROM records "
    "WHERE place = 0 AND topic = (SELECT id FROM topics WHERE name = 'chapters')"
)
W, OTHER = WorkId("w"), WorkId("other")
ALL = 10**9


def parked(offset: int) -> EventParked:
    return EventParked(work_id=W, partition=0, offset=offset, position=offset)


def offsets(work: ParkedWork) -> list[int]:
    return [event.offset for event in work.waits]


def test_facts_may_be_told_twice_and_in_any_order_of_writers() -> None:
    work = ParkedWork(W)
    for offset in (5, 3, 5, 9, 3):
        work.told(parked(offset))
    assert offsets(work) == [3, 5, 9]
    work.told(EventsReleased(work_id=W, until=5))
    work.told(parked(3))
    assert offsets(work) == [9], "what went on does not wait again"
    work.told(EventsReleased(work_id=W, until=1))
    assert offsets(work) == [9]


def test_a_work_is_aside_until_nothing_waits() -> None:
    work = ParkedWork(W)
    assert not work.is_aside
    work.told(WorkPaused(work_id=W))
    work.told(parked(1))
    assert (work.is_aside, work.is_going_on) == (True, False)
    work.told(WorkResumed(work_id=W))
    assert (work.is_aside, work.is_going_on) == (True, True)
    work.told(EventsReleased(work_id=W, until=1))
    assert (work.is_aside, work.is_going_on) == (False, False)


def test_why_it_cannot_go_on_is_forgotten_when_it_does() -> None:
    work = ParkedWork(W)
    work.told(parked(1))
    work.told(ReleaseHeld(work_id=W, offset=1, reason="down"))
    assert work.held is not None
    work.told(EventsReleased(work_id=W, until=1))
    assert work.held is None


# --- on a log ---------------------------------------------------------------------------------


@dataclass
class Model:
    """Notes what is cut into scenes, in what order; may be down."""

    down: bool = False

    def __post_init__(self) -> None:
        self.took: list[tuple[str, str, int]] = []

    async def segment(self, event: ChapterEvent, position: int) -> Frozen:
        if self.down:
            raise TransientError("the model is down")
        self.took.append((event.work_id, str(getattr(event, "chapter_id", "")), position))
        return await segment(event, position)

    def of(self, work: str) -> list[str]:
        return [chapter for of, chapter, _ in self.took if of == work]


def path(model: Model, tree: StandInTree, lot: ParkingLot) -> Sequence[Stage[Any]]:
    first, *rest = path_to(tree, lot)
    return [replace(first, handler=each_with_position(model.segment)), *rest]


async def run(log: SqliteEventLog, model: Model, tree: StandInTree | None = None) -> RunReport:
    """Run as a new process does: it knows of pauses from the log alone."""
    stages = path(model, tree or StandInTree(), ParkingLot(log))
    return await InProcessRunner(log, stages, now_ms=now_ms).run_until_idle()


async def tell(log: SqliteEventLog, chapters: range, works: Sequence[str] = (W, OTHER)) -> None:
    await log.append(
        [as_record(published(str(n), f"Body {n}.", work)) for n in chapters for work in works]
    )


async def test_a_paused_work_waits_and_blocks_no_other(tmp_path: Path) -> None:
    model, tree = Model(), StandInTree()
    async with opened_log(tmp_path) as log:
        await tell(log, range(1, 3))
        await run(log, model, tree)
        await ParkingLot(log).pause(W)
        await tell(log, range(3, 40))
        report = await run(log, model, tree)
        assert report.held == ()
        assert model.of(W) == ["1", "2"]
        assert model.of(OTHER) == [str(n) for n in range(1, 40)]
        lot = ParkingLot(log)
        await lot.refresh()
        (work,) = lot.aside()
        assert len(work.waits) == 37
        await lot.resume(W)
        await run(log, model, tree)
        await lot.refresh()
        assert lot.aside() == ()
    assert model.of(W) == [str(n) for n in range(1, 40)]
    assert len(tree.chapters) == 78
    # Each has the position that it had when it came.
    assert [at for work, _, at in model.took if work == W] == list(range(0, 78, 2))


async def test_what_is_new_comes_after_what_waits(tmp_path: Path) -> None:
    model = Model(down=True)
    async with opened_log(tmp_path) as log:
        lot = ParkingLot(log)
        await lot.pause(W)
        await tell(log, range(1, 4), [W])
        await run(log, model)
        await lot.resume(W)
        await tell(log, range(4, 6), [W])
        report = await run(log, model)
        (hold,) = report.held
        assert (hold.stage, hold.work_id, hold.reason) == ("segment", W, "the model is down")
        await lot.refresh()
        (work,) = lot.aside()
        assert work.held is not None
        assert work.held.reason == "the model is down"
        model.down = False
        await tell(log, range(6, 7), [W])
        assert (await run(log, model)).held == ()
    assert model.of(W) == [str(n) for n in range(1, 7)]


async def test_a_work_that_cannot_go_on_holds_no_other(tmp_path: Path) -> None:
    class DownForOne(Model):
        async def segment(self, event: ChapterEvent, position: int) -> Frozen:
            if event.work_id == W:
                raise TransientError("the model is down")
            return await super().segment(event, position)

    model = DownForOne()
    async with opened_log(tmp_path) as log:
        lot = ParkingLot(log)
        await lot.pause(W)
        await lot.pause(OTHER)
        await tell(log, range(1, 4))
        await run(log, model)
        await lot.resume(W)
        await lot.resume(OTHER)
        report = await run(log, model)
    assert [hold.work_id for hold in report.held] == [W]
    assert model.of(OTHER) == ["1", "2", "3"]


async def test_a_work_that_must_wait_is_paused_with_the_reason_whenever_that_is_found(
    tmp_path: Path,
) -> None:
    class Dear(Model):
        """Has one work wait after so many chapters of it."""

        most = 2

        async def segment(self, event: ChapterEvent, position: int) -> Frozen:
            if event.work_id == W and len(self.of(W)) >= self.most:
                raise WorkMustWait("it has cost enough")
            return await super().segment(event, position)

    model, tree = Dear(), StandInTree()
    async with opened_log(tmp_path) as log:
        await tell(log, range(1, 6))
        assert (await run(log, model, tree)).held == ()
        assert (model.of(W), model.of(OTHER)) == (["1", "2"], [str(n) for n in range(1, 6)])
        lot = ParkingLot(log)
        await lot.refresh()
        (work,) = lot.aside()
        assert (work.paused, work.reason, len(work.waits)) == (True, "it has cost enough", 3)
        model.most = 3
        await lot.resume(W)
        assert work.reason == ""
        assert (await run(log, model, tree)).held == ()
        await lot.refresh()
        assert (work.paused, work.reason, len(work.waits)) == (True, "it has cost enough", 2)
        model.most = 9
        await lot.resume(W)
        await run(log, model, tree)
        await lot.refresh()
        assert lot.aside() == ()
    assert model.of(W) == [str(n) for n in range(1, 6)]


async def test_a_stage_that_does_not_park_is_held_by_a_work_that_must_wait() -> None:
    async def wait(_event: ChapterEvent, _position: int) -> Frozen:
        raise WorkMustWait("it has cost enough")

    first, *_ = path_to(StandInTree())
    stage = replace(first, handler=each_with_position(wait), parking=None)
    offered = as_record(published("1", "Body.", W))
    record = Record(CHAPTERS, 0, offered.key, offered.value, (), 0)
    held = await StageRunner(stage, now_ms).process([record])
    assert isinstance(held, Held)
    assert held.reason == "it has cost enough"


async def test_pausing_and_resuming_twice_says_nothing_new(tmp_path: Path) -> None:
    async with opened_log(tmp_path) as log:
        for _ in range(2):
            assert (await ParkingLot(log).pause(W)).paused
        end = await log.end("parked.g1")
        assert end == 1
        for _ in range(2):
            assert not (await ParkingLot(log).resume(W)).paused
        assert await log.end("parked.g1") == 2


async def test_what_cannot_be_read_is_a_dead_letter_at_once(tmp_path: Path) -> None:
    async with opened_log(tmp_path) as log:
        await ParkingLot(log).pause(W)
        await log.append([NewRecord(CHAPTERS, b"w", b"{"), as_record(published("1"))])
        report = await run(log, Model())
        lot = ParkingLot(log)
        await lot.refresh()
        assert [len(work.waits) for work in lot.aside()] == [1]
    assert len(report.dead) == 1


async def test_what_is_unfit_is_a_dead_letter_with_its_bytes_when_it_goes_on(
    tmp_path: Path,
) -> None:
    sent = as_record(published("1", "poison"))
    async with opened_log(tmp_path) as log:
        lot = ParkingLot(log)
        await lot.pause(W)
        await log.append([sent, as_record(published("2"))])
        await run(log, Model())
        await lot.resume(W)
        model = Model()
        report = await run(log, model)
        (record,) = await log.read("chapters.dlq", 0, 9, ALL)
    assert len(report.dead) == 1
    assert (record.key, record.value) == (sent.key, sent.value)
    assert read_back(record).position == 0
    assert model.of(W) == ["1", "2"]


async def test_what_the_log_lost_meanwhile_is_a_dead_letter_that_says_so(tmp_path: Path) -> None:
    async with opened_log(tmp_path) as log:
        lot = ParkingLot(log)
        await lot.pause(W)
        await tell(log, range(1, 3), [W])
        await run(log, Model())
        await log._file.call(lambda connection: connection.execute(_FORGET_THE_FIRST))
        await lot.resume(W)
        model = Model()
        await run(log, model)
        (record,) = await log.read("chapters.dlq", 0, 9, ALL)
    letter = read_back(record)
    assert (letter.identity.chapter_id, letter.position) == ("1", 0)
    assert "publish it again" in letter.failure.reason
    assert model.of(W) == ["2"]


class DyingLog(SqliteEventLog):
    """Dies at the `nth` append: before it, or after it is done."""

    nth = 0
    after = False

    async def append(self, records: Sequence[NewRecord]) -> int:
        self.nth -= 1
        if self.nth == 0 and not self.after:
            raise SimulatedCrash
        done = await super().append(records)
        if self.nth == 0:
            raise SimulatedCrash
        return done


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("nth", range(1, 11))
async def test_whoever_dies_on_the_way_loses_nothing(tmp_path: Path, nth: int, after: bool) -> None:
    model, tree = Model(), StandInTree()
    log = DyingLog(tmp_path / "events.sqlite", now_ms)
    lot = ParkingLot(log)
    await lot.pause(W)
    await tell(log, range(1, 4))
    log.nth, log.after = nth, after
    await until_it_is_done(lambda: run(log, model, tree))
    assert (model.of(W), len(tree.chapters)) == ([], 3)
    await until_it_is_done(lambda: lot.resume(W))
    await until_it_is_done(lambda: run(log, model, tree))
    await lot.refresh()
    assert lot.aside() == ()
    await log.close()
    assert log.nth <= 0, "it died"
    assert len(tree.chapters) == 6
    assert list(dict.fromkeys(model.of(W))) == ["1", "2", "3"], "in order, if some of it twice"


async def until_it_is_done(deed: Callable[[], Awaitable[object]]) -> None:
    """Do it again, as a new process would, until nobody dies of it."""
    while True:
        with suppress(SimulatedCrash):
            await deed()
            return


async def test_a_log_that_is_away_holds_the_record(tmp_path: Path) -> None:
    class Away(SqliteEventLog):
        async def end(self, topic: str) -> int:
            raise TransientError("the log is away")

    log = Away(tmp_path / "events.sqlite", now_ms)
    await tell(log, range(1, 2), [W])
    records = await log.read(CHAPTERS, 0, 9, ALL)
    stage = path(Model(), StandInTree(), ParkingLot(log))[0]
    result = await StageRunner(stage, now_ms).process(records)
    await log.close()
    assert isinstance(result, Held)
    assert (result.reason, result.identity.work_id) == ("the log is away", W)


async def test_whoever_comes_to_a_partition_anew_looks_first(tmp_path: Path) -> None:
    async with opened_log(tmp_path) as log:
        await tell(log, range(1, 5), [W])
        records = await log.read(CHAPTERS, 0, 9, ALL)
        lot = ParkingLot(log)
        await lot.look_for(records[0])
        await ParkingLot(log).pause(W)
        await lot.look_for(records[1])
        assert not lot.is_aside(b"w"), "within half a second it need not know"
        await lot.look_for(records[3])  # another had the partition in between
        assert lot.is_aside(b"w")


async def test_works_that_go_on_do_not_wait_for_each_other(tmp_path: Path) -> None:
    """As two chapters at a model: both are asked about at once."""
    works = [WorkId(f"w{n}") for n in range(3)]
    together = asyncio.Barrier(len(works))

    class Meeting(Model):
        async def segment(self, event: ChapterEvent, position: int) -> Frozen:
            await asyncio.wait_for(together.wait(), 10)
            return await super().segment(event, position)

    async with opened_log(tmp_path) as log:
        lot = ParkingLot(log)
        for work in works:
            await lot.pause(work)
        await tell(log, range(1, 3), works)
        await run(log, Model())
        for work in works:
            await lot.resume(work)
        model = Meeting()
        await run(log, model)
        assert [model.of(work) for work in works] == [["1", "2"]] * 3
