"""Features of each place between two blocks of a stretch: what tells a scene boundary there.

Arrays have shape (blocks - 1,); item i belongs to the place before block i + 1. Sums are exact
(int64) wherever their order could matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from processors.block_signals import BlockSignals
from processors.meaning_features import belonging, cohesion, summed_vectors, valleys, wide_valleys
from processors.place_windows import Floats, Windows, running
from processors.term_trail import TermTrail


class Feature(StrEnum):
    """The features of a place; the table of weights says what each tells."""

    # Told, not spoken: narrators open scenes with long paragraphs, and close them so.
    LENGTH_BEFORE = "length_before"
    LENGTH_AFTER = "length_after"
    LENGTH_NEXT = "length_next"
    SPEECH_BEFORE = "speech_before"
    SPEECH_AFTER = "speech_after"
    SPEECH_SO_FAR = "speech_so_far"
    OPENS_SPEECH = "opens_speech"
    # The two sides speak of other things than the places nearby do; the words are new.
    COHESION_FAR = "cohesion_far"
    VALLEY = "valley"
    VALLEY_FAR = "valley_far"
    VALLEY_WIDE = "valley_wide"
    BELONGS_AFTER = "belongs_after"
    WORDS_NEW = "words_new"
    WORDS_FIRST = "words_first"
    NAMES_SHARED = "names_shared"
    PERSONS_CHANGE = "persons_change"
    # A new time or place opens a scene; departures, sleep and death close it.
    OPENING = "opening"
    DATED = "dated"
    DATED_FIRST = "dated_first"
    ARRIVING = "arriving"
    PLACES = "places"
    CLOSINGS = "closings"
    # A pronoun, an open question or a colon ties what follows to what went before.
    LEANING = "leaning"
    ASKS = "asks"
    RUNS_ON = "runs_on"
    # Inside a paragraph the author saw no break at all.
    INSIDE = "inside"
    # Where the place lies, and how many places there are to choose from.
    NEAR_END = "near_end"
    SPARSE = "sparse"


_NEAR_WORDS: Final = 150
"""So many words before a chapter's end the influence of the end is a third of what it is there."""

_USUAL_BLOCK: Final = 45
"""Words of a common paragraph of novels with much talk: there `SPARSE` is 0."""


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
    close, near, mid, wide, far = (
        Windows.of(words, width * pace) for width in (120, 150, 200, 400, 800)
    )
    summed = summed_vectors(words, vectors)
    return {
        Feature.COHESION_FAR: cohesion(summed, far),
        Feature.VALLEY: valleys(cohesion(summed, mid)),
        Feature.VALLEY_FAR: valleys(cohesion(summed, wide)),
        Feature.VALLEY_WIDE: wide_valleys(
            cohesion(summed, Windows.of(words, 100 * pace)), words, 250 * pace
        ),
        Feature.BELONGS_AFTER: belonging(summed, Windows.of(words, 300 * pace)),
        Feature.WORDS_NEW: trail.novelty(close.left, close.places, close.right),
        Feature.WORDS_FIRST: trail.novelty(np.zeros_like(close.left), close.places, close.right),
        Feature.NAMES_SHARED: _names_shared(signals, wide),
        Feature.PERSONS_CHANGE: _persons_change(signals, Windows.of(words, 300 * pace)),
        Feature.SPEECH_SO_FAR: _speech_before(signals, words, near),
        **_own_features(signals),
        **_surroundings(words, pace),
    }


def _own_features(signals: Sequence[BlockSignals]) -> Mapping[Feature, Floats]:
    """Return the features that the two or three blocks at a place show by themselves."""
    paragraphs = np.array([signal.paragraph for signal in signals])
    inside = paragraphs[1:] == 0
    lengths = np.log(paragraphs + 5.0)
    speech = np.array([signal.speech for signal in signals])
    return {
        Feature.LENGTH_BEFORE: np.where(inside, np.nan, lengths[:-1]),
        Feature.LENGTH_AFTER: np.where(inside, np.nan, lengths[1:]),
        Feature.LENGTH_NEXT: np.append(np.log([each.words + 5.0 for each in signals[2:]]), np.nan),
        Feature.SPEECH_BEFORE: speech[:-1],
        Feature.SPEECH_AFTER: speech[1:],
        Feature.OPENS_SPEECH: _flags([signal.opens_speech for signal in signals[1:]]),
        Feature.OPENING: _flags([signal.opening for signal in signals[1:]]),
        Feature.DATED: _flags([signal.dated for signal in signals[1:]]),
        Feature.DATED_FIRST: _flags([signal.dated_first for signal in signals[1:]]),
        Feature.ARRIVING: _flags([signal.arriving for signal in signals[1:]]),
        Feature.PLACES: np.array([each.places / (each.words + 20) for each in signals[1:]]),
        Feature.LEANING: _flags([signal.leaning for signal in signals[1:]]),
        Feature.CLOSINGS: _flags([signal.closings for signal in signals[:-1]]),
        Feature.ASKS: _flags([signal.asks for signal in signals[:-1]]),
        Feature.RUNS_ON: _flags([signal.runs_on for signal in signals[:-1]]),
        Feature.INSIDE: inside.astype(np.float64),
    }


def _surroundings(words: NDArray[np.int64], pace: float) -> Mapping[Feature, Floats]:
    before = np.cumsum(words)[:-1] / pace
    usual = float(np.log(words.mean() / pace / _USUAL_BLOCK))
    return {
        Feature.NEAR_END: np.exp(-(words.sum() / pace - before) / _NEAR_WORDS),
        Feature.SPARSE: np.full(len(before), usual),
    }


def _flags(values: Sequence[int]) -> Floats:
    return np.array(values, dtype=np.float64)


def _speech_before(
    signals: Sequence[BlockSignals], words: NDArray[np.int64], windows: Windows
) -> Floats:
    """Return which share of the words before each place is spoken."""
    spoken = running(np.rint([signal.speech * signal.words for signal in signals]).astype(np.int64))
    told = running(words)
    share: Floats = (spoken[windows.places] - spoken[windows.left]) / (
        told[windows.places] - told[windows.left]
    )
    return share


def _persons_change(signals: Sequence[BlockSignals], windows: Windows) -> Floats:
    """Return how far the pronouns of the two sides differ, against the places nearby."""
    counts = running(np.array([signal.persons for signal in signals], dtype=np.int64))
    if not counts[-1].any():
        return np.full(len(windows.places), np.nan)
    before = counts[windows.places] - counts[windows.left] + 0.5
    after = counts[windows.right] - counts[windows.places] + 0.5
    shares = after / after.sum(axis=1)[:, None] - before / before.sum(axis=1)[:, None]
    return valleys(np.round(-np.abs(shares).sum(axis=1) / 2, 6))


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
