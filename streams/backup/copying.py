"""Files copied so that they are on the disk, and known to be what was there."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from contracts.errors import PermanentError
from streams.backup.manifest import BackedFile, new_digest
from streams.durable_files import settle_file
from streams.inputs.values import UnusableInput
from streams.logs.sqlite_database import FileKind, open_database
from streams.logs.sqlite_errors import translated

_READ_BYTES: Final = 1_000_000


def copy_database(source: Path, target: Path, kind: FileKind) -> None:
    """Copy a SQLite file as it is at one moment, whoever writes to it meanwhile.

    Raises:
        TransientError: it cannot be read now.
        PermanentError: it is damaged, or no file of ours.
    """
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (
        translated(kind.name, source),
        closing(open_database(source, kind)) as there,
        closing(sqlite3.connect(target)) as here,
    ):
        there.backup(here)
        here.execute("PRAGMA journal_mode=DELETE")  # else files beside it are part of it
        told = [text for (text,) in here.execute("PRAGMA integrity_check")]
    if told != ["ok"]:
        raise PermanentError(
            f"The {kind.name} {source} is damaged: run `storygraft doctor --repair`, then back up."
        )
    settle_file(target)


def copy_file(source: Path, target: Path) -> None:
    """Copy one file; it is on the disk on return."""
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _copied(source, target)


def copy_checked(folder: Path, file: BackedFile, target: Path) -> None:
    """Copy a file out of a backup in `folder`; it is on the disk on return.

    Raises:
        UnusableInput: it is not what the backup's manifest says; the text names it.
    """
    source = folder / file.path
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        found = _copied(source, target)
    except FileNotFoundError as error:
        raise UnusableInput(f"{source} is missing from the backup: nothing is restored.") from error
    if found != (file.size, file.digest):
        raise UnusableInput(
            f"{source} is damaged: it is not what was backed up, and nothing is restored."
        )


def _copied(source: Path, target: Path) -> tuple[int, str]:
    """Copy and return size and digest, as `manifest.digest_of` does."""
    state, size = new_digest(), 0
    with source.open("rb") as there, target.open("wb") as here:
        while some := there.read(_READ_BYTES):
            here.write(some)
            state.update(some)
            size += len(some)
        here.flush()
        os.fsync(here.fileno())
    return size, state.hexdigest()
