"""The memo's ledger in SQLite: a sum a day and a sum a work, kept in the transaction of the put."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Final

from contracts.ids import Generation
from contracts.memo import MemoEntry
from contracts.spending import Payment, SpentOnDay, SpentOnWork

TABLES: Final = """
CREATE TABLE spent_days (
    generation TEXT, day TEXT, purpose TEXT, calls INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, took_ms INTEGER NOT NULL,
    PRIMARY KEY (generation, day, purpose)
) WITHOUT ROWID;
CREATE TABLE spent_works (
    generation TEXT, work TEXT, purpose TEXT, calls INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, took_ms INTEGER NOT NULL,
    PRIMARY KEY (generation, work, purpose)
) WITHOUT ROWID;
CREATE INDEX spent_works_by_work ON spent_works (work);
CREATE TABLE paid_again (
    key TEXT, generation TEXT, at_ms INTEGER, took_ms INTEGER,
    PRIMARY KEY (key, generation, at_ms, took_ms)
) WITHOUT ROWID
"""
"""`paid_again` has the payments for answers that another's answer to the same call kept out."""

_ADD: Final = (
    "ON CONFLICT DO UPDATE SET calls = calls + 1, input_tokens = input_tokens + "
    "excluded.input_tokens, output_tokens = output_tokens + excluded.output_tokens, "
    "took_ms = took_ms + excluded.took_ms"
)
_SUMS: Final = ("purpose", "calls", "input_tokens", "output_tokens", "took_ms")


def enter(
    connection: sqlite3.Connection, entry: MemoEntry, stored: Payment | None, *, new: bool
) -> None:
    """Enter what was paid for `entry`, unless that was done.

    `stored` is the payment of the answer that the memo has, `new` whether it is this one.
    """
    if entry.paid is None or (entry.paid == stored and not new):
        return
    paid = entry.paid
    if not new:
        again = (entry.asked.key, paid.generation, paid.at_ms, paid.took_ms)
        added = connection.execute("INSERT OR IGNORE INTO paid_again VALUES (?, ?, ?, ?)", again)
        if not added.rowcount:
            return
    purpose = entry.asked.purpose
    sums = (1, entry.input_tokens, entry.output_tokens, paid.took_ms)
    for table, of in (("spent_days", paid.day), ("spent_works", entry.charged)):
        connection.execute(
            f"INSERT INTO {table} VALUES (?, ?, ?, ?, ?, ?, ?) {_ADD}",  # noqa: S608 - our names
            (paid.generation, of, purpose, *sums),
        )


def by_day(generation: Generation | None, connection: sqlite3.Connection) -> list[SpentOnDay]:
    """Return the sums of each day."""
    rows = _rows(connection, "spent_days", "day", {"generation": generation})
    names = ("generation", "day", *_SUMS)
    return [SpentOnDay.model_validate(dict(zip(names, row, strict=True))) for row in rows]


def by_work(
    generation: Generation | None, work_id: str | None, connection: sqlite3.Connection
) -> list[SpentOnWork]:
    """Return the sums of one work, or of each."""
    wanted = {"generation": generation, "work": work_id}
    rows = _rows(connection, "spent_works", "work", wanted)
    names = ("generation", "work_id", *_SUMS)
    return [SpentOnWork.model_validate(dict(zip(names, row, strict=True))) for row in rows]


def _rows(
    connection: sqlite3.Connection, table: str, of: str, wanted: Mapping[str, str | None]
) -> sqlite3.Cursor:
    """Return the sums whose columns have the wanted values; None wants any."""
    told = {column: value for column, value in wanted.items() if value is not None}
    where = " AND ".join(f"{column} = ?" for column in told) or "TRUE"
    query = (
        f"SELECT generation, {of}, {', '.join(_SUMS)} FROM {table} "  # noqa: S608 - our names
        f"WHERE {where} ORDER BY generation, {of}, purpose"
    )
    return connection.execute(query, tuple(told.values()))
