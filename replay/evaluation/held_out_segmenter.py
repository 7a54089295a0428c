"""The default segmenter for a book of the shared data, with weights never fitted on that book."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

from contracts.ports import TextEmbedder
from processors.boundary_model import BoundaryModel
from processors.cohesion import CohesionSegmenter
from processors.length_prior import MEDIAN_WORDS

HELD_OUT_FILE: Final = Path(__file__).with_name("tables") / "held_out_boundaries.json"


def held_out_segmenter(
    book: str, embedder: TextEmbedder, scene_words: int = MEDIAN_WORDS
) -> CohesionSegmenter:
    """Return the segmenter whose weights were fitted on all annotated novels but `book`.

    A book that none were fitted on gets the weights that ship.
    """
    table = _tables().get(book)
    model = None if table is None else BoundaryModel.parse(table)
    return CohesionSegmenter(embedder, model, scene_words)


@cache
def _tables() -> dict[str, Any]:
    tables: dict[str, Any] = json.loads(HELD_OUT_FILE.read_text())
    return tables
