"""Features of each place between two blocks of a stretch: what tells a scene boundary there.

Arrays have shape (blocks - 1,); item i belongs to the place before block i + 1. Sums are exact
(int64) wherever their order could matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from processors.block_signals import BlockSignals
from processors.term_trail import TermTrail

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_NEIGHBOURS: Final = 6
"""Places on either side among which a valley of cohesion is sought: some 200 words."""

_PLACES: Final = 6
"""Decimals of a cosine: fewer than floats differ in from machine to machine."""

_MOST_WEIGHT: Final = 2_000
"""Words that a block's vector weighs at most: sums of products stay below 2**63."""


class Feature(StrEnum):
    """The features of a place; `processors.cohesion.WEIGHTS` says what they tell."""

    VALLEY = "valley"
    COHESION = "cohesion"
    NAMES_SHARED = "names_shared"
    WORDS_NEW = "words_new"
    OPENING = "opening"
    CLOSINGS = "closings"
    LEANING = "leaning"
    SPEECH_AFTER = "speech_after"
    LENGTH_BEFORE = "length_before"
    LENGTH_AFTER = "length_after"
    ASKS = "asks"
    RUNS_ON = "runs_on"
    INSIDE = "inside"


@dataclass(frozen=True, slots=True)
class Windows:
    """For each place, the blocks `[left, place)` and `[place, right)` of about equal words."""

    left: Ints
    places: Ints
    right: Ints

    @classmethod
    def of(cls, words: Ints, wanted: float) -> Windows:
        """Return the smallest windows of `wanted` words; at the stretch's ends they are cut."""
        reach = np.concatenate([[0], np.cumsum(words)])
        places = np.arange(1, len(words))
        left = np.searchsorted(reach, reach[places] - wanted, side="right") - 1
        right = np.searchsorted(reach, reach[places] + wanted, side="left")
        return cls(np.maximum(left, 0), places, np.minimum(right, len(words)))


def place_features(
    signals: Sequence[BlockSignals], vectors: NDArray[np.int16], trail: TermTrail, pace: float
) -> Mapping[Feature, Floats]:
    """Return the features of every place of a stretch; NaN where one cannot be told.

    Args:
        signals: of each block.
        vectors: one quantised vector a block, shape (blocks, dimensions).
        trail: the blocks' terms.
        pace: words of this language to one of English; all windows are so much wider.
    """
    words = np.array([signal.words for signal in signals], dtype=np.int64)
    near, mid, far = (Windows.of(words, width * pace) for width in (100, 200, 400))
    weighted = np.minimum(words, _MOST_WEIGHT)[:, None] * vectors.astype(np.int64)
    summed = np.concatenate([np.zeros_like(weighted[:1]), np.cumsum(weighted, axis=0)])
    single = Windows.of(np.ones_like(words), 1)
    return {
        Feature.VALLEY: _valleys(_cohesion(summed, mid)),
        Feature.COHESION: _cohesion(summed, single),
        Feature.NAMES_SHARED: _names_shared(signals, far),
        Feature.WORDS_NEW: trail.novelty(near.left, near.places, near.right),
        **_own_features(signals),
    }


def _own_features(signals: Sequence[BlockSignals]) -> Mapping[Feature, Floats]:
    """Return the features that the two blocks at a place show by themselves."""
    paragraphs = np.array([signal.paragraph for signal in signals])
    inside = paragraphs[1:] == 0
    lengths = np.log(paragraphs + 5.0)
    return {
        Feature.OPENING: _flags([signal.opening for signal in signals[1:]]),
        Feature.LEANING: _flags([signal.leaning for signal in signals[1:]]),
        Feature.INSIDE: inside.astype(np.float64),
        Feature.CLOSINGS: _flags([signal.closings for signal in signals[:-1]]),
        Feature.ASKS: _flags([signal.asks for signal in signals[:-1]]),
        Feature.RUNS_ON: _flags([signal.runs_on for signal in signals[:-1]]),
        Feature.SPEECH_AFTER: np.array([signal.speech for signal in signals[1:]]),
        Feature.LENGTH_BEFORE: np.where(inside, np.nan, lengths[:-1]),
        Feature.LENGTH_AFTER: np.where(inside, np.nan, lengths[1:]),
    }


def _flags(values: Sequence[int]) -> Floats:
    return np.array(values, dtype=np.float64)


def _cohesion(summed: Ints, windows: Windows) -> Floats:
    """Return the cosine of the two sides' summed vectors; 0 where a side has none."""
    left = summed[windows.places] - summed[windows.left]
    right = summed[windows.right] - summed[windows.places]
    product = np.einsum("ij,ij->i", left, right)
    lengths = np.sqrt(np.einsum("ij,ij->i", left, left).astype(np.float64))
    lengths *= np.sqrt(np.einsum("ij,ij->i", right, right).astype(np.float64))
    cosines: Floats = np.divide(product, lengths, out=np.zeros(len(product)), where=lengths > 0)
    return np.round(cosines, _PLACES)


def _valleys(cohesion: Floats) -> Floats:
    """Return how far each place lies below the highest ones near it, left plus right."""
    edge = np.full(_NEIGHBOURS, -np.inf)
    padded = np.concatenate([edge, cohesion, edge])
    highest: Floats = sliding_window_view(padded, _NEIGHBOURS + 1).max(axis=1)
    depths: Floats = highest[: len(cohesion)] + highest[_NEIGHBOURS:] - 2 * cohesion
    return depths


def _names_shared(signals: Sequence[BlockSignals], windows: Windows) -> Floats:
    """Return how alike the names on both sides are (cosine, rarer names weigh more)."""
    spread = Counter(name for signal in signals for name, _ in signal.names)
    alike = []
    for left, place, right in zip(windows.left, windows.places, windows.right, strict=True):
        before = _name_weights(signals[left:place], spread)
        after = _name_weights(signals[place:right], spread)
        product = sum(weight * after.get(name, 0.0) for name, weight in before.items())
        length = _square(before) * _square(after)
        alike.append(product / length**0.5 if length > 0 else np.nan)
    return np.array(alike, dtype=np.float64)


def _name_weights(signals: Sequence[BlockSignals], spread: Mapping[str, int]) -> dict[str, float]:
    counts: dict[str, float] = {}
    for signal in signals:
        for name, count in signal.names:
            counts[name] = counts.get(name, 0.0) + count
    return {name: (count / spread[name]) ** 0.5 for name, count in counts.items()}


def _square(weights: Mapping[str, float]) -> float:
    return sum(weight * weight for weight in weights.values())
