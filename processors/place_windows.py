"""For each place between two blocks, the blocks on either side that are compared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Windows:
    """For each place, the blocks `[left, place)` and `[place, right)` of about equal words."""

    left: Ints
    places: Ints
    right: Ints

    @classmethod
    def of(cls, words: Ints, wanted: float) -> Windows:
        """Return the smallest windows of `wanted` words; at the stretch's ends they are cut."""
        reach = running(words)
        places = np.arange(1, len(words))
        left = np.searchsorted(reach, reach[places] - wanted, side="right") - 1
        right = np.searchsorted(reach, reach[places] + wanted, side="left")
        return cls(np.maximum(left, 0), places, np.minimum(right, len(words)))


def running(values: Ints) -> Ints:
    """Return the sums of the first 0, 1, 2 … rows."""
    return np.concatenate([np.zeros_like(values[:1]), np.cumsum(values, axis=0)])
