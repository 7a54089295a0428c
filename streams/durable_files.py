"""Files that are on the disk when a call returns, whatever happens to the machine after it."""

from __future__ import annotations

import os
from pathlib import Path


def keep(path: Path, data: bytes) -> None:
    """Have `data` in the file, in place of what was there before: all of it or none."""
    fresh = path.with_suffix(".new")
    with fresh.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    settle(path.parent)


def forget(path: Path) -> None:
    """Have no file there; nothing there is no error."""
    path.unlink(missing_ok=True)
    settle(path.parent)


def settle(folder: Path) -> None:
    """Have the names in `folder` on the disk as they are now."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def settle_file(path: Path) -> None:
    """Have what is written in the file on the disk."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
