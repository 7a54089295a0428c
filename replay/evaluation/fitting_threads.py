"""Fit the weights of placement: `python -m replay.evaluation.fitting_threads`.

Draws candidates, the same every time, and rehearses all of them on gold scenes and on our own of
the annotated English novels. The mean of those that place the books best is what is fitted: once
for each book by the ten others, which is what figures are reported with, and once by all, which
is what ships. (What is best alone is best by chance: a scene placed otherwise changes much after
it, so that worth jumps from one candidate to the next.) Writes `graph/tables/placement.json` and,
beside this module, `tables/held_out_placement.json`; takes some six minutes on one core.

A candidate is worth its mean B-cubed F1 and three times its kappa, less what it has too few or
too many threads. Kappa counts most, for one single thread has none, and F1 of .38.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from graph.placement_weights import WEIGHTS_FILE, Weights
from processors.sif import SifEmbedder
from replay.evaluation.annotated import ENGLISH
from replay.evaluation.thread_books import SEGMENTATIONS, ThreadBook, read_book
from replay.evaluation.thread_rehearsal import Candidate, rehearse, stage_of
from replay.evaluation.thread_scores import Judge, Scores

Floats = NDArray[np.float64]

HELD_OUT_FILE: Final = Path(__file__).with_name("tables") / "held_out_placement.json"

_MEANING: Final = 46.0
"""The measure of the others: tenths of a log-odds, by a regression on pairs of scenes."""

_MIDDLE: Final[Mapping[str, float]] = {
    "company": 23.0,
    "recency": 37.0,
    "continued": 5.0,
    "fits": 20.0,
    "crowding": 16.0,
    "nearness_percent": 40.0,
    "fades_percent": 10.0,
}
"""What candidates are drawn around; of what fades, what is lost a scene later."""

_SPREAD: Final = 0.45
"""Standard deviation of a weight's logarithm: two in three lie within a factor of 1.6."""

_DRAWN: Final = 1920
_AT_ONCE: Final = 48
_KEPT: Final = 50

_KAPPA: Final = 3.0
_FEWEST, _MOST = 0.6, 1.7
"""Threads, as a multiple of the gold's, outside which each one costs, and too few twice as much."""

_FAR: Final = 0.6


def drawn() -> Floats:
    """Return the candidates, as logarithms of ratios to the middle."""
    return _SPREAD * np.random.default_rng(1).standard_normal((_DRAWN, len(_MIDDLE)))


def candidate(ratios: Floats) -> Candidate:
    """Return the weights at `ratios`, in logarithms, to the middle."""
    factors = np.exp(ratios).tolist()
    weights = {
        name: at * factor for (name, at), factor in zip(_MIDDLE.items(), factors, strict=True)
    }
    weights["nearness_percent"] = min(100.0, weights["nearness_percent"])
    weights["fades_percent"] = max(30.0, 100.0 - weights["fades_percent"])
    return {"meaning": _MEANING, **weights}


def rounded(weights: Candidate) -> Weights:
    """Return the whole numbers that placement reads."""
    return Weights(**{name: round(value) for name, value in weights.items()})


def fitted(ratios: Floats, worth: Floats) -> Weights:
    """Return the mean of the candidates that are worth most."""
    best = np.argsort(-worth, kind="stable")[:_KEPT]
    return rounded(candidate(ratios[best].mean(axis=0)))


def worths(ratios: Floats, book: ThreadBook) -> Floats:
    """Rehearse a book with each candidate and say what that is worth."""
    stage, judge = stage_of(book), Judge(book)
    worth = []
    for first in range(0, len(ratios), _AT_ONCE):
        candidates = [candidate(each) for each in ratios[first : first + _AT_ONCE]]
        found = rehearse(stage, candidates).tolist()
        worth += [worth_of(judge(threads)) for threads in found]
    return np.array(worth)


def worth_of(scores: Scores) -> float:
    """Return what a candidate is worth that scores so on a book."""
    far = max(0.0, _FEWEST - scores.ratio, (scores.ratio - _MOST) / 2)
    return scores.f1 + _KAPPA * scores.kappa - _FAR * far


async def _read(name: str) -> list[ThreadBook]:
    embedder = SifEmbedder()
    return [await read_book(name, segmentation, embedder) for segmentation in SEGMENTATIONS]


def _mean(worth: Sequence[Floats]) -> Floats:
    return np.asarray(np.mean(worth, axis=0))


def main() -> None:
    """Fit, print and write the weights."""
    ratios = drawn()
    worth = {
        name: _mean([worths(ratios, book) for book in asyncio.run(_read(name))]) for name in ENGLISH
    }
    shipped = asdict(fitted(ratios, _mean(list(worth.values()))))
    held_out = {
        name: asdict(fitted(ratios, _mean([w for other, w in worth.items() if other != name])))
        for name in ENGLISH
    }
    for path, content in ((WEIGHTS_FILE, shipped), (HELD_OUT_FILE, held_out)):
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(content, indent=2) + "\n")
    print(json.dumps(shipped, indent=2))


if __name__ == "__main__":
    main()
