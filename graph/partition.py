"""How to part the children of a storyline that has too many: by time, or by theme."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Final, NamedTuple, TypeVar

import numpy as np

from graph.profiles import Vector
from graph.rarity import SCALE
from graph.state import Place

_Choice = TypeVar("_Choice")

SMALLEST_THEME: Final = 4
"""A theme with fewer children than a third of the capacity is an episode, not a theme, and would
leave a thin storyline behind: depth would grow faster than the logarithm of the work."""

_THEME_SEPARATES: Final = 150
"""Two themes explain so many thousandths of the variance, or there are none: the best halves of
13 unrelated vectors explain 83 to 117, those of a novel's threads 90 to 210."""

_THEME_BEATS_TIME: Final = 140
"""And so many hundredths of what a cut in time explains, since parts by time end nearly full."""

_ROUNDS: Final = 4  # of 2-means: 13 points hardly ever need a third one


class Item(NamedTuple):
    """A child to part: its direction, and when it was last told. `closed` as in the state."""

    id: str
    vector: Vector
    last: Place
    closed: bool = False


class Division(NamedTuple):
    """Two parts, neither empty, together all items. By time, `first` is the older one."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    by_time: bool


def divide(items: Sequence[Item], newer: Sequence[int]) -> Division:
    """Part at least two items; by time, the newer part has one of the sizes `newer`."""
    ordered = _by_time(items)
    vectors = np.stack([item.vector for item in ordered])
    cuts = [frozenset(range(len(ordered) - size)) for size in newer if size < len(ordered)]
    time_cut, by_time = _best(cuts, lambda part: separation(vectors, part))
    theme = two_means(vectors)
    if min(len(theme), len(ordered) - len(theme)) >= SMALLEST_THEME:
        by_theme = separation(vectors, theme)
        if by_theme >= _THEME_SEPARATES and by_theme * 100 >= by_time * _THEME_BEATS_TIME:
            return _division(ordered, theme, by_time=False)
    return _division(ordered, time_cut, by_time=True)


def divide_ended(items: Sequence[Item], most_newer: int) -> Division:
    """Part arcs by what has ended: those that are still open stay together, the latest of them.

    An open arc that is not among the latest `most_newer` has ended too.
    """
    ordered = sorted(items, key=lambda item: (not item.closed, item.last, item.id))
    still_open = sum(not item.closed for item in ordered)
    newer = min(max(still_open, 1), most_newer)
    return _division(ordered, frozenset(range(len(ordered) - newer)), by_time=True)


def separation(vectors: Vector, part: frozenset[int]) -> int:
    """Return how many thousandths of the variance of `vectors` lie between `part` and the rest."""
    n, a = len(vectors), len(part)
    b = n - a
    if not a or not b:
        return 0
    first = vectors[sorted(part)].sum(axis=0)
    whole = vectors.sum(axis=0)
    total = n * _square(vectors.ravel()) - _square(whole)
    if not total:
        return 0
    between = n * (b * _square(first) + a * _square(whole - first)) - a * b * _square(whole)
    return SCALE * between // (a * b * total)


def two_means(vectors: Vector) -> frozenset[int]:
    """Return one of two clusters of `vectors`, the one that holds the first; perhaps all.

    The seeds are the two that lie farthest apart, so that nothing is left to chance.
    """
    pairs = list(combinations(range(len(vectors)), 2))
    seeds, _ = _best(pairs, lambda pair: _square(vectors[pair[0]] - vectors[pair[1]]))
    parts = [vectors[[seed]] for seed in seeds]
    nearer = frozenset[int]()
    for _ in range(_ROUNDS):
        previous = nearer
        nearer = _nearer(vectors, parts[0], parts[1])
        farther = sorted(frozenset(range(len(vectors))) - nearer)
        if nearer == previous or not nearer or not farther:
            break
        parts = [vectors[sorted(nearer)], vectors[farther]]
    return nearer if 0 in nearer else frozenset(range(len(vectors))) - nearer


def _nearer(vectors: Vector, one: Vector, other: Vector) -> frozenset[int]:
    """Return which vectors are nearer to the mean of `one`; exact, ties go to `one`."""
    a, b = len(one), len(other)
    mean, other_mean = one.sum(axis=0) * b, other.sum(axis=0) * a
    half = _square(mean) - _square(other_mean)
    dots = [int(dot) for dot in vectors @ (mean - other_mean)]
    return frozenset(i for i, dot in enumerate(dots) if 2 * a * b * dot >= half)


def _by_time(items: Iterable[Item]) -> list[Item]:
    return sorted(items, key=lambda item: (item.last, item.id))


def _division(ordered: Sequence[Item], part: frozenset[int], *, by_time: bool) -> Division:
    return Division(
        first=tuple(item.id for i, item in enumerate(ordered) if i in part),
        second=tuple(item.id for i, item in enumerate(ordered) if i not in part),
        by_time=by_time,
    )


def _best(choices: Sequence[_Choice], worth: Callable[[_Choice], int]) -> tuple[_Choice, int]:
    values = [worth(choice) for choice in choices]
    best = max(range(len(choices)), key=lambda i: (values[i], -i))
    return choices[best], values[best]


def _square(vector: Vector) -> int:
    return int(vector @ vector)
