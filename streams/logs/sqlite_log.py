"""The local event log: one SQLite file, safe among threads, tasks and processes.

Every call runs on one thread that owns the connection, so calls of one log never interleave;
other processes are kept apart by SQLite's own locks. A call that returned is on the disk.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from contracts import clock
from contracts.errors import TransientError
from contracts.ports import NewRecord, Record, Standing
from streams.logs.packing import packed, packed_headers
from streams.logs.sqlite_database import FileKind, scrub, transaction
from streams.logs.sqlite_file import SqliteFile
from streams.logs.sqlite_records import COLUMNS, faults, is_whole, record_of_row
from streams.logs.sqlite_rewriting import Rewrite, rewrite
from streams.logs.sqlite_salvage import Salvaged, salvage

EVENT_LOG: Final = FileKind(
    name="event log",
    mark=0x53474C47,  # "SGLG"
    format=1,
    tables="""
CREATE TABLE topics (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, next INTEGER NOT NULL);
CREATE TABLE records (
    topic INTEGER NOT NULL, place INTEGER NOT NULL, key BLOB, value BLOB, size INTEGER NOT NULL,
    packed INTEGER NOT NULL, headers TEXT NOT NULL, time_ms INTEGER NOT NULL,
    UNIQUE (topic, place)
);
CREATE INDEX records_by_key ON records (topic, key, place);
CREATE TABLE sources (source TEXT, place INTEGER, PRIMARY KEY (source, place)) WITHOUT ROWID;
CREATE TABLE positions (
    reader TEXT, topic TEXT, position INTEGER NOT NULL, PRIMARY KEY (reader, topic)
) WITHOUT ROWID;
""",
)

_NO_LIMIT: Final = -1
_SPAN: Final = 64  # records read at once of a longer range
_SPAN_BYTES: Final = 16_000_000


class SqliteEventLog:
    """`contracts.ports.EventLog` on the file `path`, made at the first call if it is not there.

    `:memory:` as path gives a log that ends with the object. `now_ms` stamps new records.
    """

    def __init__(self, path: Path, now_ms: Callable[[], int] = clock.now_ms) -> None:
        self._file = SqliteFile(path, EVENT_LOG)
        self._now_ms = now_ms

    async def append(self, records: Sequence[NewRecord]) -> int:
        """See `EventLog.append`."""
        return await self._file.call(partial(_append, self._now_ms, records))

    async def read(self, topic: str, start: int, limit: int, max_bytes: int) -> tuple[Record, ...]:
        """See `EventLog.read`."""
        return await self._file.call(partial(_read, topic, start, limit, max_bytes))

    async def read_key(self, topic: str, key: bytes) -> tuple[Record, ...]:
        """See `EventLog.read_key`."""
        return await self._file.call(partial(_read_key, topic, key))

    async def record_at(self, topic: str, key: bytes, offset: int) -> Record | None:
        """See `EventLog.record_at`."""
        found = await self._file.call(partial(_read_key, topic, key, start=offset, limit=1))
        return found[0] if found and found[0].offset == offset else None

    async def span(
        self,
        topic: str,
        partition: int,  # noqa: ARG002 - there is one
        start: int,
        end: int,
    ) -> AsyncGenerator[Record, None]:
        """See `EventLog.span`."""
        while start < end:
            records = await self.read(topic, start, _SPAN, _SPAN_BYTES)
            for record in records:
                if record.offset < end:
                    yield record
            start = records[-1].offset + 1 if records else end

    async def end(self, topic: str) -> int:
        """See `EventLog.end`."""
        return await self._file.call(partial(_end, topic))

    async def ends(self, topic: str) -> tuple[int, ...]:
        """See `EventLog.ends`: a local log has one partition."""
        end = await self.end(topic)
        return (end,) if end else ()

    async def position(self, group: str, topic: str) -> int:
        """See `EventLog.position`."""
        return await self._file.call(partial(_position, group, topic))

    async def standing(self, group: str, topic: str) -> tuple[Standing, ...]:
        """See `EventLog.standing`: a local log has one partition."""
        at, end = await self.position(group, topic), await self.end(topic)
        return (Standing(0, at, end),)

    async def advance(
        self, group: str, topic: str, position: int, outputs: Sequence[NewRecord]
    ) -> None:
        """See `EventLog.advance`."""
        await self._file.call(partial(_advance, self._now_ms, (group, topic), position, outputs))

    async def begin(self, group: str, topic: str, positions: Mapping[int, int]) -> None:
        """See `EventLog.begin`."""
        for position in positions.values():
            await self.advance(group, topic, position, ())

    async def remove(self, topics: Collection[str], groups: Collection[str]) -> None:
        """See `EventLog.remove`: no other process runs stages on a local log."""
        await self._file.call(partial(_remove, topics, groups))

    async def faults(self) -> tuple[str, ...]:
        """See `EventLog.faults`."""
        return await self._file.call(faults)

    async def salvaged(self) -> Salvaged:
        """Go on with a new file that holds what can be read of a damaged one, which is kept.

        Raises:
            TransientError: there is no room for it.
            PermanentError: nothing can be read.
        """
        try:
            return await self._file.closed_for(partial(salvage, kind=EVENT_LOG, is_whole=is_whole))
        except OSError as error:
            raise TransientError(
                f"The event log cannot be written anew: {error.strerror}; free some space, then "
                "repair again."
            ) from error

    async def reserve(self, topic: str, offset: int) -> None:
        """Give the records of `topic` offsets from `offset` on, if it has fewer so far."""
        await self._file.call(partial(_reserve, topic, offset))

    async def topics(self) -> tuple[str, ...]:
        """Return the names of all topics that ever had a record."""
        return await self._file.call(_topics)

    async def rewrite(self, rewrites: Sequence[Rewrite]) -> None:
        """Put the values of `rewrites` in place of those that stand there, all or none.

        Afterwards the file holds no byte of what stood there. Offsets stay as they are.

        Raises:
            TransientError: another process reads the log; what was rewritten stays so.
        """
        await self._file.call(partial(rewrite, rewrites))
        await self._file.call(scrub)

    async def close(self) -> None:
        """See `EventLog.close`."""
        await self._file.close()


def _append(
    now_ms: Callable[[], int],
    records: Sequence[NewRecord],
    connection: sqlite3.Connection,
) -> int:
    # Looked at before the transaction too: importing an old file again must not wait for writers.
    if not _unknown(connection, records):
        return 0
    with transaction(connection):
        new = _unknown(connection, records)
        _insert(connection, new, now_ms())
        marks = [(record.source, 0) for record in new if record.source is not None]
        connection.executemany("INSERT INTO sources VALUES (?, ?)", marks)
    return len(new)


def _unknown(connection: sqlite3.Connection, records: Sequence[NewRecord]) -> list[NewRecord]:
    """Return the records without a source, and the first of each source that is not known."""
    query = "SELECT 1 FROM sources WHERE source = ? AND place = 0"
    new: list[NewRecord] = []
    seen: set[str] = set()
    for record in records:
        if record.source is not None:
            known = record.source in seen or connection.execute(query, (record.source,)).fetchone()
            if known:
                continue
            seen.add(record.source)
        new.append(record)
    return new


def _insert(connection: sqlite3.Connection, records: Sequence[NewRecord], now_ms: int) -> None:
    for record in records:
        topic, place = _next_place(connection, record.topic)
        value, was_packed = (None, 0) if record.value is None else packed(record.value)
        size = len(record.value or b"")
        headers = packed_headers(record.headers)
        connection.execute(
            "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (topic, place, record.key, value, size, was_packed, headers, now_ms),
        )


def _topics(connection: sqlite3.Connection) -> tuple[str, ...]:
    return tuple(name for (name,) in connection.execute("SELECT name FROM topics ORDER BY name"))


def _next_place(connection: sqlite3.Connection, topic: str) -> tuple[int, int]:
    connection.execute("INSERT OR IGNORE INTO topics (name, next) VALUES (?, 0)", (topic,))
    query = "UPDATE topics SET next = next + 1 WHERE name = ? RETURNING id, next - 1"
    found: tuple[int, int] = connection.execute(query, (topic,)).fetchone()
    return found


def _read(
    topic: str, start: int, limit: int, max_bytes: int, connection: sqlite3.Connection
) -> tuple[Record, ...]:
    query = (
        f"SELECT {COLUMNS} FROM records "  # noqa: S608 - the columns are ours
        "WHERE topic = (SELECT id FROM topics WHERE name = ?) AND place >= ? ORDER BY place LIMIT ?"
    )
    taken: list[Record] = []
    total = 0
    rows = connection.execute(query, (topic, start, limit))
    for row in rows:
        total += row[3]
        if taken and total > max_bytes:
            break
        taken.append(record_of_row(topic, row))
    rows.close()  # an unfinished statement would hold the snapshot and keep the WAL from shrinking
    return tuple(taken)


def _read_key(
    topic: str,
    key: bytes,
    connection: sqlite3.Connection,
    start: int = 0,
    limit: int = _NO_LIMIT,
) -> tuple[Record, ...]:
    query = (
        f"SELECT {COLUMNS} FROM records "  # noqa: S608 - the columns are ours
        "WHERE topic = (SELECT id FROM topics WHERE name = ?) AND key = ? AND place >= ? "
        "ORDER BY place LIMIT ?"
    )
    rows = connection.execute(query, (topic, key, start, limit))
    return tuple([record_of_row(topic, row) for row in rows])


def _reserve(topic: str, offset: int, connection: sqlite3.Connection) -> None:
    with transaction(connection):
        connection.execute("INSERT OR IGNORE INTO topics (name, next) VALUES (?, 0)", (topic,))
        query = "UPDATE topics SET next = max(next, ?) WHERE name = ?"
        connection.execute(query, (offset, topic))


def _end(topic: str, connection: sqlite3.Connection) -> int:
    found = connection.execute("SELECT next FROM topics WHERE name = ?", (topic,)).fetchone()
    return 0 if found is None else int(found[0])


def _position(group: str, topic: str, connection: sqlite3.Connection) -> int:
    query = "SELECT position FROM positions WHERE reader = ? AND topic = ?"
    found = connection.execute(query, (group, topic)).fetchone()
    return 0 if found is None else int(found[0])


def _remove(
    topics: Collection[str], groups: Collection[str], connection: sqlite3.Connection
) -> None:
    with transaction(connection):
        for topic in sorted(topics):
            query = "DELETE FROM records WHERE topic = (SELECT id FROM topics WHERE name = ?)"
            connection.execute(query, (topic,))
            connection.execute("DELETE FROM topics WHERE name = ?", (topic,))
        for group in sorted(groups):
            connection.execute("DELETE FROM positions WHERE reader = ?", (group,))


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
