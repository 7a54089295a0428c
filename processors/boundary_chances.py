"""How likely a boundary is at each place of a stretch, all ways to cut it considered.

The model is a semi-Markov chain: a way to cut a stretch is as likely as the exponential of the
scores of its cuts and of the potentials of its scenes by length. Forward and backward sums give
the chance of each cut, and what the gradient of the whole needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from processors.length_prior import (
    LONGEST_WORDS,
    WHOLE_WORDS,
    expected_boundaries,
    length_terms,
)
from processors.place_windows import Floats, Ints, running

_SLACK: Final = 2
"""Scenes up to twice the longest are thought possible: a hard end would bend what lies near it."""

_TRIALS: Final = 5
_CLOSE: Final = 0.02
_FIRST_SLOPE: Final = 0.6
_STEEPEST, _FLATTEST = 1.0, 0.2
"""How the logarithm of the number of boundaries follows what is added to all scores: less than in
proportion, for scenes have their lengths."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """The scenes that a stretch may be cut into.

    One that ends before block b starts at `lows[b]` or later; `reach[b]` counts the words before
    block b; `terms[w]` are the length terms of a scene of w words.
    """

    lows: tuple[int, ...]
    reach: Ints
    terms: Floats

    @classmethod
    def of(cls, words: Sequence[int], pace: float, *, alone: bool) -> Lattice:
        """Return the lattice of blocks of so many words; see `lowest_starts`."""
        sizes = np.asarray(words, dtype=np.int64)
        longest = int(LONGEST_WORDS * _SLACK * pace)
        most = max(longest, int(sizes.max()))
        lows = lowest_starts(sizes, longest, pace, alone=alone)
        terms = length_terms(np.maximum(np.arange(most + 1), 1), pace)
        return cls(tuple(lows), running(np.append(sizes, 0))[:-1], terms)


@dataclass(frozen=True, slots=True)
class Chances:
    """What all ways to cut a stretch have in common.

    `cuts[i]` is the chance of a cut before block i + 1, `lengths` the expected sum of the scenes'
    length terms, `log_total` the logarithm of the sum over all ways.
    """

    cuts: Floats
    lengths: Floats
    log_total: float


def lowest_starts(words: Ints, longest: float, pace: float, *, alone: bool) -> list[int]:
    """Return for each block, and for the end, where a scene before it may start at the earliest.

    Scenes of several blocks have at most `longest` words. `alone` says that the blocks are the
    whole chapter: then it is not one scene if it has `WHOLE_WORDS`.
    """
    reach = np.concatenate([[0], np.cumsum(words)])
    lowest = np.searchsorted(reach, reach - longest, side="left")
    lows = [0, *(min(int(lowest[after]), after - 1) for after in range(1, len(reach)))]
    if alone and len(words) > 1 and reach[-1] >= WHOLE_WORDS * pace:
        lows[-1] = max(lows[-1], 1)
    return lows


def chances(scores: Floats, lattice: Lattice, lengths: NDArray[np.float64]) -> Chances:
    """Return the chances of all cuts.

    Args:
        scores: log-potential of a cut before block 1, 2 …, shape (blocks - 1,).
        lattice: the scenes that may be.
        lengths: weights of the length terms, shape (4,).
    """
    reach, lows = lattice.reach, lattice.lows
    count = len(lows) - 1
    gains = np.concatenate([[0.0], scores, [0.0]])
    potentials = lattice.terms @ lengths
    forward = np.zeros(count + 1)
    for after in range(1, count + 1):
        low = lows[after]
        ways = forward[low:after] + potentials[reach[after] - reach[low:after]]
        forward[after] = _log_sum(ways) + gains[after]
    total = float(forward[count])
    backward = np.full(count + 1, -np.inf)
    backward[count] = 0.0
    scenes = np.zeros(len(potentials))
    for after in range(count, 0, -1):
        low = lows[after]
        words = reach[after] - reach[low:after]
        ways = potentials[words] + (backward[after] + gains[after])
        backward[low:after] = np.logaddexp(backward[low:after], ways)
        scenes[words] += np.exp(forward[low:after] + ways - total)
    cuts: Floats = np.exp(np.minimum(forward + backward - total, 0.0))[1:count]
    return Chances(cuts, scenes @ lattice.terms, total)


def steady_chances(
    scores: Floats, lattice: Lattice, lengths: NDArray[np.float64], pace: float
) -> Floats:
    """Return the chances of all cuts, as many together as the length of the stretch lets expect.

    How often the features speak up depends on the language and the author; how long scenes are,
    much less. So the same is added to all scores until the number is right.
    """
    wanted = float(np.log(expected_boundaries(int(lattice.reach[-1]), pace)))
    added, slope = 0.0, _FIRST_SLOPE
    cuts = chances(scores, lattice, lengths).cuts
    found = _log_count(cuts)
    for _ in range(_TRIALS):
        if abs(wanted - found) < _CLOSE:
            break
        step = (wanted - found) / slope
        added += step
        cuts = chances(scores + added, lattice, lengths).cuts
        slope = min(_STEEPEST, max(_FLATTEST, (_log_count(cuts) - found) / step))
        found = _log_count(cuts)
    return cuts


def _log_count(cuts: Floats) -> float:
    return float(np.log(np.maximum(cuts.sum(), 1e-9)))


def _log_sum(values: Floats) -> float:
    most = float(values.max())
    return most + float(np.log(np.exp(values - most).sum()))
