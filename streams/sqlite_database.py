"""The database file of the event log: opened, made, or refused."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import stamina

from contracts.errors import PermanentError

_FORMAT: Final = 1
_APPLICATION: Final = 0x53474C47  # "SGLG": tells our files from other programs' databases
_BUSY_MS: Final = 30_000  # another process's append of a whole novel takes a second or two

_TABLES: Final = """
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
"""


def open_database(path: Path) -> sqlite3.Connection:
    """Open the log at `path`, made if it is not there.

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
            return _open_database(path)
    raise AssertionError  # the last attempt returns or raises


def _is_busy(error: Exception) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF == sqlite3.SQLITE_BUSY


def _open_database(path: Path) -> sqlite3.Connection:
    # Autocommit mode: transactions begin where this module says so, and nowhere else.
    connection = sqlite3.connect(
        path, timeout=_BUSY_MS / 1000, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        _ensure_tables(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _ensure_tables(connection: sqlite3.Connection, path: Path) -> None:
    # Outside the write lock another process may be making the tables: only a yes is certain there.
    if _is_marked(connection, path):
        return
    with transaction(connection):
        if _is_marked(connection, path):
            return
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise PermanentError(
                f"{path} is a database of another program: give storygraft another --home."
            )
        for statement in _TABLES.split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id={_APPLICATION}")
        connection.execute(f"PRAGMA user_version={_FORMAT}")


def _is_marked(connection: sqlite3.Connection, path: Path) -> bool:
    """Say whether the file bears our mark, which is committed with the tables."""
    if connection.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION:
        return False
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > _FORMAT:
        raise PermanentError(
            f"The event log {path} has format {version}, this program knows {_FORMAT}: "
            "use the newer storygraft that wrote it."
        )
    return True


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
