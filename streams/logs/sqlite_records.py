"""The rows of the local event log: how a record is read from one, and which cannot be."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Sequence
from typing import Any, Final

from contracts.ports import Record
from streams.logs.packing import unpacked, unpacked_headers

COLUMNS: Final = "place, key, value, size, packed, headers, time_ms"


def record_of_row(topic: str, row: Sequence[Any]) -> Record:
    """Return the record in a row of `COLUMNS`.

    Raises:
        DatabaseError, zlib.error: it is damaged.
    """
    place, key, stored, _, was_packed, headers, time_ms = row
    value = None if stored is None else unpacked(stored, was_packed)
    try:
        return Record(topic, place, key, value, unpacked_headers(headers), time_ms)
    except ValueError as error:
        raise sqlite3.DatabaseError(f"the headers of record {place} are none") from error


def faults(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Look at every page, and at every record whether it unpacks; return what is wrong."""
    told = (text for (text,) in connection.execute("PRAGMA integrity_check"))
    found = [f"the event log: {text}" for text in told if text != "ok"]
    query = (
        f"SELECT name, {COLUMNS} FROM records "  # noqa: S608 - the columns are ours
        "JOIN topics ON topics.id = records.topic ORDER BY topic, place"
    )
    for topic, *row in connection.execute(query):
        try:
            record_of_row(topic, row)
        except (zlib.error, sqlite3.DatabaseError):
            found.append(f"the event log: record {row[0]} of {topic} cannot be unpacked")
    return tuple(found)


def is_whole(table: str, row: tuple[Any, ...]) -> bool:
    """Say whether a row of a damaged file makes sense."""
    try:
        if table == "records":
            record_of_row("", row[1:])
    except (zlib.error, sqlite3.DatabaseError, TypeError):
        return False
    return True
