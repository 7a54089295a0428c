"""The database files of a home: opened, made, or refused, and emptied of what was deleted."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import stamina

from contracts.errors import PermanentError, TransientError

_BUSY_MS: Final = 30_000  # another process's append of a whole novel takes a second or two


@dataclass(frozen=True, slots=True)
class FileKind:
    """What a file of ours holds. `mark` tells it from other programs' and our other databases.

    `name` is what errors call it, as in "The event log ... cannot be used". `upgrades` hold by
    format the statements that lift a file from that format to the next.
    """

    name: str
    mark: int
    format: int
    tables: str
    upgrades: Mapping[int, str] = field(default_factory=dict)


def open_database(path: Path, kind: FileKind) -> sqlite3.Connection:
    """Open the file of `kind` at `path`, made if it is not there.

    Raises:
        sqlite3.Error: it cannot be opened.
        PermanentError: it is another program's, or of a newer format.
    """
    # SQLite answers "busy" at once, without waiting, to the second of two processes that turn a
    # new file to write-ahead logging together.
    for attempt in stamina.retry_context(
        on=_is_busy, attempts=None, timeout=_BUSY_MS / 1000, wait_initial=0.02, wait_max=0.5
    ):
        with attempt:
            return _open_database(path, kind)
    raise AssertionError  # the last attempt returns or raises


def _is_busy(error: Exception) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF == sqlite3.SQLITE_BUSY


def _open_database(path: Path, kind: FileKind) -> sqlite3.Connection:
    # Autocommit mode: transactions begin where this module says so, and nowhere else.
    connection = sqlite3.connect(
        path, timeout=_BUSY_MS / 1000, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        _ensure_tables(connection, path, kind)
    except BaseException:
        connection.close()
        raise
    return connection


def _ensure_tables(connection: sqlite3.Connection, path: Path, kind: FileKind) -> None:
    # Outside the write lock another process may be making the tables: only a yes is certain there.
    if _format_of(connection, path, kind) == kind.format:
        return
    with transaction(connection):
        found = _format_of(connection, path, kind)
        if found is not None:
            for number in range(found, kind.format):
                _run(connection, kind.upgrades[number])
            connection.execute(f"PRAGMA user_version={kind.format}")
            return
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise PermanentError(
                f"{path} is a database of another program: give storygraft another --home."
            )
        _run(connection, kind.tables)
        connection.execute(f"PRAGMA application_id={kind.mark}")
        connection.execute(f"PRAGMA user_version={kind.format}")


def _run(connection: sqlite3.Connection, statements: str) -> None:
    for statement in statements.split(";"):  # not `executescript`, which commits
        connection.execute(statement)


def _format_of(connection: sqlite3.Connection, path: Path, kind: FileKind) -> int | None:
    """Return the format of a file that bears our mark, which is committed with the tables.

    Raises:
        PermanentError: the format is a newer one.
    """
    if connection.execute("PRAGMA application_id").fetchone()[0] != kind.mark:
        return None
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > kind.format:
        raise PermanentError(
            f"The {kind.name} {path} has format {version}, this program knows {kind.format}: "
            "use the newer storygraft that wrote it."
        )
    return version


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Take the write lock first, so that what is read inside cannot change; commit or roll back."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # SQLite has ended the transaction itself after some errors (a full disk).
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def scrub(connection: sqlite3.Connection) -> None:
    """Have the file, and the log beside it, hold no byte of what was deleted or replaced.

    Whoever deletes must have had `secure_delete` on, or VACUUM may copy freed pages' remains.
    """
    connection.execute("PRAGMA secure_delete=ON")
    connection.execute("VACUUM")
    busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    if busy:
        raise TransientError(
            "Another process reads the database, so what was deleted is still in its journal: "
            "end it, then run the command again."
        )
