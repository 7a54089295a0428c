"""Arithmetic on quantised vectors (`contracts.vectors.Dense`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from contracts.vectors import DENSE_SCALE, DIMENSIONS, Dense

ZERO: Final[Dense] = bytes(2 * DIMENSIONS)


def quantised(vector: NDArray[np.float64], shortest: float = 0.0) -> Dense:
    """Return the direction of `vector`, shape (256,); zero if it is not longer than `shortest`."""
    length = float(np.sqrt(np.square(vector).sum()))
    if length <= shortest:
        return ZERO
    return bytes(np.rint(vector * (DENSE_SCALE / length)).astype("<i2").tobytes())


def mean_direction(vectors: Iterable[Dense]) -> Dense:
    """Return the direction of the vectors' sum; zero vectors do not count."""
    held = [vector for vector in vectors if vector != ZERO]
    if len(held) == 1:
        return held[0]
    rows = np.frombuffer(b"".join(held), dtype="<i2").reshape(-1, DIMENSIONS)
    return quantised(rows.sum(axis=0, dtype=np.int64).astype(np.float64))
