"""Every event log keeps the contract; what only SQLite can get wrong is tested below it."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from contracts.errors import PermanentError, TransientError
from contracts.ports import EventLog, NewRecord
from streams.logs.sqlite_database import open_database
from streams.logs.sqlite_errors import translation
from streams.logs.sqlite_log import EVENT_LOG, SqliteEventLog
from tests.contract.event_log import OPEN_END, EventLogContract, record, values


class TestSqliteEventLog(EventLogContract):
    @pytest.fixture
    def opened(self, tmp_path: Path) -> Callable[[], EventLog]:
        return lambda: SqliteEventLog(tmp_path / "events.sqlite")


async def test_offsets_are_never_given_again(tmp_path: Path) -> None:
    path = tmp_path / "events.sqlite"
    log = SqliteEventLog(path)
    await log.append([record("a"), record("b")])
    await log.close()
    with sqlite3.connect(path) as other:  # what a purge does
        other.execute("DELETE FROM records")
    other.close()
    log = SqliteEventLog(path)
    await log.append([record("c")])
    assert [r.offset for r in await log.read("t", 0, 9, OPEN_END)] == [2]
    await log.close()


async def test_large_values_are_compressed(tmp_path: Path) -> None:
    path = tmp_path / "events.sqlite"
    log = SqliteEventLog(path)
    await log.append([record("all work and no play " * 50_000)])
    await log.close()
    assert path.stat().st_size < 100_000


_APPEND_FIFTY = """
import asyncio, sys
from pathlib import Path
from threading import Barrier
from contracts.ports import NewRecord
from streams.logs.sqlite_log import SqliteEventLog
async def main() -> None:
    log = SqliteEventLog(Path(sys.argv[1]))
    for n in range(50):
        await log.append([NewRecord("t", b"w", f"{sys.argv[2]}.{n}".encode())])
    await log.close()
asyncio.run(main())
"""


async def test_processes_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "events.sqlite"
    command = [sys.executable, "-c", _APPEND_FIFTY, str(path)]
    started = [await asyncio.create_subprocess_exec(*command, str(n)) for n in range(3)]
    assert [await process.wait() for process in started] == [0, 0, 0]
    log = SqliteEventLog(path)
    assert len(set(await values(log))) == 150
    await log.close()


def test_a_new_file_is_made_by_many_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        for n in range(25):
            together, path = Barrier(4), tmp_path / f"{n}.sqlite"

            def opened(_: int, path: Path = path, together: Barrier = together) -> None:
                together.wait()
                open_database(path, EVENT_LOG).close()

            list(pool.map(opened, range(4)))


async def test_a_full_disk_is_transient_and_leaves_nothing_half_written(tmp_path: Path) -> None:
    log = SqliteEventLog(tmp_path / "events.sqlite")
    await log.append([record("a")])
    await log._file.call(lambda connection: connection.execute("PRAGMA max_page_count = 20"))
    with pytest.raises(TransientError, match="disk is full; free some space"):
        await log.append([record("b"), NewRecord("t", b"w", os.urandom(200_000))])
    assert await values(log) == ["a"]
    assert await log.append([record("c")]) == 1
    await log.close()


async def test_a_file_of_another_kind_is_permanent(tmp_path: Path) -> None:
    path = tmp_path / "events.sqlite"
    path.write_bytes(b"Once upon a time " * 100)
    log = SqliteEventLog(path)
    with pytest.raises(PermanentError, match="it is no event log"):
        await log.end("t")
    await log.close()


async def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "events.sqlite"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE theirs (x)")
    other.close()
    log = SqliteEventLog(path)
    with pytest.raises(PermanentError, match="another program"):
        await log.end("t")
    await log.close()


async def test_a_newer_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "events.sqlite"
    log = SqliteEventLog(path)
    await log.end("t")
    await log.close()
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version = 99")
    other.close()
    log = SqliteEventLog(path)
    with pytest.raises(PermanentError, match="newer storygraft"):
        await log.end("t")
    await log.close()


async def test_a_missing_folder_is_permanent(tmp_path: Path) -> None:
    log = SqliteEventLog(tmp_path / "nowhere" / "events.sqlite")
    with pytest.raises(PermanentError, match="folder is there"):
        await log.end("t")
    await log.close()


def _raised(statements: list[str], path: Path) -> sqlite3.Error:
    connection = sqlite3.connect(path, timeout=0, isolation_level=None)
    try:
        for statement in statements:
            connection.execute(statement)
    except sqlite3.Error as error:
        return error
    finally:
        connection.close()
    raise AssertionError("no error")


def test_a_locked_file_is_transient(tmp_path: Path) -> None:
    path = tmp_path / "x"
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    error = translation("event log", path, _raised(["BEGIN IMMEDIATE"], path))
    holder.close()
    assert isinstance(error, TransientError)
    assert "another process" in str(error)


def test_a_read_only_file_is_permanent(tmp_path: Path) -> None:
    statements = ["PRAGMA query_only=1", "CREATE TABLE a(b)"]
    error = translation("event log", tmp_path, _raised(statements, tmp_path / "x"))
    assert isinstance(error, PermanentError)
    assert "right to write" in str(error)


def test_an_unknown_error_is_shown_as_it_came(tmp_path: Path) -> None:
    error = translation("event log", tmp_path, _raised(["SELECT nonsense"], tmp_path / "x"))
    assert isinstance(error, PermanentError)
    assert "no such column" in str(error)
