"""Which cuts to make, given the chance of a boundary at each place.

A cut is worth the boundaries it is expected to hit, near misses in part, less its price. The most
likely way to cut a chapter is rarely the best one: where three neighbouring places have a third
each, it may cut nowhere. Where nothing is sure, scenes are so long that each is expected to hold
about one boundary. All arithmetic that decides is in integers, so that no rounding of a float can
turn a decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from processors.boundary_chances import lowest_starts
from processors.length_prior import LONGEST_WORDS
from processors.place_windows import Floats, Ints

_STEPS: Final = 10_000
"""Integer steps to a chance of one."""

_CREDIT: Final = (3, 2, 1)
"""Thirds of a hit for a cut 0, 1, 2 blocks from a boundary: as boundary similarity counts them."""

_REACH: Final = len(_CREDIT) - 1

_PRICE: Final = 8_000
"""Of a cut, in thirds of a step: 0.27 hits. For the highest F1 a cut must be worth half of the F1
that can be reached (Lipton et al., 2014), which is some .55 over the languages at hand."""

_LACKING, _CROWDED = 1_000, 8_000
"""What a scene costs, in thirds of a step, that is expected to hold no boundary, or two. It is the
long ones that must be dear: where nothing is sure, no cut seems worth its price."""


def best_cuts(
    words: Sequence[int], chances: Floats, pace: float, *, alone: bool
) -> tuple[int, ...]:
    """Return the blocks (from 0) before which to cut, rising, never 0.

    No scene of several blocks is longer than `LONGEST_WORDS`.

    Args:
        words: words of each block of one stretch, each at least 1.
        chances: of a boundary before block 1, 2 …, shape (blocks - 1,).
        pace: words of this language to one of English.
        alone: whether these are all blocks of the chapter; then it may have to be cut.
    """
    count = len(words)
    if count == 1:
        return ()
    steps = np.rint(chances * _STEPS).astype(np.int64)
    gains = [0, *(_expected(steps, (0,)) - _PRICE).tolist(), 0]
    twice = [_expected(steps, (0, apart)) for apart in range(1, 2 * _REACH + 1)]
    middles = _middles(steps)
    sizes = np.asarray(words, dtype=np.int64)
    lows = lowest_starts(sizes, LONGEST_WORDS * pace, pace, alone=alone)
    best = np.zeros(count + 1, dtype=np.int64)
    back = [0] * (count + 1)
    for after in range(1, count + 1):
        low = lows[after]
        totals = best[low:after] - _unevenness(middles[after] - middles[low:after])
        for apart in range(1, min(len(twice), after - max(low, 1)) + 1 if after < count else 1):
            totals[after - apart - low] -= twice[apart - 1][after - apart - 1]
        chosen = int(np.argmax(totals))
        back[after] = low + chosen
        best[after] = totals[chosen] + gains[after]
    return _path(back)


def _expected(steps: Ints, cuts: Sequence[int]) -> Ints:
    """Return, for each place, the credit that each of `cuts` (relative to it) is expected to get.

    For two cuts that is what would be counted twice.
    """
    offsets = range(-_REACH, _REACH + cuts[-1] + 1)
    credit = [min(_credit(offset - cut) for cut in cuts) for offset in offsets]
    windows = sliding_window_view(np.pad(steps, (-offsets[0], offsets[-1])), len(credit))
    weighted: Ints = windows @ np.array(credit, dtype=np.int64)
    return weighted


def _credit(distance: int) -> int:
    return _CREDIT[abs(distance)] if abs(distance) <= _REACH else 0


def _middles(steps: Ints) -> Ints:
    """Return twice the boundaries expected before each place and the ends, half of its own with it.

    The stretch's two ends are sure boundaries.
    """
    sure = np.concatenate([[_STEPS], steps, [_STEPS]])
    middles: Ints = 2 * np.cumsum(sure) - sure
    return middles


def _unevenness(doubled: Ints) -> Ints:
    """Return what scenes cost that hold so many boundaries, given in half steps."""
    away = doubled - 2 * _STEPS
    cost: Ints = away**2 * np.where(away > 0, _CROWDED, _LACKING) // (4 * _STEPS**2)
    return cost


def _path(back: Sequence[int]) -> tuple[int, ...]:
    cuts = []
    at = back[-1]
    while at > 0:
        cuts.append(at)
        at = back[at]
    return tuple(reversed(cuts))
