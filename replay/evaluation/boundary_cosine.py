"""How alike the sentences on the two sides of a cut are: the measure of the LitSeg paper.

Lower is better: where a scene ends the next sentence speaks of something else. But a segmenter
that cuts beside odd sentences scores well, too.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from contracts.ports import TextEmbedder
from contracts.scenes import ChapterText, Segment


async def boundary_cosines(
    chapter: ChapterText, segments: Sequence[Segment], embedder: TextEmbedder
) -> list[float]:
    """Return, for each segment but the first, the cosine of its first sentence and the one before.

    A cut beside a sentence of no known word is left out.
    """
    firsts = [segment.from_idx for segment in segments[1:]]
    texts = [chapter.sentence(number) for first in firsts for number in (first - 1, first)]
    vectors = await embedder.embed(texts, chapter.language)
    sides = [np.frombuffer(vector, dtype="<i2").astype(np.float64) for vector in vectors]
    cosines = []
    for before, after in zip(sides[::2], sides[1::2], strict=True):
        length = float(np.linalg.norm(before) * np.linalg.norm(after))
        if length:
            cosines.append(float(before @ after) / length)
    return cosines
