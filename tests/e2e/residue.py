"""Looks for words in every byte of a home, packed or not: what a purge must not have left.

Files are read as they lie, and so are the zlib streams within them, also those that no table and
no node names any more. Packed pages of Milvus Lite are read through pyarrow, the graph through
Bolt, the databases through SQLite.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from neo4j import GraphDatabase
from platformdirs import user_cache_path

from graph.arcade_process import ArcadeProcess

_ZLIB_HEADERS = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")
_LONGEST = 2**22


@dataclass(slots=True)
class Found:
    """Where each word was found, as "part of the home: how it was read"."""

    words: Collection[str]
    places: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def look(self, place: str, data: bytes) -> None:
        lower = data.lower()
        for word in self.words:
            if word.lower().encode() in lower:
                self.places[place].add(word)

    def missing(self, place: str) -> list[str]:
        """Return the words that are not there."""
        return sorted(set(self.words) - self.places.get(place, set()))


def scan(home: Path, words: Collection[str], *, ask_graph: bool = True) -> Found:
    """Look for `words` in a home that nobody has open, in any case of letters.

    To ask the graph starts its server; without, its files are read all the same.
    """
    found = Found(words)
    for path in (each for each in sorted(home.rglob("*")) if each.is_file()):
        part = path.relative_to(home).parts[0]
        data = path.read_bytes()
        found.look(f"{part}: bytes", data)
        for inflated in _inflated(data):
            found.look(f"{part}: zlib", inflated)
        if path.suffix == ".parquet":
            _look_at_columns(found, part, path)
    for path in home.glob("*.sqlite"):
        _look_at_cells(found, path)
    if ask_graph:
        _look_at_graph(found, home / "graph")
    return found


def _inflated(data: bytes) -> Iterator[bytes]:
    """Yield whatever unpacks, from every place at which a zlib stream may begin."""
    for header in _ZLIB_HEADERS:
        at = data.find(header)
        while at >= 0:
            try:
                yield zlib.decompressobj().decompress(data[at : at + _LONGEST], _LONGEST)
            except zlib.error:
                yield from _begun(data[at : at + _LONGEST])
            at = data.find(header, at + 1)


def _begun(data: bytes) -> Iterator[bytes]:
    """Yield what unpacks of a stream that is cut short or overwritten in the middle."""
    unpacker, out = zlib.decompressobj(), b""
    try:
        for start in range(0, len(data), 64):
            out += unpacker.decompress(data[start : start + 64])
    except zlib.error:
        pass
    if out:
        yield out


def _look_at_columns(found: Found, part: str, path: Path) -> None:
    table = pq.read_table(path)
    for column in table.columns:
        for value in column.to_pylist():
            _look_at_value(found, f"{part}: columns", value)


def _look_at_cells(found: Found, path: Path) -> None:
    connection = sqlite3.connect(path)
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    for (name,) in names:
        for row in connection.execute(f"SELECT * FROM {name}"):  # noqa: S608 - a test's own file
            _look_at_value(found, f"{path.name}: cells", list(row))
    connection.close()


def _look_at_graph(found: Found, folder: Path) -> None:
    with ArcadeProcess(folder, startup_cache=user_cache_path("storygraft")) as server:
        address = server.start()
        look_at_server(found, address.uri, (address.user, address.password), address.database)


def look_at_server(
    found: Found, uri: str, auth: tuple[str, str] | None, database: str | None
) -> None:
    """Look at every property of every node and relationship of a graph server."""
    with GraphDatabase.driver(uri, auth=auth) as driver:
        for statement in ("MATCH (x) RETURN x", "MATCH ()-[x]->() RETURN x"):
            records, _, _ = driver.execute_query(statement, database_=database)
            for record in records:
                _look_at_value(found, "graph: properties", dict(record["x"]))


def _look_at_value(found: Found, place: str, value: Any) -> None:
    match value:
        case str():
            found.look(place, value.encode("utf-8", "surrogatepass"))
        case bytes() | bytearray() | memoryview():
            data = bytes(value)
            found.look(place, data)
            for inflated in _inflated(data):
                found.look(place, inflated)
        case Mapping():
            for key, each in value.items():
                _look_at_value(found, place, key)
                _look_at_value(found, place, each)
        case list() | tuple():
            for each in value:
                _look_at_value(found, place, each)
        case _:
            pass
