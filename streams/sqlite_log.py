"""The local event log: one SQLite file, safe among threads, tasks and processes.

Every call runs on one thread that owns the connection, so calls of one log never interleave;
other processes are kept apart by SQLite's own locks. A call that returned is on the disk.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from contracts.errors import PermanentError
from contracts.ports import NewRecord, Record
from streams.sqlite_database import open_database, transaction
from streams.sqlite_errors import translated

T = TypeVar("T")

_PACK_FROM: Final = 512  # below this zlib saves less than a page ever shows
_PACK_LEVEL: Final = 6

_COLUMNS: Final = "place, key, value, size, packed, headers, time_ms"
_Row = tuple[int, bytes | None, bytes | None, int, int, str, int]


class SqliteEventLog:
    """`contracts.ports.EventLog` on the file `path`, made at the first call if it is not there.

    `:memory:` as path gives a log that ends with the object. `now_ms` stamps new records.
    """

    def __init__(self, path: Path, now_ms: Callable[[], int] | None = None) -> None:
        self._path = path
        self._now_ms = now_ms or _clock_ms
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="event-log")
        self._connection: sqlite3.Connection | None = None
        self._closed = False

    async def append(self, records: Sequence[NewRecord], *, source: str | None = None) -> int:
        """See `EventLog.append`."""
        return await self._call(partial(_append, self._now_ms, records, source))

    async def read(self, topic: str, start: int, limit: int, max_bytes: int) -> tuple[Record, ...]:
        """See `EventLog.read`."""
        return await self._call(partial(_read, topic, start, limit, max_bytes))

    async def read_key(self, topic: str, key: bytes) -> tuple[Record, ...]:
        """See `EventLog.read_key`."""
        return await self._call(partial(_read_key, topic, key))

    async def end(self, topic: str) -> int:
        """See `EventLog.end`."""
        return await self._call(partial(_end, topic))

    async def position(self, group: str, topic: str) -> int:
        """See `EventLog.position`."""
        return await self._call(partial(_position, group, topic))

    async def advance(
        self, group: str, topic: str, position: int, outputs: Sequence[NewRecord]
    ) -> None:
        """See `EventLog.advance`."""
        await self._call(partial(_advance, self._now_ms, (group, topic), position, outputs))

    async def close(self) -> None:
        """See `EventLog.close`."""
        if self._closed:
            return
        self._closed = True
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._thread, self._close)
        self._thread.shutdown(wait=False)

    async def _call(self, work: Callable[[sqlite3.Connection], T]) -> T:
        if self._closed:
            raise PermanentError("The event log is closed already.")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._run, work)

    def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        with translated(self._path):
            if self._connection is None:
                self._connection = open_database(self._path)
            return work(self._connection)

    def _close(self) -> None:
        if self._connection is not None:
            with translated(self._path):
                self._connection.close()
            self._connection = None


def _clock_ms() -> int:
    return time.time_ns() // 1_000_000


def _append(
    now_ms: Callable[[], int],
    records: Sequence[NewRecord],
    source: str | None,
    connection: sqlite3.Connection,
) -> int:
    if not records:
        return 0
    # Looked at before the transaction too: importing an old file again must not wait for writers.
    if source is not None and len(_unknown(connection, records, source)) == 0:
        return 0
    with transaction(connection):
        places = range(len(records)) if source is None else _unknown(connection, records, source)
        _insert(connection, [records[place] for place in places], now_ms())
        if source is not None:
            marks = [(source, place) for place in places]
            connection.executemany("INSERT INTO sources VALUES (?, ?)", marks)
    return len(places)


def _unknown(
    connection: sqlite3.Connection, records: Sequence[NewRecord], source: str
) -> Sequence[int]:
    query = "SELECT place FROM sources WHERE source = ? AND place < ?"
    known = {place for (place,) in connection.execute(query, (source, len(records)))}
    return [place for place in range(len(records)) if place not in known]


def _insert(connection: sqlite3.Connection, records: Sequence[NewRecord], now_ms: int) -> None:
    for record in records:
        topic, place = _next_place(connection, record.topic)
        value, packed = _packed(record.value)
        size = len(record.value or b"")
        headers = json.dumps([(name, content.hex()) for name, content in record.headers])
        connection.execute(
            "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (topic, place, record.key, value, size, packed, headers, now_ms),
        )


def _next_place(connection: sqlite3.Connection, topic: str) -> tuple[int, int]:
    connection.execute("INSERT OR IGNORE INTO topics (name, next) VALUES (?, 0)", (topic,))
    query = "UPDATE topics SET next = next + 1 WHERE name = ? RETURNING id, next - 1"
    found: tuple[int, int] = connection.execute(query, (topic,)).fetchone()
    return found


def _packed(value: bytes | None) -> tuple[bytes | None, int]:
    if value is None or len(value) < _PACK_FROM:
        return value, 0
    packed = zlib.compress(value, _PACK_LEVEL)
    return (packed, 1) if len(packed) < len(value) else (value, 0)


def _read(
    topic: str, start: int, limit: int, max_bytes: int, connection: sqlite3.Connection
) -> tuple[Record, ...]:
    query = (
        f"SELECT {_COLUMNS} FROM records "  # noqa: S608 - the columns are ours
        "WHERE topic = (SELECT id FROM topics WHERE name = ?) AND place >= ? ORDER BY place LIMIT ?"
    )
    taken: list[Record] = []
    total = 0
    rows = connection.execute(query, (topic, start, limit))
    for row in rows:
        total += row[3]
        if taken and total > max_bytes:
            break
        taken.append(_record(topic, row))
    rows.close()  # an unfinished statement would hold the snapshot and keep the WAL from shrinking
    return tuple(taken)


def _read_key(topic: str, key: bytes, connection: sqlite3.Connection) -> tuple[Record, ...]:
    query = (
        f"SELECT {_COLUMNS} FROM records "  # noqa: S608 - the columns are ours
        "WHERE topic = (SELECT id FROM topics WHERE name = ?) AND key = ? ORDER BY place"
    )
    return tuple(_record(topic, row) for row in connection.execute(query, (topic, key)))


def _record(topic: str, row: _Row) -> Record:
    place, key, stored, _, packed, headers, time_ms = row
    value = zlib.decompress(stored) if packed and stored is not None else stored
    pairs = tuple((name, bytes.fromhex(content)) for name, content in json.loads(headers))
    return Record(topic, place, key, value, pairs, time_ms)


def _end(topic: str, connection: sqlite3.Connection) -> int:
    found = connection.execute("SELECT next FROM topics WHERE name = ?", (topic,)).fetchone()
    return 0 if found is None else int(found[0])


def _position(group: str, topic: str, connection: sqlite3.Connection) -> int:
    query = "SELECT position FROM positions WHERE reader = ? AND topic = ?"
    found = connection.execute(query, (group, topic)).fetchone()
    return 0 if found is None else int(found[0])


def _advance(
    now_ms: Callable[[], int],
    reader: tuple[str, str],
    position: int,
    outputs: Sequence[NewRecord],
    connection: sqlite3.Connection,
) -> None:
    with transaction(connection):
        if position < _position(*reader, connection):
            return
        _insert(connection, outputs, now_ms())
        connection.execute(
            "INSERT INTO positions VALUES (?, ?, ?) "
            "ON CONFLICT DO UPDATE SET position = excluded.position",
            (*reader, position),
        )
