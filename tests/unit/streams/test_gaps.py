"""Which chapters are published but not to be seen."""

from __future__ import annotations

from pathlib import Path

from contracts.answers import Gap
from contracts.events import ChapterWithdrawn
from contracts.ids import FIRST_GENERATION, ChapterId, Generation, WorkId
from contracts.order import OrderToken, Registers
from contracts.ordinals import Ordinal
from contracts.ports import EventLog, NewRecord, Standing
from contracts.reports import Settled
from contracts.requests import LetterChoice, Settling
from contracts.works import ChapterRecord, WorkRecord
from graph.memory import MemoryTreeStore
from streams.dlq.letter_box import LetterBox
from streams.gaps import GapFinder, known_at
from streams.inprocess import InProcessRunner
from streams.logs.sqlite_log import SqliteEventLog
from streams.parking import ParkingLot
from tests.unit.streams.stand_ins import (
    StandInTree,
    as_record,
    now_ms,
    opened_log,
    path_to,
    published,
)

WORK = WorkId("w")


class KnownTree(MemoryTreeStore):
    """A tree store that knows one work."""

    def __init__(self, work: WorkRecord | None) -> None:
        super().__init__()
        self._known = work

    async def load(
        self, work_id: WorkId, generation: Generation | None = None
    ) -> WorkRecord | None:
        return self._known


def indexed(chapter: str, position: int, **more: object) -> ChapterRecord:
    token = OrderToken(-1, position)
    registers = Registers(
        text=token, ordinal=token, presence=token, present=True, place=Ordinal.parse(chapter)
    )
    return ChapterRecord(
        chapter_id=ChapterId(chapter), registers=registers.model_copy(update=more), content_hash="x"
    )


async def found(log: EventLog, *known: ChapterRecord, floor: int = -1) -> tuple[Gap, ...]:
    work = WorkRecord(work_id=WORK, generation=FIRST_GENERATION, chapters=known, floor=floor)
    return await GapFinder(log, KnownTree(work if known else None), ParkingLot(log))(WORK)


async def run(log: EventLog, *records: NewRecord) -> None:
    await log.append(records)
    await InProcessRunner(log, path_to(StandInTree()), now_ms=now_ms).run_until_idle()


def poison(chapter: str, work: str = "w", **more: object) -> NewRecord:
    return as_record(published(chapter, "poison", work, **more))


async def test_a_dead_chapter_is_a_gap_at_its_place(tmp_path: Path) -> None:
    async with opened_log(tmp_path) as log:
        await run(log, poison("10"), poison("9.5"), poison("1", "other"), as_record(published("2")))
        gaps = await found(log)
        assert [(gap.chapter_id, str(gap.ordinal)) for gap in gaps] == [
            ("9.5", "9.5"),
            ("10", "10"),
        ]
        assert gaps[0].reason == "this chapter cannot be read"


async def test_as_of_sees_known_places_at_or_below_it(tmp_path: Path) -> None:
    nowhere = (
        b'{"kind":"chapter.published","work_id":"w","chapter_id":"x","ordinal":"?","body":"b"}'
    )
    async with opened_log(tmp_path) as log:
        await run(log, poison("3"), poison("4"), NewRecord("chapters", b"w", nowhere))
        finder = GapFinder(log, KnownTree(None), ParkingLot(log))
        assert [gap.chapter_id for gap in await finder(WORK)] == ["3", "4", "x"]
        found_at = known_at(await finder(WORK), Ordinal.parse(3))
        assert [gap.chapter_id for gap in found_at] == ["3"]


async def test_no_gap_where_a_newer_text_is_indexed(tmp_path: Path) -> None:
    async with opened_log(tmp_path) as log:
        await run(log, poison("1"))
        assert await found(log, indexed("1", position=5)) == ()
        # Retried under its own position, the dead letter is no gap any more either.
        assert await found(log, indexed("1", position=0)) == ()


async def test_a_dead_edit_of_an_indexed_chapter_is_a_gap(tmp_path: Path) -> None:
    async with opened_log(tmp_path) as log:
        await run(log, as_record(published("1")), poison("1"))
        assert [gap.chapter_id for gap in await found(log, indexed("1", position=0))] == ["1"]


async def test_a_gap_stands_where_the_chapter_was_moved_to_since(tmp_path: Path) -> None:
    async with opened_log(tmp_path) as log:
        await run(log, poison("1"))
        moved = Registers(ordinal=OrderToken(-1, 9), place=Ordinal.parse("7"))
        chapter = ChapterRecord(chapter_id=ChapterId("1"), registers=moved)
        assert [str(gap.ordinal) for gap in await found(log, chapter)] == ["7"]


async def test_no_gap_after_a_withdrawal_of_chapter_or_work(tmp_path: Path) -> None:
    async with opened_log(tmp_path) as log:
        await run(log, poison("1"))
        gone = indexed("1", 5, present=False, text=None)
        assert await found(log, gone) == ()
        assert await found(log, indexed("2", 9), floor=8) == ()


async def test_a_dead_withdrawal_is_no_gap(tmp_path: Path) -> None:
    event = ChapterWithdrawn(work_id=WORK, chapter_id=ChapterId("1"))
    async with opened_log(tmp_path) as log:
        await run(log, NewRecord("chapters", b"w", event.to_json().replace(b":1,", b":2,")))
        assert len(await log.read("chapters.dlq", 0, 9, 9_999)) == 1
        assert await found(log) == ()


async def test_what_waits_anywhere_on_the_path_is_a_gap(tmp_path: Path) -> None:
    async with opened_log(tmp_path) as log:
        down = StandInTree(down=True)
        await log.append([as_record(published("1"))])
        await InProcessRunner(log, path_to(down), now_ms=now_ms).run_until_idle()
        await log.append([as_record(published("2")), as_record(published("3", work="other"))])
        gaps = await found(log)
    assert [(gap.chapter_id, gap.reason) for gap in gaps] == [
        ("1", "waiting to be indexed"),
        ("2", "waiting to be indexed"),
    ]


async def test_a_dropped_letter_is_no_gap_and_a_retried_one_waits(tmp_path: Path) -> None:
    async with opened_log(tmp_path) as log:
        await run(log, poison("1"), poison("2"))
        finder = GapFinder(log, KnownTree(None), ParkingLot(log))
        assert [gap.chapter_id for gap in await finder(WORK)] == ["1", "2"]
        box = LetterBox(log, KnownTree(None), ("chapters.dlq",), now_ms)
        only = LetterChoice(chapter_id="1")
        await box.settle(Settling(how=Settled.DROPPED, choice=only))
        assert [gap.chapter_id for gap in await finder(WORK)] == ["2"]
        await box.settle(Settling(how=Settled.RETRIED, choice=LetterChoice()))
        (gap,) = await finder(WORK)
        assert (gap.chapter_id, gap.reason) == ("2", "waiting to be indexed")
        await run(log)  # and it dies again
        assert [gap.reason for gap in await finder(WORK)] == ["this chapter cannot be read"]


async def test_a_letter_that_is_sent_again_while_gaps_are_looked_for_stays_one(
    tmp_path: Path,
) -> None:
    class Meanwhile(SqliteEventLog):
        """A log in which a letter is retried after it was seen what waits."""

        retry: LetterBox | None = None

        async def standing(self, group: str, topic: str) -> tuple[Standing, ...]:
            found = await super().standing(group, topic)
            if self.retry is not None and group == "graft.g1":
                box, self.retry = self.retry, None
                await box.settle(Settling(how=Settled.RETRIED, choice=LetterChoice()))
            return found

    log = Meanwhile(tmp_path / "events.sqlite", now_ms)
    await run(log, poison("1"))
    finder = GapFinder(log, KnownTree(None), ParkingLot(log))
    assert [gap.chapter_id for gap in await finder(WORK)] == ["1"]
    log.retry = LetterBox(log, KnownTree(None), ("chapters.dlq",), now_ms)
    assert [gap.chapter_id for gap in await finder(WORK)] == ["1"]
    assert log.retry is None
    assert [gap.reason for gap in await finder(WORK)] == ["waiting to be indexed"]
    await log.close()
