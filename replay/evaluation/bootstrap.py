"""Paired bootstrap: whether one method beats another on the same questions, or was lucky."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

_DRAWS: Final = 10_000
_SEED: Final = 20261130
_TAIL: Final = 0.025


@dataclass(frozen=True, slots=True)
class Gain:
    """A mean difference with the bounds between which 95% of resampled means lie."""

    mean: float
    low: float
    high: float


def paired_gain(ours: Sequence[float], theirs: Sequence[float]) -> Gain:
    """Return the gain of `ours` over `theirs`, the same questions in the same order.

    Questions are drawn anew with replacement, 10,000 times with a fixed seed: the same figures
    give the same bounds.

    Raises:
        ValueError: there is no question, or not as many on both sides.
    """
    gains = np.array(ours, dtype=np.float64) - np.array(theirs, dtype=np.float64)
    if gains.ndim != 1 or not len(gains):
        raise ValueError("a gain is over one list of questions, of which there is one at least")
    generator = np.random.default_rng(_SEED)
    drawn = generator.integers(0, len(gains), size=(_DRAWS, len(gains)))
    means = gains[drawn].mean(axis=1)
    low, high = np.quantile(means, (_TAIL, 1 - _TAIL)).tolist()
    return Gain(float(gains.mean()), low, high)
