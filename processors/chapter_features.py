"""Features of a whole chapter's places, each read against the chapter's own mean and spread.

What is a long paragraph or a deep valley depends on the author, the language and the embedder;
after this the same weights hold for all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from contracts.scenes import ChapterText
from processors.block_signals import BlockSignals, signals_of
from processors.blocks import Block, block_text
from processors.boundary_features import Feature, place_features
from processors.place_windows import Floats
from processors.term_trail import TermTrail

Table = Mapping[Feature, Floats]
Spreads = Mapping[Feature, float]

AS_THEY_ARE: Final = frozenset({Feature.NEAR_END, Feature.SPARSE})
"""Features that mean the same in every chapter."""

CENTRED: Final = frozenset(
    {
        Feature.OPENS_SPEECH,
        Feature.OPENING,
        Feature.DATED,
        Feature.DATED_FIRST,
        Feature.LEANING,
        Feature.ASKS,
        Feature.RUNS_ON,
        Feature.INSIDE,
    }
)
"""Features of which only the chapter's mean is taken away: where a language has no cue words, or
no paragraph is marked at all, they say nothing."""

_USUAL_PLACES: Final = 10
"""How many places the usual spread counts for: a short chapter's own tells little."""

_MOST: Final = 4.0
"""Spreads from the mean beyond which more is not more."""

_DECIMALS: Final = 4
"""Float noise is far below, so that it cannot turn a decision."""

_NO_PLACES: Final[Table] = MappingProxyType({feature: np.empty(0) for feature in Feature})


def raw_features(
    chapter: ChapterText,
    stretches: Sequence[Sequence[Block]],
    vectors: NDArray[np.int16],
    pace: float,
) -> list[Table]:
    """Return the features of each stretch's places, NaN where one cannot be told.

    Args:
        chapter: the text.
        stretches: the blocks of each stretch.
        vectors: one quantised vector a block, shape (blocks, dimensions).
        pace: words of this language to one of English.
    """
    signals = signals_of(chapter, [block for blocks in stretches for block in blocks])
    raw = []
    start = 0
    for blocks in stretches:
        own = slice(start, start + len(blocks))
        raw.append(_raw(chapter, blocks, signals[own], vectors[own], pace))
        start += len(blocks)
    return raw


def read_features(raw: Sequence[Table], spreads: Spreads) -> list[Table]:
    """Return the raw features of a chapter's stretches read against the chapter, none NaN.

    `spreads` has the usual spread of each feature that is neither `AS_THEY_ARE` nor `CENTRED`.
    """
    scales = {
        name: _scale(np.concatenate([table[name] for table in raw]), spreads.get(name))
        for name in Feature
        if name not in AS_THEY_ARE
    }
    return [_read(table, scales) if len(table[Feature.INSIDE]) else table for table in raw]


def own_spread(raw: Sequence[Table], name: Feature) -> float | None:
    """Return the spread of a feature in one chapter, None where it is not known."""
    values = np.concatenate([table[name] for table in raw])
    known = values[~np.isnan(values)]
    return float(known.std()) if len(known) else None


def _raw(
    chapter: ChapterText,
    blocks: Sequence[Block],
    signals: Sequence[BlockSignals],
    vectors: NDArray[np.int16],
    pace: float,
) -> Table:
    if len(blocks) == 1:
        return _NO_PLACES
    trail = TermTrail.of([block_text(chapter, block) for block in blocks], chapter.language)
    return place_features(signals, vectors, trail, pace)


def _read(table: Table, scales: Mapping[Feature, tuple[float, float]]) -> Table:
    return {
        name: np.round(_scaled(values, *scales.get(name, (0.0, 1.0))), _DECIMALS)
        for name, values in table.items()
    }


def _scale(values: Floats, usual: float | None) -> tuple[float, float]:
    """Return the mean and the spread of what is known, the spread drawn towards the usual."""
    known = values[~np.isnan(values)]
    if usual is None:
        return (float(known.mean()) if len(known) else 0.0), 1.0
    if not len(known):
        return 0.0, usual
    squares = float(((known - known.mean()) ** 2).sum()) + _USUAL_PLACES * usual**2
    return float(known.mean()), float((squares / (len(known) + _USUAL_PLACES)) ** 0.5)


def _scaled(values: Floats, mean: float, spread: float) -> Floats:
    """Return distances from the mean in spreads; what is not known lies at the mean."""
    away: Floats = np.clip((values - mean) / spread, -_MOST, _MOST)
    return np.where(np.isnan(away), 0.0, away)
