"""Whenever a swap is cut off, doing it again puts the fresh stores in their places."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from streams.durable_files import settle
from streams.purge.store_swapping import discard_fresh, fresh_place, swap


def _stores(home: Path) -> list[Path]:
    stores = [home / "graph", home / "vectors.db"]
    for store in stores:
        for place, content in ((store, "old"), (fresh_place(store), "fresh")):
            (place / "inner").mkdir(parents=True)
            (place / "inner" / "data").write_text(content)
    return stores


def _assert_swapped(home: Path) -> None:
    assert sorted(path.name for path in home.iterdir()) == ["graph", "vectors.db"]
    assert [(home / name / "inner" / "data").read_text() for name in ("graph", "vectors.db")] == [
        "fresh"
    ] * 2


def test_fresh_stores_take_the_places_of_old_ones(tmp_path: Path) -> None:
    swap(_stores(tmp_path))
    _assert_swapped(tmp_path)


def test_a_swap_that_is_done_can_be_done_again(tmp_path: Path) -> None:
    stores = _stores(tmp_path)
    swap(stores)
    swap(stores)
    _assert_swapped(tmp_path)


@pytest.mark.parametrize("before", [True, False], ids=["before", "after"])
@pytest.mark.parametrize("nth", range(10))
def test_cut_off_at_any_deed_it_can_be_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nth: int, before: bool
) -> None:
    stores, deeds = _stores(tmp_path), 0

    def dying(deed: Callable[..., object]) -> Callable[..., object]:
        def done(*args: object) -> object:
            nonlocal deeds
            deeds += 1
            if deeds == nth + 1 and before:
                raise KeyboardInterrupt
            result = deed(*args)
            if deeds == nth + 1:
                raise KeyboardInterrupt
            return result

        return done

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", dying(Path.rename))
        patched.setattr("streams.purge.store_swapping.settle", dying(settle))
        patched.setattr(shutil, "rmtree", dying(shutil.rmtree))
        with pytest.raises(KeyboardInterrupt):
            swap(stores)
    swap(stores)
    _assert_swapped(tmp_path)


def test_what_was_built_can_be_discarded(tmp_path: Path) -> None:
    stores = _stores(tmp_path)
    discard_fresh(stores)
    discard_fresh(stores)
    assert [(store / "inner" / "data").read_text() for store in stores] == ["old", "old"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["graph", "vectors.db"]
