"""The local memo: one SQLite file of compressed answers, safe among tasks and processes."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import Final

from contracts.claims import Claims
from contracts.ids import ChapterId, Generation, WorkId
from contracts.memo import Asked, MemoEntry, Source, answer_bytes
from contracts.spending import Payment, SpentOnDay, SpentOnWork
from streams.logs import sqlite_ledger
from streams.logs.packing import packed, unpacked
from streams.logs.sqlite_database import FileKind, scrub, transaction
from streams.logs.sqlite_file import SqliteFile

MEMO: Final = FileKind(
    name="memo",
    mark=0x53474D4D,  # "SGMM"
    format=2,
    tables=f"""
CREATE TABLE answers (
    key TEXT PRIMARY KEY, asked BLOB NOT NULL, answer BLOB NOT NULL, packed INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
    generation TEXT, paid_ms INTEGER, took_ms INTEGER
);
CREATE TABLE sources (
    work TEXT, chapter TEXT, key TEXT, PRIMARY KEY (work, chapter, key)
) WITHOUT ROWID;
CREATE INDEX sources_by_key ON sources (key);
{sqlite_ledger.TABLES}
""",
    upgrades={
        1: f"""
ALTER TABLE answers ADD COLUMN generation TEXT;
ALTER TABLE answers ADD COLUMN paid_ms INTEGER;
ALTER TABLE answers ADD COLUMN took_ms INTEGER;
{sqlite_ledger.TABLES}
"""
    },
)


class SqliteMemo:
    """`contracts.ports.Memo` on the file `path`, which the first put makes."""

    def __init__(self, path: Path) -> None:
        self._folder = path.parent
        self._file = SqliteFile(path, MEMO)
        # Not in the file: one process at a time has a home, and what it claimed ends with it.
        self._claims = Claims()

    async def get(self, asked: Asked) -> MemoEntry | None:
        """See `Memo.get`."""
        if not self._file.exists:
            return None
        return await self._file.call(partial(_get, asked.key))

    async def claim(self, asked: Asked, by: str, seconds: float) -> bool:
        """See `Memo.claim`; of those that use this object."""
        if not self._claims.claim(asked.key, by, seconds):
            return False
        if await self.get(asked) is None:
            return True
        self._claims.release(asked.key, by)
        return False

    async def release(self, asked: Asked, by: str) -> None:
        """See `Memo.release`."""
        self._claims.release(asked.key, by)

    async def put_if_absent(self, entry: MemoEntry) -> MemoEntry:
        """See `Memo.put_if_absent`."""
        row = _row(entry)
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return await self._file.call(partial(_put, row, entry))

    async def of_work(self, work_id: WorkId) -> tuple[MemoEntry, ...]:
        """See `Memo.of_work`."""
        if not self._file.exists:
            return ()
        return await self._file.call(partial(_of_work, work_id))

    async def forget(self, work_id: WorkId, chapter_ids: Collection[ChapterId] | None) -> int:
        """See `Memo.forget`."""
        if not self._file.exists:
            return 0
        return await self._file.call(partial(_forget, work_id, chapter_ids))

    async def spent_by_day(self, generation: Generation | None) -> tuple[SpentOnDay, ...]:
        """See `Memo.spent_by_day`."""
        if not self._file.exists:
            return ()
        return tuple(await self._file.call(partial(sqlite_ledger.by_day, generation)))

    async def spent_by_work(
        self, generation: Generation | None, work_id: WorkId | None
    ) -> tuple[SpentOnWork, ...]:
        """See `Memo.spent_by_work`."""
        if not self._file.exists:
            return ()
        return tuple(await self._file.call(partial(sqlite_ledger.by_work, generation, work_id)))

    async def scrub(self) -> None:
        """Have the file hold no byte of what was forgotten.

        Raises:
            TransientError: another process reads it.
        """
        if self._file.exists:
            await self._file.call(scrub)

    async def close(self) -> None:
        """See `Memo.close`."""
        await self._file.close()


_Row = tuple[str, bytes, bytes, int, int, int, str | None, int | None, int | None]


def _row(entry: MemoEntry) -> _Row:
    answer, was_packed = packed(answer_bytes(entry.answer))
    paid = entry.paid
    return (
        *(entry.asked.key, entry.asked.to_json(), answer, was_packed),
        *(entry.input_tokens, entry.output_tokens),
        *((paid.generation, paid.at_ms, paid.took_ms) if paid else (None, None, None)),
    )


def _get(key: str, connection: sqlite3.Connection) -> MemoEntry | None:
    # One statement, and so one state, though another process may write.
    query = (
        "SELECT asked, answer, packed, input_tokens, output_tokens, generation, paid_ms, took_ms, "
        "work, chapter "
        "FROM answers LEFT JOIN sources USING (key) WHERE key = ? ORDER BY work, chapter"
    )
    found = connection.execute(query, (key,)).fetchall()
    if not found:
        return None
    first = found[0]
    asked, answer, was_packed, input_tokens, output_tokens = first[:5]
    generation, at_ms, took_ms = first[5:8]
    paid = {"generation": generation, "at_ms": at_ms, "took_ms": took_ms}
    return MemoEntry(
        asked=Asked.model_validate_json(asked),
        answer=unpacked(answer, was_packed).decode(),
        sources=tuple(
            Source(work_id=WorkId(work), chapter_id=ChapterId(chapter))
            for *_, work, chapter in found
            if work is not None
        ),
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        paid=None if at_ms is None else Payment.model_validate(paid),
    )


def _put(row: _Row, entry: MemoEntry, connection: sqlite3.Connection) -> MemoEntry:
    key = row[0]
    with transaction(connection):
        added = connection.execute(
            "INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row
        )
        connection.executemany(
            "INSERT OR IGNORE INTO sources VALUES (?, ?, ?)",
            [(source.work_id, source.chapter_id, key) for source in entry.sources],
        )
        stored = _get(key, connection)
        if stored is None:
            raise sqlite3.DatabaseError("an answer that was just stored is not there")
        sqlite_ledger.enter(connection, entry, stored.paid, new=bool(added.rowcount))
    return stored


def _of_work(work_id: WorkId, connection: sqlite3.Connection) -> tuple[MemoEntry, ...]:
    query = "SELECT DISTINCT key FROM sources WHERE work = ? ORDER BY key"
    keys = [key for (key,) in connection.execute(query, (work_id,)).fetchall()]
    entries = (_get(key, connection) for key in keys)
    return tuple(entry for entry in entries if entry is not None)


def _forget(
    work_id: WorkId, chapter_ids: Collection[ChapterId] | None, connection: sqlite3.Connection
) -> int:
    connection.execute("PRAGMA secure_delete=ON")
    with transaction(connection):
        keys = sorted(_drawn_on(work_id, chapter_ids, connection))
        parameters = [(key,) for key in keys]
        deleted = connection.executemany("DELETE FROM answers WHERE key = ?", parameters).rowcount
        connection.executemany("DELETE FROM sources WHERE key = ?", parameters)
        connection.executemany("DELETE FROM paid_again WHERE key = ?", parameters)
    return max(deleted, 0)  # -1 when there was nothing to run


def _drawn_on(
    work_id: WorkId, chapter_ids: Collection[ChapterId] | None, connection: sqlite3.Connection
) -> set[str]:
    query = "SELECT key, chapter FROM sources WHERE work = ?"
    wanted = None if chapter_ids is None else set(chapter_ids)
    return {
        key
        for key, chapter in connection.execute(query, (work_id,))
        if wanted is None or chapter in wanted
    }
