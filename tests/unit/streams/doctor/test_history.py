"""What the log tells of works: only what went all the way counts as indexed."""

from __future__ import annotations

from pathlib import Path

from contracts.events import ChapterWithdrawn, NewPlace, WorkDescribed, WorkReordered, WorkWithdrawn
from contracts.ids import ChapterId, WorkId
from contracts.ordinals import Ordinal
from contracts.ports import EventLog, NewRecord
from contracts.reports import Settled
from contracts.requests import LetterChoice, Settling
from contracts.topics import CHAPTERS
from graph.memory import MemoryTreeStore
from streams.dead_letters import POSITION
from streams.dlq.letter_box import LetterBox
from streams.doctor.history import History, histories, one_history, retold
from streams.gaps import GapFinder
from streams.inprocess import InProcessRunner
from streams.parking import ParkingLot
from tests.unit.streams.stand_ins import (
    StandInTree,
    as_record,
    now_ms,
    opened_log,
    path_to,
    published,
)

W = WorkId("w")


async def run(log: EventLog, stages: int = 3) -> None:
    path = path_to(StandInTree())[:stages]
    await InProcessRunner(log, path, now_ms=now_ms).run_until_idle()


async def history(log: EventLog) -> History:
    gaps = gaps_of(log)
    found = (await histories(log, gaps))[W]
    assert await one_history(log, gaps, W) == found
    return found


def gaps_of(log: EventLog) -> GapFinder:
    return GapFinder(log, MemoryTreeStore(), ParkingLot(log))


async def unfinished(log: EventLog) -> frozenset[int]:
    gaps = gaps_of(log)
    await gaps.refresh()
    return gaps.unfinished(W)


async def test_the_last_event_of_each_chapter_is_known(tmp_path: Path) -> None:
    async with opened_log(tmp_path) as log:
        moved = NewPlace(chapter_id=ChapterId("1"), ordinal=Ordinal.parse(9))
        await log.append(
            [
                as_record(published("1")),
                as_record(published("2")),
                as_record(ChapterWithdrawn(work_id=W, chapter_id=ChapterId("2"))),
                as_record(WorkReordered(work_id=W, chapters=(moved,))),
                as_record(WorkDescribed(work_id=W, title="A Work")),
            ]
        )
        await run(log)
        assert (await history(log)).last_events() == {"1": 3, "2": 2}


async def test_what_waits_before_any_stage_is_not_indexed(tmp_path: Path) -> None:
    async with opened_log(tmp_path) as log:
        await log.append([as_record(published("1"))])
        await run(log)
        for chapter, stages in (("2", 2), ("3", 1), ("4", 0)):
            await log.append([as_record(published(chapter))])
            await run(log, stages)
        assert (await history(log)).last_events() == {"1": 0}
        assert await unfinished(log) == {1, 2, 3}
        await run(log)
        assert set((await history(log)).last_events()) == {"1", "2", "3", "4"}
        assert await unfinished(log) == frozenset()


async def test_dead_letters_and_what_nobody_can_read_are_not_indexed(tmp_path: Path) -> None:
    async with opened_log(tmp_path) as log:
        await log.append(
            [
                as_record(published("1", "poison")),
                NewRecord(CHAPTERS, b"w", b"no event"),
                NewRecord(CHAPTERS, b"another", published("2").to_json()),
                as_record(published("3")),
            ]
        )
        await run(log)
        assert (await history(log)).last_events() == {"3": 3}
        assert set(await retold(log, W)) == {0, 3}


async def test_nothing_before_the_withdrawal_of_the_work_counts(tmp_path: Path) -> None:
    async with opened_log(tmp_path) as log:
        await log.append([as_record(published("1")), as_record(WorkWithdrawn(work_id=W))])
        await run(log)
        found = await history(log)
        assert (found.floor, found.last_events(), found.was_told_of()) == (1, {}, False)
        await log.append([as_record(published("2"))])
        await run(log)
        assert (await history(log)).last_events() == {"2": 2}


async def test_an_event_that_came_again_has_its_first_position(tmp_path: Path) -> None:
    async with opened_log(tmp_path) as log:
        first, again = as_record(published("1")), as_record(published("1", "Mended."))
        await log.append([first, NewRecord(CHAPTERS, b"w", again.value, ((POSITION, b"0"),))])
        await run(log)
        assert (await history(log)).last_events() == {"1": 0}
        assert (await retold(log, W))[0].value == again.value


async def test_what_was_dropped_is_not_indexed_and_what_was_retried_is_when_it_was(
    tmp_path: Path,
) -> None:
    async with opened_log(tmp_path) as log:
        await log.append([as_record(published(n, "poison")) for n in ("1", "2")])
        await run(log)
        box = LetterBox(log, MemoryTreeStore(), ("chapters.dlq",), now_ms)
        drop = Settling(how=Settled.DROPPED, choice=LetterChoice(chapter_id="1"))
        await box.settle(drop)
        await box.settle(drop.model_copy(update={"how": Settled.RETRIED, "choice": LetterChoice()}))
        assert (await history(log)).last_events() == {}, "dropped, and waiting"
        await run(log)
        assert (await history(log)).last_events() == {}, "dropped, and dead again"
