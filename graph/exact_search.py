"""The exact best of a search that breaks ties as it likes; no I/O.

A vector store returns the best rows by score, but which of several with equal scores is its own
affair, and so is how many it returns at most. Equal scores are common: a separator line stands a
hundred times in a book. So more is asked for, until the last row returned is worse than the last
one wanted; where one request cannot hold all ties, the space of keys is searched part by part.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from contracts.vectors import Hit
from graph import vector_rules

Fetch = Callable[[str, int], list[Hit]]
"""Takes a prefix of keys and a number; returns that many of the best rows below the prefix."""

_SLACK: Final = 32  # ties at the limit are few as a rule: one request is then enough
_GROWTH: Final = 4
_DIGITS: Final = "0123456789abcdef"


def exact_best(fetch: Fetch, limit: int, least: float, most: int) -> tuple[Hit, ...]:
    """Return the best `limit` rows that score at least `least`, ties by item id, then key.

    Args:
        fetch: the search.
        limit: how many are wanted.
        least: rows below this score do not count.
        most: how many rows one fetch may ask for.
    """
    return vector_rules.ranked(_found(fetch, "", limit, least, most), limit) if limit > 0 else ()


def _found(fetch: Fetch, prefix: str, limit: int, least: float, most: int) -> list[Hit]:
    """Return a list of rows below `prefix` that holds the best `limit` of them."""
    size = min(limit + _SLACK, most)
    while True:
        hits = fetch(prefix, size)
        good = [hit for hit in hits if hit.score >= least]
        if len(hits) < size or len(good) < len(hits):
            return good
        if len(good) > limit and good[-1].score < good[limit - 1].score:
            return good
        if size == most:
            break
        size = min(size * _GROWTH, most)
    parts = (_found(fetch, prefix + digit, limit, least, most) for digit in _DIGITS)
    return [hit for part in parts for hit in part]
