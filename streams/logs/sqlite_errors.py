"""SQLite's errors in our two kinds, each with what to do about it."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from contracts.errors import PermanentError, StorygraftError, TransientError

_PRIMARY: Final = 0xFF  # the low byte of SQLite's extended codes is the kind of the error

_TRANSIENT: Final = {
    sqlite3.SQLITE_FULL: "the disk is full; free some space, then run the command again",
    sqlite3.SQLITE_BUSY: "another process keeps it locked; wait for it or end it",
    sqlite3.SQLITE_LOCKED: "another process keeps it locked; wait for it or end it",
    sqlite3.SQLITE_IOERR: "the disk gave an error; look at the disk, then run the command again",
    sqlite3.SQLITE_NOMEM: "there is not enough memory; end other programs and try again",
}
_SAVED: Final = "of a damaged event log `storygraft doctor --repair` saves what can be read"
_PERMANENT: Final = {
    sqlite3.SQLITE_NOTADB: f"it is no {{name}}; restore it from a copy; {_SAVED}",
    sqlite3.SQLITE_CORRUPT: f"it is damaged; restore it from a copy; {_SAVED}",
    sqlite3.SQLITE_READONLY: "it cannot be written; give yourself the right to write there",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; see that its folder is there and writable",
    sqlite3.SQLITE_TOOBIG: "a record is larger than SQLite can hold (1 GB); send it in parts",
}


@contextmanager
def translated(name: str, path: Path) -> Iterator[None]:
    """Turn errors of SQLite inside the block into `TransientError` or `PermanentError`.

    `name` says what the file is: "event log".
    """
    try:
        yield
    except sqlite3.Error as error:
        raise translation(name, path, error) from error
    except zlib.error as error:
        raise PermanentError(
            f"The {name} {path} cannot be used: {_PERMANENT[sqlite3.SQLITE_CORRUPT]}."
        ) from error


def _kind_without_code(error: sqlite3.Error) -> int:
    """Return what an error of Python's own stands for: text that is none comes from garbage."""
    garbage = type(error) in (sqlite3.OperationalError, sqlite3.DatabaseError)
    return sqlite3.SQLITE_CORRUPT if garbage else sqlite3.SQLITE_ERROR


def translation(name: str, path: Path, error: sqlite3.Error) -> StorygraftError:
    """Return what `error` is in our terms; an unknown one is permanent, and shown as it came."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    kind = _kind_without_code(error) if code is None else code & _PRIMARY
    if kind in _TRANSIENT:
        return TransientError(f"The {name} {path} cannot be used now: {_TRANSIENT[kind]}.")
    remedy = _PERMANENT.get(kind, f"SQLite says: {error}").replace("{name}", name)
    return PermanentError(f"The {name} {path} cannot be used: {remedy}.")
