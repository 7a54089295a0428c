"""An exported log is whole or says where it is not; cut off, it is gone on with."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest

from contracts.errors import TransientError
from contracts.events import ChapterPurged, ChapterWithdrawn, chapter_event
from contracts.ids import ChapterId, WorkId
from contracts.ports import EventLog, NewRecord, Record
from contracts.topics import CHAPTERS
from streams.dead_letters import POSITION, position_of
from streams.inputs.values import UnusableInput
from streams.log_files.exporting import Selection, export_through, export_to
from streams.log_files.importing import import_from
from streams.logs.sqlite_log import SqliteEventLog
from tests.unit.streams.stand_ins import NOW_MS, as_record, published

W, OPEN_END = WorkId("w"), 2**40
ALL = Selection()


@pytest.fixture
async def log(tmp_path: Path) -> AsyncIterator[SqliteEventLog]:
    times = iter(range(NOW_MS, NOW_MS + 1_000_000, 1_000))
    log = SqliteEventLog(tmp_path / "one.sqlite", lambda: next(times))
    yield log
    await log.close()


@pytest.fixture
async def other(tmp_path: Path) -> AsyncIterator[SqliteEventLog]:
    log = SqliteEventLog(tmp_path / "other.sqlite")
    yield log
    await log.close()


async def all_of(log: EventLog) -> list[Record]:
    return list(await log.read(CHAPTERS, 0, 10_000, OPEN_END))


def told(records: Sequence[Record]) -> list[tuple[bytes | None, bytes | None]]:
    return [(record.key, record.value) for record in records]


@dataclass
class Dying:
    """A log of which nothing can be read after so many records, or appended after so many calls."""

    inner: EventLog
    reads: int = 2**40
    appends: int = 2**40
    appended: list[int] = field(default_factory=list)

    async def span(
        self, topic: str, partition: int, start: int, end: int
    ) -> AsyncGenerator[Record, None]:
        async for record in self.inner.span(topic, partition, start, end):
            self.reads -= 1
            if self.reads < 0:
                raise TransientError("cut off")
            yield record

    async def append(self, records: Sequence[NewRecord]) -> int:
        self.appends -= 1
        if self.appends < 0:  # Kafka may have taken some
            await self.inner.append(records[: len(records) // 2])
            raise TransientError("cut off")
        self.appended.append(len(records))
        return await self.inner.append(records)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


async def test_everything_comes_back_as_it_lay(
    log: SqliteEventLog, other: SqliteEventLog, tmp_path: Path
) -> None:
    sent = [
        as_record(published("1")),
        NewRecord(CHAPTERS, None, b"\x00\xff"),
        NewRecord(CHAPTERS, b"\xff", None),
        NewRecord(
            CHAPTERS, b"w", "第一章".encode() * 4_000, (("theirs", b"\x80"), ("theirs", b""))
        ),
    ]
    await log.append(sent)
    for name in ("log.jsonl", "log.jsonl.gz"):
        report = await export_to(log, tmp_path / name, ALL)
        assert (report.records, report.resumed, report.withheld) == (4, 0, 0)
    assert (
        gzip.decompress((tmp_path / "log.jsonl.gz").read_bytes())
        == (tmp_path / "log.jsonl").read_bytes()
    )
    done = await import_from(other, tmp_path / "log.jsonl.gz")
    assert (done.records, done.new, done.known, done.problems) == (4, 4, 0, ())
    found = await all_of(other)
    assert told(found) == [(record.key, record.value) for record in sent]
    assert [pair for pair in found[3].headers if pair[0] == "theirs"] == list(sent[3].headers)
    again = await import_from(other, tmp_path / "log.jsonl")
    assert (again.new, again.known) == (0, 4)


async def test_a_longer_export_adds_what_is_new(
    log: SqliteEventLog, other: SqliteEventLog, tmp_path: Path
) -> None:
    await log.append([as_record(published("1"))])
    await export_to(log, tmp_path / "a", ALL)
    await log.append([as_record(published("2"))])
    await export_to(log, tmp_path / "b", ALL)
    assert (await import_from(other, tmp_path / "a")).new == 1
    assert (await import_from(other, tmp_path / "b")).new == 1
    assert told(await all_of(other)) == told(await all_of(log))


async def test_what_is_wanted_is_selected(log: SqliteEventLog) -> None:
    for n in range(4):
        await log.append([as_record(published(str(n))), as_record(published(str(n), work="v"))])
    until = datetime.fromtimestamp(NOW_MS / 1000 + 2, UTC)

    async def offsets(selection: Selection) -> list[int]:
        out = io.BytesIO()
        await export_through(log, out, selection)
        lines = [json.loads(line) for line in out.getvalue().splitlines()]
        return [line["offset"] for line in lines if line["line"] == "record"]

    assert await offsets(Selection(work_id="v")) == [1, 3, 5, 7]
    assert await offsets(Selection(until=until)) == [0, 1, 2, 3]
    assert await offsets(Selection(to_offset=4)) == [0, 1, 2, 3, 4]
    assert await offsets(Selection("w", until, 1)) == [0]


@pytest.mark.parametrize("name", ["log.jsonl", "log.jsonl.gz"])
async def test_a_cut_off_export_goes_on_and_becomes_the_same_file(
    log: SqliteEventLog, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("streams.log_files.files._PIECE_BYTES", 1_000)
    await log.append([as_record(published(str(n), "It rained. " * 30)) for n in range(40)])
    whole = tmp_path / f"whole-{name}"
    digest = (await export_to(log, whole, ALL)).digest
    path = tmp_path / name
    with pytest.raises(TransientError):  # the first 40 are read for withdrawals
        await export_to(Dying(log, reads=60), path, ALL)
    report = await export_to(log, path, ALL)
    assert (report.records, report.resumed, report.digest) == (40, 20, digest)
    assert _lines(path) == _lines(whole)
    content = whole.read_bytes()
    for size in (0, 1, 700, len(content) // 2, len(content) - 5):
        path.write_bytes(content[:size] + b"\x00" * (size % 7))
        if size == 1:
            with pytest.raises(UnusableInput, match="no exported log"):
                await export_to(log, path, ALL)
            continue
        if size == 0 or not _has_header(path):
            path.unlink()
        await export_to(log, path, ALL)
        assert _lines(path) == _lines(whole)
    assert (await export_to(log, path, ALL)).resumed == 40, "whole already"
    with pytest.raises(UnusableInput, match="another export"):
        await export_to(log, path, Selection(work_id="w"))


async def test_no_other_file_is_overwritten(log: SqliteEventLog, tmp_path: Path) -> None:
    await log.append([as_record(published("1"))])
    path = tmp_path / "novel.txt"
    path.write_text("Call me Ishmael.\n")
    with pytest.raises(UnusableInput, match="no exported log"):
        await export_to(log, path, ALL)
    assert path.read_text() == "Call me Ishmael.\n"
    with pytest.raises(UnusableInput, match=r"only \.gz"):
        await export_to(log, tmp_path / "log.zst", ALL)


@pytest.mark.parametrize(
    ("damage", "told_of"),
    [
        (lambda lines: [*lines[:2], lines[2].replace(b"rained", b"poured"), *lines[3:]], "line 3"),
        (lambda lines: [*lines[:2], *lines[3:]], "tells of 5 records and holds 4"),
        (lambda lines: [*lines[:2], lines[3], lines[2], *lines[4:]], "or others"),
        (lambda lines: lines[:4], "ends with line 4"),
        (lambda lines: [*lines[:4], lines[4][:30]], "after line 4"),
        (lambda lines: [*lines, lines[3]], "line 8 stands behind"),
    ],
)
async def test_damage_is_named_and_nothing_is_lost_in_silence(
    log: SqliteEventLog,
    other: SqliteEventLog,
    tmp_path: Path,
    damage: Callable[[list[bytes]], list[bytes]],
    told_of: str,
) -> None:
    await log.append([as_record(published(str(n))) for n in range(5)])
    path = tmp_path / "log.jsonl"
    await export_to(log, path, ALL)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(damage(lines)))
    with pytest.raises(UnusableInput, match=told_of):
        await import_from(other, path)
    assert await all_of(other) == []
    report = await import_from(other, path, skip_damaged=True)
    assert any(told_of in problem for problem in report.problems)
    assert report.new == len(await all_of(other)) == report.records >= 2


async def test_a_packed_file_that_is_cut_off_says_after_which_line(
    log: SqliteEventLog, other: SqliteEventLog, tmp_path: Path
) -> None:
    await log.append([as_record(published(str(n))) for n in range(5)])
    path = tmp_path / "log.jsonl.gz"
    await export_to(log, path, ALL)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(UnusableInput, match="after line"):
        await import_from(other, path)


async def test_a_cut_off_import_goes_on_without_doubling(
    log: SqliteEventLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("streams.log_files.importing._MOST_RECORDS", 10)
    await log.append([as_record(published(str(n))) for n in range(25)])
    await _retry(log, 3)
    path = tmp_path / "log.jsonl"
    await export_to(log, path, ALL)
    for appends in range(6):
        other = SqliteEventLog(tmp_path / f"{appends}.sqlite")
        # Sources would hide it: Kafka has none.
        sourceless = _Sourceless(other)
        try:
            await import_from(Dying(sourceless, appends=appends), path)
        except TransientError:
            await import_from(sourceless, path)
        found = await all_of(other)
        assert told(found) == told(await all_of(log))
        assert position_of(found[25]) == 3
        await other.close()


@dataclass
class _Sourceless:
    inner: EventLog

    async def append(self, records: Sequence[NewRecord]) -> int:
        return await self.inner.append(
            [NewRecord(r.topic, r.key, r.value, r.headers) for r in records]
        )

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


async def _retry(log: EventLog, offset: int) -> None:
    record = (await all_of(log))[offset]
    at = ((POSITION, str(offset).encode()),)
    await log.append([NewRecord(CHAPTERS, record.key, record.value, at)])


async def test_positions_mean_the_same_events_at_other_offsets(
    log: SqliteEventLog, other: SqliteEventLog, tmp_path: Path
) -> None:
    """As retried letters have them; imported behind others, and again from there to elsewhere."""
    await log.append([as_record(published(str(n), work=work)) for n in range(3) for work in "vw"])
    await _retry(log, 3)
    await _retry(log, 0)
    await log.append([NewRecord(CHAPTERS, b"w", b"{", ((POSITION, b"7"),))])  # of an event of v
    await other.append([as_record(published(str(n), work="x")) for n in range(100)])
    await export_to(log, tmp_path / "a", Selection(work_id="w"))
    await export_to(log, tmp_path / "b", ALL)
    await import_from(other, tmp_path / "a")
    found = [record for record in await all_of(other) if record.key == b"w"]
    assert [position_of(record) for record in found] == [100, 101, 102, 101, 104]
    third = SqliteEventLog(tmp_path / "third.sqlite")
    await export_to(other, tmp_path / "c", Selection(work_id="w"))
    await import_from(third, tmp_path / "c")
    assert [position_of(record) for record in await all_of(third)] == [0, 1, 2, 1, 4]
    await import_from(third, tmp_path / "b")
    assert [position_of(r) for r in await all_of(third) if r.key == b"v"] == [5, 7, 9, 5]
    await third.close()


async def test_a_time_is_that_of_the_first_log(
    log: SqliteEventLog, other: SqliteEventLog, tmp_path: Path
) -> None:
    await log.append([as_record(published("1"))])
    await log.append([as_record(published("2"))])
    await export_to(log, tmp_path / "a", ALL)
    await import_from(other, tmp_path / "a")
    until = Selection(until=datetime.fromtimestamp(NOW_MS / 1000 + 1, UTC))
    assert (await export_to(other, tmp_path / "b", until)).records == 1


async def test_withdrawn_texts_are_left_out_and_count_for_as_much(
    log: SqliteEventLog, other: SqliteEventLog, tmp_path: Path
) -> None:
    gone = ChapterWithdrawn(work_id=W, chapter_id=ChapterId("1"))
    unread = {"kind": "chapter.published", "work_id": W, "chapter_id": "1", "text": "Xyzzy"}
    await log.append([
        as_record(published("1", "Xyzzy.", revision=2, title="Xyzzy")),
        NewRecord(CHAPTERS, b"w", json.dumps(unread).encode()),
        as_record(published("2", "It stays.")),
        as_record(published("3", "It is back.")),
        as_record(gone),
        as_record(gone.model_copy(update={"chapter_id": ChapterId("3")})),
        as_record(published("3", "It is back.")),
        as_record(published("1", "Xyzzy of another.", work="v")),
    ])  # fmt: skip
    path = tmp_path / "log.jsonl"
    report = await export_to(log, path, ALL)
    assert report.withheld == 2
    assert path.read_bytes().count(b"Xyzzy") == 1
    await import_from(other, path)
    found = await all_of(other)
    purged = chapter_event.validate_json(found[0].value or b"")
    assert isinstance(purged, ChapterPurged)
    assert (purged.chapter_id, purged.revision, str(purged.ordinal)) == ("1", 2, "1")
    assert told(found)[2:] == told(await all_of(log))[2:]


def _lines(path: Path) -> bytes:
    content = path.read_bytes()
    return gzip.decompress(content) if path.suffix == ".gz" else content


def _has_header(path: Path) -> bool:
    if path.suffix != ".gz":
        return b"\n" in path.read_bytes()
    try:
        with gzip.open(path) as file:
            return bool(file.readline())
    except (OSError, EOFError):
        return False


@dataclass
class _Partitioned:
    """Several local logs as the partitions of one."""

    logs: Sequence[EventLog]

    async def ends(self, topic: str) -> tuple[int, ...]:
        return tuple([await log.end(topic) for log in self.logs])

    async def span(
        self, topic: str, partition: int, start: int, end: int
    ) -> AsyncGenerator[Record, None]:
        async for record in self.logs[partition].span(topic, 0, start, end):
            yield replace(record, partition=partition)

    async def read_key(self, topic: str, key: bytes) -> tuple[Record, ...]:
        return tuple([each for log in self.logs for each in await log.read_key(topic, key)])

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"{name} is not needed")


async def test_partitions_stand_one_behind_the_other_wherever_it_was_cut_off(
    log: SqliteEventLog, other: SqliteEventLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("streams.log_files.files._PIECE_BYTES", 1)
    await log.append([as_record(published(str(n), work="w")) for n in range(3)])
    await _retry(log, 1)
    await other.append([as_record(published(str(n), work="v")) for n in range(4)])
    await _retry(other, 2)
    both = cast(EventLog, _Partitioned([log, SqliteEventLog(tmp_path / "no"), other]))
    whole = await export_to(both, tmp_path / "whole", ALL)
    assert whole.records == 9
    for reads in range(9, 18):
        path = tmp_path / f"{reads}"
        with pytest.raises(TransientError):
            await export_to(Dying(both, reads=reads), path, ALL)
        assert (await export_to(both, path, ALL)).resumed == reads - 9
        assert path.read_bytes() == (tmp_path / "whole").read_bytes()
    third = SqliteEventLog(tmp_path / "third.sqlite")
    await import_from(third, tmp_path / "whole")
    found = await all_of(third)
    assert told(found) == told([*await all_of(log), *await all_of(other)])
    assert [position_of(record) for record in found] == [0, 1, 2, 1, 4, 5, 6, 7, 6]
    await third.close()
