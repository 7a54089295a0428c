"""How alike in meaning the two sides of each place are, from the blocks' vectors.

All sums are of integers, so that their order cannot matter; cosines are rounded.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from processors.place_windows import Floats, Ints, Windows, running

_NEIGHBOURS: Final = 6
"""Places on either side among which a valley of cohesion is sought: some 200 words."""

_PLACES: Final = 6
"""Decimals of a cosine: fewer than floats differ in from machine to machine."""

_MOST_WEIGHT: Final = 2_000
"""Words that a block's vector weighs at most: sums of products stay below 2**63."""


def summed_vectors(words: Ints, vectors: NDArray[np.int16]) -> Ints:
    """Return the running sums of the blocks' vectors, each weighed by its words."""
    return running(np.minimum(words, _MOST_WEIGHT)[:, None] * vectors.astype(np.int64))


def cohesion(summed: Ints, windows: Windows) -> Floats:
    """Return the cosine of the two sides' summed vectors; 0 where a side has none."""
    return _cosines(
        summed[windows.places] - summed[windows.left],
        summed[windows.right] - summed[windows.places],
    )


def belonging(summed: Ints, windows: Windows) -> Floats:
    """Return how much more the block after a place is like what follows than what went before."""
    block = summed[windows.places + 1] - summed[windows.places]
    follows = summed[windows.right] - summed[np.minimum(windows.places + 1, windows.right)]
    went = summed[windows.places] - summed[windows.left]
    return _cosines(block, follows) - _cosines(block, went)


def valleys(heights: Floats) -> Floats:
    """Return how far each place lies below the highest ones near it, left plus right."""
    edge = np.full(_NEIGHBOURS, -np.inf)
    padded = np.concatenate([edge, heights, edge])
    highest: Floats = sliding_window_view(padded, _NEIGHBOURS + 1).max(axis=1)
    depths: Floats = highest[: len(heights)] + highest[_NEIGHBOURS:] - 2 * heights
    return depths


def wide_valleys(heights: Floats, words: Ints, reach: float) -> Floats:
    """Return the same, among all places at most `reach` words away on either side."""
    at = np.cumsum(words)[:-1]
    first = np.searchsorted(at, at - reach, side="left")
    after = np.searchsorted(at, at + reach, side="right")
    return np.array(
        [
            heights[low : place + 1].max() + heights[place:high].max() - 2 * heights[place]
            for place, (low, high) in enumerate(zip(first, after, strict=True))
        ]
    )


def _cosines(left: Ints, right: Ints) -> Floats:
    product = np.einsum("ij,ij->i", left, right)
    lengths = np.sqrt(np.einsum("ij,ij->i", left, left).astype(np.float64))
    lengths *= np.sqrt(np.einsum("ij,ij->i", right, right).astype(np.float64))
    cosines: Floats = np.divide(product, lengths, out=np.zeros(len(product)), where=lengths > 0)
    return np.round(cosines, _PLACES)
