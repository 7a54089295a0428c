"""Search in a book of the shared data, with no weights that were fitted on that book."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from contracts.ports import TextEmbedder
from processors.channels.merging import Merger
from processors.channels.weights import ChannelWeights
from processors.clue_weights import ClueWeights, shipped_weights
from processors.lexicon import Lexicon
from processors.ranking import SentenceRanker
from replay.evaluation.annotated import IndexedBook
from replay.evaluation.remembering_search import RememberingRetriever

_TABLES: Final = Path(__file__).with_name("tables")
HELD_OUT_CLUES_FILE: Final = _TABLES / "held_out_clues.json"
KINDLESS_CLUES_FILE: Final = _TABLES / "held_out_clues_kindless.json"
HELD_OUT_CHANNELS_FILE: Final = _TABLES / "held_out_channels.json"


def held_out_retriever(indexed: IndexedBook, embedder: TextEmbedder) -> RememberingRetriever:
    """Return a retriever of a book whose ranker and channels were fitted on all others.

    A book that none were fitted on gets the weights that ship.
    """
    book = indexed.book.name
    return RememberingRetriever(
        embedder, Lexicon(), indexed.vectors, held_out_ranker(book), held_out_merger(book)
    )


def held_out_ranker(book: str) -> SentenceRanker:
    """Return a ranker whose weights were fitted on all annotated novels but `book`.

    A book that none were fitted on gets the weights that ship.
    """
    table = _tables(HELD_OUT_CLUES_FILE).get(book)
    return SentenceRanker(shipped_weights() if table is None else ClueWeights.parse(table))


def kindless_ranker(book: str) -> SentenceRanker:
    """Return a ranker that knows nothing of kinds of answers, fitted on all novels but `book`.

    Raises:
        KeyError: none was fitted for the book.
    """
    return SentenceRanker(ClueWeights.parse(_tables(KINDLESS_CLUES_FILE)[book]))


def held_out_merger(book: str) -> Merger:
    """Return channels whose weights were fitted on all annotated novels but `book`.

    A book that none were fitted on gets the weights that ship.
    """
    weights = held_out_channels().get(book)
    return Merger.shipped() if weights is None else Merger.of(weights)


@cache
def held_out_channels() -> Mapping[str, ChannelWeights]:
    """Return by novel the weights of channels that were fitted on the ten others."""
    tables = json.loads(HELD_OUT_CHANNELS_FILE.read_text(encoding="utf-8"))
    return {name: ChannelWeights(table) for name, table in tables.items()}


@cache
def _tables(path: Path) -> dict[str, Any]:
    tables: dict[str, Any] = json.loads(path.read_text())
    return tables
