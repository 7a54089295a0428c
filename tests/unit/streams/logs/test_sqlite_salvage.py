"""A damaged log: what can be read of it goes on, in a new file."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from contracts.errors import PermanentError
from contracts.ports import NewRecord
from streams.logs.sqlite_log import SqliteEventLog

_PAGE = 4096
_MANY = 1_000_000


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[SqliteEventLog]:
    log = SqliteEventLog(path)
    try:
        yield log
    finally:
        await log.close()


def value_of(number: int) -> bytes:
    """Return a value that fills a good part of a page, compressed or not."""
    return random.Random(number).randbytes(1_500)  # noqa: S311 - a test's bytes


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    async with opened(tmp_path / "events.sqlite") as log:
        await log.append([NewRecord("t", b"k", value_of(n)) for n in range(200)])
        await log.append([NewRecord("u", b"k", b"small")])
        await log.advance("reader", "t", 150, [])
    return tmp_path / "events.sqlite"


def contents(path: Path) -> bytes:
    return path.read_bytes()


def overwritten(path: Path, start: int, size: int, data: bytes = b"") -> None:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(data or b"\xa5" * size)
        if data:
            file.truncate()


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def header(path: Path) -> None:
    overwritten(path, 0, 100)


def page_in_the_middle(path: Path) -> None:
    overwritten(path, path.stat().st_size // _PAGE // 2 * _PAGE, _PAGE)


async def values(log: SqliteEventLog, topic: str = "t") -> dict[int, bytes | None]:
    return {record.offset: record.value for record in await log.read(topic, 0, _MANY, 10**9)}


async def test_a_damaged_header_is_refused_and_costs_nothing(path: Path) -> None:
    header(path)
    async with opened(path) as log:
        with pytest.raises(PermanentError, match="doctor --repair"):
            await log.end("t")
        saved = await log.salvaged()
        assert saved.holes == 0
        assert await values(log) == {n: value_of(n) for n in range(200)}
        assert await values(log, "u") == {0: b"small"}
        assert await log.position("reader", "t") == 150
        assert await log.faults() == ()


async def test_a_damaged_page_is_refused_and_costs_what_stood_on_it(path: Path) -> None:
    page_in_the_middle(path)
    async with opened(path) as log:
        with pytest.raises(PermanentError, match="doctor --repair"):
            await values(log)
        saved = await log.salvaged()
        assert saved.holes > 0
        assert saved.kept.exists()
        left = await values(log)
        assert 190 <= len(left) < 200
        assert all(value == value_of(n) for n, value in left.items())
        assert await log.faults() == ()
        assert await log.end("t") == 200
        assert await log.position("reader", "t") == 150
        await log.append([NewRecord("t", b"k", b"new")])
        assert (await values(log))[200] == b"new"


async def test_every_page_that_may_be_damaged(path: Path) -> None:
    whole = contents(path)
    for page in range(1, len(whole) // _PAGE, 3):
        overwritten(path, 0, 0, whole)
        overwritten(path, page * _PAGE, _PAGE)
        async with opened(path) as log:
            await log.salvaged()
            assert await log.faults() == (), page
            left = await values(log)
            assert all(value == value_of(n) for n, value in left.items()), page
            await log.append([NewRecord("t", b"k", b"new")])


async def test_a_sound_log_loses_nothing(path: Path) -> None:
    async with opened(path) as log:
        await log.append([NewRecord("u", None, None)])
        saved = await log.salvaged()
        assert saved.holes == 0
        assert await values(log) == {n: value_of(n) for n in range(200)}
        assert await values(log, "u") == {0: b"small", 1: None}


async def test_a_salvage_that_was_cut_off_is_begun_again(path: Path) -> None:
    for name in ("events.sqlite.new", "events.sqlite.work"):
        path.with_name(name).write_bytes(b"half of it")
    page_in_the_middle(path)
    async with opened(path) as log:
        await log.salvaged()
        assert len(await values(log)) >= 190
    assert not list(path.parent.glob("*.new*")) + list(path.parent.glob("*.work*"))


@pytest.mark.parametrize("spoil", [header, lambda _: None])
async def test_what_is_no_log_of_ours_is_left_alone(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE theirs (a)")
    spoil(path)
    before = contents(path)
    async with opened(path) as log:
        with pytest.raises(PermanentError):
            await log.salvaged()
    assert contents(path) == before
    assert names(tmp_path) == ["other.sqlite"]


async def test_offsets_are_reserved_and_never_taken_back(path: Path) -> None:
    async with opened(path) as log:
        await log.reserve("t", 1_000)
        await log.reserve("t", 10)
        await log.append([NewRecord("t", b"k", b"new"), NewRecord("v", b"k", b"first")])
        assert await log.end("t") == 1_001
        assert await values(log, "v") == {0: b"first"}
