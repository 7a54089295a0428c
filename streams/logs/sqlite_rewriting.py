"""Records of the event log, replaced where they stand: the one thing that changes the past."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from streams.logs.packing import packed, packed_headers
from streams.logs.sqlite_database import transaction


@dataclass(frozen=True, slots=True)
class Rewrite:
    """What is to stand at an offset: `value` under `headers`, or with None nothing at all."""

    topic: str
    offset: int
    value: bytes | None
    headers: tuple[tuple[str, bytes], ...] = ()


def rewrite(rewrites: Sequence[Rewrite], connection: sqlite3.Connection) -> None:
    """Carry out `rewrites` in one transaction; what stood there is overwritten with zeros."""
    connection.execute("PRAGMA secure_delete=ON")
    of_topic = "topic = (SELECT id FROM topics WHERE name = ?) AND place = ?"
    with transaction(connection):
        for each in rewrites:
            place = (each.topic, each.offset)
            if each.value is None:
                connection.execute(f"DELETE FROM records WHERE {of_topic}", place)  # noqa: S608
                continue
            value, was_packed = packed(each.value)
            connection.execute(
                "UPDATE records SET value = ?, packed = ?, size = ?, headers = ? "  # noqa: S608
                f"WHERE {of_topic}",
                (value, was_packed, len(each.value), packed_headers(each.headers), *place),
            )
