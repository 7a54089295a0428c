"""What can still be read of a damaged event log, in a new file at its place.

The damaged file is kept beside it. Nothing is changed before the new file is whole, and then one
rename changes it all.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from contracts.errors import PermanentError
from streams.durable_files import settle_file
from streams.logs.sqlite_database import FileKind, open_database, transaction

_HEADER: Final = 100  # bytes: what a file of the kind and page size begins with
_CHANGES: Final = slice(24, 28)
_VALID_FOR: Final = slice(92, 96)
_ROWS_AT_ONCE: Final = 256
_ROWS_A_PAGE: Final = 100  # more than any page holds of ours


IsWhole = Callable[[str, tuple[Any, ...]], bool]
"""Says of a table's row whether it makes sense."""


@dataclass(frozen=True, slots=True)
class Salvaged:
    """How many rows the new file has, how many places of the old one gave none, where that is."""

    rows: int
    holes: int
    kept: Path


def salvage(path: Path, kind: FileKind, is_whole: IsWhole) -> Salvaged:
    """Put a file of `kind` at `path` that holds what can be read of the one which is there.

    Rows of a table that are not `is_whole` are left out. Nobody may have the file open.

    Raises:
        PermanentError: nothing can be read of it.
        OSError: there is no room for another file, or no right to write one.
    """
    work = path.with_name(path.name + ".work")
    fresh = path.with_name(path.name + ".new")
    for leftover in (work, fresh):
        _remove(leftover)
    _copy(path, work)
    try:
        rows, holes = _copied(work, fresh, kind, is_whole)
    except BaseException:
        _remove(fresh)
        raise
    finally:
        _remove(work)
    kept = _free_name(path)
    _copy(path, kept)
    settle_file(fresh)
    for journal in _journals(path):
        journal.unlink(missing_ok=True)
    fresh.replace(path)
    return Salvaged(rows, holes, kept)


def _copied(source: Path, target: Path, kind: FileKind, is_whole: IsWhole) -> tuple[int, int]:
    with closing(open_database(target, kind)) as new:
        if not _is_ours(source, new):
            _give_header(source, new)
        if not _is_ours(source, new):
            raise PermanentError(
                f"Nothing can be read of the {kind.name}: restore it from a copy, or use another "
                "--home."
            )
        rows = holes = 0
        with closing(sqlite3.connect(source)) as old, transaction(new):
            for table in _tables(new):
                read, missed = _copy_table(old, new, table, is_whole)
                rows, holes = rows + read, holes + missed
            _number_topics(old, new)
        new.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return rows, holes


def _is_ours(source: Path, new: sqlite3.Connection) -> bool:
    try:
        with closing(sqlite3.connect(source)) as old:
            return set(_tables(new)) <= set(_tables(old))
    except sqlite3.Error:
        return False


def _tables(connection: sqlite3.Connection) -> list[str]:
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    return [name for (name,) in found]


def _give_header(source: Path, new: sqlite3.Connection) -> None:
    """Write the header of a file like it; SQLite then takes the number of pages from its size."""
    new.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    (_, _, file), *_ = new.execute("PRAGMA database_list").fetchall()
    header = bytearray(Path(file).read_bytes()[:_HEADER])
    header[_CHANGES], header[_VALID_FOR] = bytes((0, 0, 0, 2)), bytes((0, 0, 0, 1))
    header[32:40] = bytes(8)  # no free pages: what lies there is not looked for
    with source.open("r+b") as file_:
        file_.write(header)


def _number_topics(old: sqlite3.Connection, new: sqlite3.Connection) -> None:
    """Name topics whose rows are lost by the index of their names; none gives an offset twice."""
    names = "SELECT id, name FROM topics INDEXED BY sqlite_autoindex_topics_1"
    with suppress(sqlite3.DatabaseError):
        found = old.execute(names).fetchall()
        new.executemany("INSERT OR IGNORE INTO topics (id, name, next) VALUES (?, ?, 0)", found)
    new.execute("DELETE FROM records WHERE topic NOT IN (SELECT id FROM topics)")
    new.execute(
        "UPDATE topics SET next = max(next, coalesce("
        "(SELECT max(place) + 1 FROM records WHERE topic = topics.id), 0))"
    )


def _copy_table(
    old: sqlite3.Connection, new: sqlite3.Connection, table: str, is_whole: IsWhole
) -> tuple[int, int]:
    columns = [name for _, name, *_ in new.execute(f"PRAGMA table_info({table})")]
    marks = ", ".join("?" * len(columns))
    insert = f"INSERT OR IGNORE INTO {table} VALUES ({marks})"  # noqa: S608 - names are ours
    reading = _Reading(old, table, ", ".join(columns))
    rows = 0
    for row in reading.numbered() if _is_numbered(new, table) else reading.unnumbered():
        if is_whole(table, row):
            rows += new.execute(insert, row).rowcount
        else:
            reading.holes += 1
    return rows, reading.holes


def _is_numbered(connection: sqlite3.Connection, table: str) -> bool:
    """Say whether rows have ids of their own, by which a part of them can be asked for."""
    try:
        connection.execute(f"SELECT rowid FROM {table} LIMIT 0")  # noqa: S608
    except sqlite3.OperationalError:
        return False
    return True


@dataclass(slots=True)
class _Reading:
    """Reads a table around what cannot be read of it."""

    connection: sqlite3.Connection
    table: str
    columns: str
    holes: int = 0

    def numbered(self) -> Iterator[tuple[Any, ...]]:
        """Yield every row that can be read of a table whose rows have ids."""
        yield from self._between(1, self._last())

    def unnumbered(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a table without row ids, up to the first that cannot be read."""
        try:
            yield from self._read("", ())
        except sqlite3.DatabaseError:
            self.holes += 1

    def _last(self) -> int:
        with suppress(sqlite3.DatabaseError):
            query = f"SELECT max(rowid) FROM {self.table}"  # noqa: S608
            return int(self.connection.execute(query).fetchone()[0] or 0)
        pages = int(self.connection.execute("PRAGMA page_count").fetchone()[0])
        return pages * _ROWS_A_PAGE

    def _between(self, first: int, last: int) -> Iterator[tuple[Any, ...]]:
        for start in range(first, last + 1, _ROWS_AT_ONCE):
            yield from self._around(start, min(start + _ROWS_AT_ONCE - 1, last))

    def _around(self, first: int, last: int) -> Iterator[tuple[Any, ...]]:
        """Yield the rows `first` to `last`, halving the range where it cannot be read as one."""
        try:
            found = list(self._read("WHERE rowid BETWEEN ? AND ?", (first, last)))
        except sqlite3.DatabaseError:
            if first == last:
                self.holes += 1
                return
            middle = (first + last) // 2
            yield from self._around(first, middle)
            yield from self._around(middle + 1, last)
            return
        yield from found

    def _read(self, where: str, values: tuple[int, ...]) -> Iterator[tuple[Any, ...]]:
        query = f"SELECT {self.columns} FROM {self.table} {where}"  # noqa: S608
        yield from self.connection.execute(query, values)


def _copy(path: Path, to: Path) -> None:
    for source in (path, *_journals(path)):
        if source.exists():
            shutil.copy2(source, to.with_name(to.name + source.name.removeprefix(path.name)))


def _journals(path: Path) -> tuple[Path, Path]:
    return path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")


def _remove(path: Path) -> None:
    for each in (path, *_journals(path)):
        each.unlink(missing_ok=True)


def _free_name(path: Path) -> Path:
    nth = 1
    while (name := path.with_name(f"{path.name}.damaged-{nth}")).exists():
        nth += 1
    return name
