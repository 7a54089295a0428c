"""The weights of search for a book of the shared data, never fitted on that book."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

from processors.clue_weights import ClueWeights, shipped_weights
from processors.ranking import SentenceRanker

HELD_OUT_CLUES_FILE: Final = Path(__file__).with_name("tables") / "held_out_clues.json"


def held_out_ranker(book: str) -> SentenceRanker:
    """Return a ranker whose weights were fitted on all annotated novels but `book`.

    A book that none were fitted on gets the weights that ship.
    """
    table = _tables().get(book)
    return SentenceRanker(shipped_weights() if table is None else ClueWeights.parse(table))


@cache
def _tables() -> dict[str, Any]:
    tables: dict[str, Any] = json.loads(HELD_OUT_CLUES_FILE.read_text())
    return tables
