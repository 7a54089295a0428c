"""A segmenter that needs no language model: scenes end where several weak signs fall together.

Each paragraph end gets a score, the sum of weighted features. With the potentials of scenes by
length the scores give the chance of a boundary at each place; the cuts are those that hit most.
The weights were learned from annotated novels (`replay.evaluation.fitting_segmenter`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from contracts.ports import TextEmbedder
from contracts.scenes import ChapterText, Segment, Segmentation
from contracts.vectors import DIMENSIONS, Dense
from processors.blocks import Block, block_text, stretch_blocks
from processors.boundary_chances import Lattice, steady_chances
from processors.boundary_model import BoundaryModel, shipped_model
from processors.chapter_features import Table, raw_features, read_features
from processors.cut_choice import best_cuts
from processors.length_prior import MEDIAN_WORDS, pace
from processors.place_windows import Floats

_VERSION: Final = 2
"""Rises with any change of features, cue words or the choice of cuts."""


class CohesionSegmenter:
    """Cuts a chapter by cohesion, names, cue words, talk and lengths; holds no state."""

    def __init__(
        self,
        embedder: TextEmbedder,
        model: BoundaryModel | None = None,
        scene_words: int = MEDIAN_WORDS,
    ) -> None:
        """Take what it looks with.

        Args:
            embedder: of the blocks.
            model: weights; the shipped ones if None.
            scene_words: how many words of English a common scene is to have.
        """
        self._embedder = embedder
        self._model = model or shipped_model()
        self._scene_words = scene_words

    @property
    def version(self) -> str:
        """Weights, scene length if not the usual one, and embedder; part of the index version."""
        length = "" if self._scene_words == MEDIAN_WORDS else f".{self._scene_words}"
        return f"cohesion-{_VERSION}.{self._model.digest}{length}/{self._embedder.version}"

    async def segment(self, chapter: ChapterText) -> Segmentation:
        """Cut `chapter`, which has at least one sentence; the segments need no repair."""
        tempo = pace(chapter.language) * self._scene_words / MEDIAN_WORDS
        stretches = stretch_blocks(chapter, tempo)
        raw = await chapter_places(chapter, stretches, self._embedder, tempo)
        tables = read_features(raw, self._model.spreads)
        segments = [
            segment
            for blocks, table in zip(stretches, tables, strict=True)
            for segment in self._cut(blocks, table, tempo, alone=len(stretches) == 1)
        ]
        return Segmentation(segments=tuple(segments), segmenter=self.version)

    def _cut(
        self, blocks: Sequence[Block], table: Table, tempo: float, *, alone: bool
    ) -> list[Segment]:
        words = [block.words for block in blocks]
        likely = self._likely(words, table, tempo, alone=alone)
        cuts = best_cuts(words, likely, tempo, alone=alone)
        firsts = [0, *cuts]
        lasts = [*(cut - 1 for cut in cuts), len(blocks) - 1]
        return [
            Segment(from_idx=blocks[first].first, to_idx=blocks[last].last)
            for first, last in zip(firsts, lasts, strict=True)
        ]

    def _likely(self, words: Sequence[int], table: Table, tempo: float, *, alone: bool) -> Floats:
        if len(words) == 1:
            return np.empty(0)
        lattice = Lattice.of(words, tempo, alone=alone)
        lengths = np.array(self._model.lengths)
        return steady_chances(self._model.scores(table), lattice, lengths, tempo)


async def chapter_places(
    chapter: ChapterText,
    stretches: Sequence[Sequence[Block]],
    embedder: TextEmbedder,
    tempo: float,
) -> list[Table]:
    """Return the raw features of each stretch's places; see `raw_features`."""
    texts = [block_text(chapter, block) for blocks in stretches for block in blocks]
    vectors = _matrix(await embedder.embed(texts, chapter.language))
    return raw_features(chapter, stretches, vectors, tempo)


def _matrix(vectors: Sequence[Dense]) -> NDArray[np.int16]:
    """Return the vectors as one matrix, shape (texts, dimensions)."""
    return np.frombuffer(b"".join(vectors), dtype="<i2").reshape(-1, DIMENSIONS)
