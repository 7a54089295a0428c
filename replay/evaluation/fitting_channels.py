"""Fits what clues of channels are worth: `python -m replay.evaluation.fitting_channels`.

Of the sentences that channels see of a question, those with the gold evidence should be the
likeliest, code point for code point (conditional logistic regression, all questions of the books
that channels serve, with a penalty on squared weights of standardised clues). Writes the weights
that ship, of all eleven English novels, and one set a novel, fitted on the ten others.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from processors.channels.merging import Merger
from processors.channels.weights import WEIGHTS_FILE, ChannelWeights
from processors.sif import SifEmbedder
from replay.evaluation.annotated import ENGLISH, index, load
from replay.evaluation.asked_places import CLUES, AskedPlaces, Floats, Listening, asked_places
from replay.evaluation.held_out_search import HELD_OUT_CHANNELS_FILE
from replay.evaluation.held_out_segmenter import held_out_segmenter

WORDS: Final = 1_000

_PENALTY: Final = 6.0
_STEPS: Final = 150
_RATE: Final = 0.05
_DIGITS: Final = 3
_THINNED: Final = 3


async def gathered() -> dict[str, list[AskedPlaces]]:
    """Return by novel what channels see of its questions; novels are indexed in memory."""
    embedder = SifEmbedder()
    listening = Listening(Merger.of(ChannelWeights({})))
    books = {}
    for name in ENGLISH:
        indexed = await index(load(name), held_out_segmenter(name, embedder), embedder)
        books[name] = await asked_places(indexed, embedder, listening, WORDS)
    return books


def fit(seen: Sequence[AskedPlaces]) -> dict[str, float]:
    """Return the weight of each of `CLUES`."""
    useful = [_thinned(each) for each in seen if each.held.sum() > 0]
    columns = np.concatenate([each.columns for each in useful])
    offsets = np.concatenate([each.offsets for each in useful])
    held = np.concatenate([each.held for each in useful])
    starts = np.cumsum([0, *(len(each.held) for each in useful[:-1])])
    question = np.repeat(np.arange(len(useful)), [len(each.held) for each in useful])
    spread = columns.std(axis=0) + 1e-6
    columns = (columns - columns.mean(axis=0)) / spread
    totals = np.add.reduceat(held, starts)[question]
    weights = np.zeros(columns.shape[1])
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):  # Adam (Kingma and Ba, 2015), on all questions at once
        odds = columns @ weights + offsets
        odds -= np.maximum.reduceat(odds, starts)[question]
        chances = np.exp(odds)
        chances /= np.add.reduceat(chances, starts)[question]
        slope = _PENALTY * weights + columns.T @ (chances * totals - held)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        weights -= _RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return _named(weights / spread)


class _Rows(NamedTuple):
    columns: Floats
    offsets: Floats
    held: Floats


def _thinned(seen: AskedPlaces) -> _Rows:
    """Keep all sentences with evidence and each `_THINNED`th of the others, which stands for all.

    An offset is the logarithm of the code points that the row stands for.
    """
    without = seen.held == 0
    kept = ~without | (np.arange(len(without)) % _THINNED == 0)
    stand_for = np.where(without, float(_THINNED), 1.0)
    offsets = np.log(seen.lengths * stand_for)
    return _Rows(seen.columns[kept], offsets[kept], seen.held[kept])


def _named(weights: Floats) -> dict[str, float]:
    return {
        name: round(worth, _DIGITS) for name, worth in zip(CLUES, weights.tolist(), strict=True)
    }


def _write(path: Path, table: object) -> None:
    path.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


async def main() -> None:
    """Fit and write all weights."""
    books = await gathered()
    others = {
        name: fit([each for other in books if other != name for each in books[other]])
        for name in books
    }
    _write(HELD_OUT_CHANNELS_FILE, others)
    _write(WEIGHTS_FILE, fit([each for book in books.values() for each in book]))


if __name__ == "__main__":
    asyncio.run(main())
