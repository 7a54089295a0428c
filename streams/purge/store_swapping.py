"""Fresh stores take the places of old ones, so that dying at any moment leaves either or both."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from streams.durable_files import settle


def fresh_place(store: Path) -> Path:
    """Return where the store that is to replace `store` is built."""
    return store.with_name(store.name + ".new")


def _old_place(store: Path) -> Path:
    return store.with_name(store.name + ".old")


def discard_fresh(stores: Iterable[Path]) -> None:
    """Remove what was built of the fresh stores."""
    for store in stores:
        _remove(fresh_place(store))


def swap(stores: Iterable[Path]) -> None:
    """Put each fresh store in the place of the old one, then remove the old ones.

    Called again after it was cut off, it goes on from there: a store whose fresh one is gone
    has been replaced. Every fresh store must be whole, and nobody may have either open.
    """
    known = tuple(stores)
    for store in known:
        if fresh_place(store).exists():
            if store.exists():
                store.rename(_old_place(store))
            fresh_place(store).rename(store)
            settle(store.parent)
    for store in known:
        _remove(_old_place(store))
        settle(store.parent)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
