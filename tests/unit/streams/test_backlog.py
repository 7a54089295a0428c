"""What waits is read once, and forgotten when it is done."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from contracts.ids import FIRST_GENERATION, WorkId
from contracts.ports import NewRecord, Record
from streams.backlog import Backlog
from streams.dead_letters import topics_of
from streams.inprocess import InProcessRunner
from streams.intakes import SEGMENT, chapter_intakes
from streams.letters import Letters
from streams.logs.sqlite_log import SqliteEventLog
from tests.unit.streams.stand_ins import StandInTree, as_record, now_ms, path_to, published

W, OTHER = WorkId("w"), WorkId("other")
INTAKES = chapter_intakes(FIRST_GENERATION)


class CountingLog(SqliteEventLog):
    """Counts the records that it gives out."""

    read_records = 0

    async def span(
        self, topic: str, partition: int, start: int, end: int
    ) -> AsyncGenerator[Record, None]:
        async for record in super().span(topic, partition, start, end):
            self.read_records += 1
            yield record


@pytest.fixture
def log(tmp_path: Path) -> CountingLog:
    return CountingLog(tmp_path / "events.sqlite", now_ms)


async def tell(log: SqliteEventLog, chapters: range) -> None:
    await log.append([as_record(published(str(n), work=w)) for n in chapters for w in (W, OTHER)])


def waits(backlog: Backlog, work: WorkId = W) -> list[str | None]:
    return [each.identity.chapter_id for each in backlog.of(work)]


async def test_each_record_is_read_once_however_often_and_of_whom_is_asked(
    log: CountingLog,
) -> None:
    backlog = Backlog(log, INTAKES)
    await tell(log, range(10))
    for _ in range(3):
        await backlog.refresh()
        assert waits(backlog) == waits(backlog, OTHER) == [str(n) for n in range(10)]
    assert log.read_records == 20
    await tell(log, range(10, 11))
    await backlog.refresh()
    assert log.read_records == 22
    assert waits(backlog) == [str(n) for n in range(11)]
    await log.close()


async def test_what_is_done_is_forgotten_and_what_is_done_already_is_not_read(
    log: CountingLog,
) -> None:
    backlog = Backlog(log, INTAKES)
    await tell(log, range(40))
    await backlog.refresh()
    await InProcessRunner(log, path_to(StandInTree()), now_ms=now_ms).run_until_idle()
    await tell(log, range(40, 41))
    before = log.read_records
    await backlog.refresh()
    assert waits(backlog) == ["40"]
    assert log.read_records == before + 2
    await log.close()


async def test_what_waits_before_a_later_stage_is_known_by_its_message(log: CountingLog) -> None:
    await tell(log, range(3))
    await InProcessRunner(log, path_to(StandInTree())[:1], now_ms=now_ms).run_until_idle()
    backlog = Backlog(log, INTAKES)
    await backlog.refresh()
    assert [(each.identity.chapter_id, each.position) for each in backlog.of(W)] == [
        ("0", 0),
        ("1", 2),
        ("2", 4),
    ]
    await log.close()


async def test_a_position_that_goes_back_is_read_again(log: CountingLog) -> None:
    class Reset(CountingLog):
        at = 4

        async def position(self, group: str, topic: str) -> int:
            return self.at if group == SEGMENT.of_generation(FIRST_GENERATION).group else 0

    await log.close()
    log = Reset(log._file._path, now_ms)
    await tell(log, range(3))
    backlog = Backlog(log, INTAKES)
    await backlog.refresh()
    assert waits(backlog) == ["2"]
    log.at = 2
    await backlog.refresh()
    assert waits(backlog) == ["1", "2"]
    await log.close()


async def test_letters_are_read_once_and_known_by_the_key_that_they_came_under(
    log: CountingLog,
) -> None:
    letters = Letters(log, topics_of(FIRST_GENERATION))
    await log.append([as_record(published("1", "poison")), NewRecord("chapters", None, b"{")])
    await InProcessRunner(log, path_to(StandInTree()), now_ms=now_ms).run_until_idle()
    await letters.refresh()
    await log.append([as_record(published("2", "poison"))])
    await InProcessRunner(log, path_to(StandInTree()), now_ms=now_ms).run_until_idle()
    for _ in range(2):
        await letters.refresh()
    assert [each.identity.chapter_id for each in letters.of(W)] == ["1", "2"]
    assert [each.offset for each in letters.all()] == [0, 1, 2]
    assert {each.value for each in letters.all()} == {None}
    await log.close()
