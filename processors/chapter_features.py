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
from processors.boundary_features import Feature, Floats, place_features
from processors.term_trail import TermTrail

Table = Mapping[Feature, Floats]

_TYPICAL: Final[Mapping[Feature, float]] = MappingProxyType(
    {
        Feature.LENGTH_AFTER: 0.8,
        Feature.LENGTH_BEFORE: 0.8,
        Feature.SPEECH_AFTER: 0.4,
        Feature.VALLEY: 0.2,
        Feature.COHESION: 0.2,
        Feature.WORDS_NEW: 0.1,
        Feature.NAMES_SHARED: 0.3,
        Feature.CLOSINGS: 0.8,
    }
)
"""Typical spreads of the features that are read so; the others stay as they are."""

_TYPICAL_PLACES: Final = 10
"""How many places the typical spread counts for: a short chapter's own tells little."""

_DECIMALS: Final = 4
"""Float noise is far below, so that it cannot turn a decision."""

_NO_PLACES: Final[Table] = MappingProxyType({feature: np.empty(0) for feature in Feature})


def chapter_features(
    chapter: ChapterText,
    stretches: Sequence[Sequence[Block]],
    vectors: NDArray[np.int16],
    pace: float,
) -> list[Table]:
    """Return the features of each stretch's places.

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
    scales = {
        name: _scale(np.concatenate([table[name] for table in raw]), typical)
        for name, typical in _TYPICAL.items()
    }
    return [_read(table, scales) if table is not _NO_PLACES else table for table in raw]


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


def _scale(values: Floats, typical: float) -> tuple[float, float]:
    """Return the mean and the spread of what is known, the spread drawn towards the typical."""
    known = values[~np.isnan(values)]
    if not len(known):
        return 0.0, typical
    squares = float(((known - known.mean()) ** 2).sum()) + _TYPICAL_PLACES * typical**2
    return float(known.mean()), float((squares / (len(known) + _TYPICAL_PLACES)) ** 0.5)


def _scaled(values: Floats, mean: float, spread: float) -> Floats:
    """Return distances from the mean in spreads; what is not known lies at the mean."""
    away: Floats = (values - mean) / spread
    return np.where(np.isnan(away), 0.0, away)
