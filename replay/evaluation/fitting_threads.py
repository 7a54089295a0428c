"""Fit the weights of placement: `python -m replay.evaluation.fitting_threads`.

On gold scenes and on our own of the annotated English novels, by the cross-entropy method: of
candidates drawn around the best so far, those that place the books best say where to draw next.
Once for each book on the ten others, which is what figures are reported with, and once on all,
which is what ships. Writes `graph/tables/placement.json` and, beside this module,
`tables/held_out_placement.json`; takes some twenty minutes on two cores.

A candidate is worth its mean B-cubed F1 and twice its kappa, less what it has too few or too many
threads. Each weight is varied by its ratio to where it starts; meaning stays, as the measure.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from graph.placement_weights import WEIGHTS_FILE, Weights
from processors.sif import SifEmbedder
from replay.evaluation.annotated import ENGLISH
from replay.evaluation.thread_books import SEGMENTATIONS, ThreadBook, read_book
from replay.evaluation.thread_rehearsal import Stage, rehearse, stage_of
from replay.evaluation.thread_scores import Judge

Floats = NDArray[np.float64]
Candidate = dict[str, float]

HELD_OUT_FILE: Final = Path(__file__).with_name("tables") / "held_out_placement.json"

_TENTHS: Final = 10.0
_START: Final[Mapping[str, float]] = {
    "company": 1.5,
    "recency": 2.8,
    "continued": 0.7,
    "fits": 2.0,
    "crowding": 1.5,
    "crowded_percent": 90.0,
    "nearness_percent": 45.0,
    "fades_percent": 94.0,
    "prior_scenes": 6.0,
}
_MEANING: Final = 4.6
_WORKERS: Final = 2
_STEP: Final = 0.35
_GENERATIONS: Final = 24
_DRAWN: Final = 24
_KEPT: Final = 6
_LEAST_SPREAD: Final = 0.4
"""So wide candidates are drawn to the end: what is good only at one point is good by chance."""

_TIMIDITY: Final = 0.01
_KAPPA: Final = 2.0
_FEWEST, _MOST = 0.6, 1.7
"""Threads, as a share of the gold's, outside which each one more costs."""

_TOO_FEW, _TOO_MANY = 0.05, 0.03
_COUNTED: Final = frozenset(
    {"crowded_percent", "nearness_percent", "fades_percent", "prior_scenes"}
)
"""Weights that are no tenths of a log-odds."""


def candidate(ratios: Floats) -> Candidate:
    """Return the weights at `ratios`, in logarithms, to the start."""
    factors = dict(zip(_START, np.exp(_STEP * ratios).tolist(), strict=True))
    weights = {name: start * factors[name] for name, start in _START.items()}
    weights["fades_percent"] = max(
        30.0, 100 - (100 - _START["fades_percent"]) * factors["fades_percent"]
    )
    weights["nearness_percent"] = min(100.0, weights["nearness_percent"])
    return {"meaning": _MEANING, **weights}


def rounded(weights: Candidate) -> Weights:
    """Return the whole numbers that placement reads."""
    return Weights(
        **{
            name: round(value if name in _COUNTED else _TENTHS * value)
            for name, value in weights.items()
        }
    )


def fit(books: Sequence[tuple[Stage, Judge, int]]) -> Weights:
    """Fit the weights on books: what is rehearsed, who judges it, how many gold threads."""
    random = np.random.default_rng(1)
    centre, spread = np.zeros(len(_START)), np.ones(len(_START))
    for _ in range(_GENERATIONS):
        drawn = centre + spread * random.standard_normal((_DRAWN, len(_START)))
        worth = _worth([candidate(each) for each in drawn], books)
        worth -= _TIMIDITY * (drawn**2).mean(axis=1)
        kept = drawn[np.argsort(-worth, kind="stable")[:_KEPT]]
        centre = (centre + kept.mean(axis=0)) / 2
        spread = np.maximum((spread + kept.std(axis=0)) / 2, _LEAST_SPREAD)
    return rounded(candidate(centre))


def _worth(candidates: Sequence[Candidate], books: Sequence[tuple[Stage, Judge, int]]) -> Floats:
    worth = np.zeros(len(candidates))
    for stage, judge, gold in books:
        for nth, found in enumerate(rehearse(stage, candidates)):
            scores = judge(found.tolist())
            worth[nth] += scores.f1 + _KAPPA * scores.kappa
            worth[nth] -= _TOO_FEW * max(0.0, _FEWEST * gold - scores.threads)
            worth[nth] -= _TOO_MANY * max(0.0, scores.threads - _MOST * gold)
    return worth / len(books)


def _prepared(books: Sequence[ThreadBook]) -> list[tuple[Stage, Judge, int]]:
    return [(stage_of(book), Judge(book), book.threads) for book in books]


def _fit_without(held_out: str, books: Sequence[ThreadBook]) -> Weights:
    return fit(_prepared([book for book in books if book.name != held_out]))


async def _read() -> list[ThreadBook]:
    embedder = SifEmbedder()
    return [
        await read_book(name, segmentation, embedder)
        for name in ENGLISH
        for segmentation in SEGMENTATIONS
    ]


def main() -> None:
    """Fit, print and write the weights."""
    books = asyncio.run(_read())
    with ProcessPoolExecutor(_WORKERS) as pool:
        on_all = pool.submit(_fit_without, "", books)
        held_out = {name: pool.submit(_fit_without, name, books) for name in ENGLISH}
        shipped = asdict(on_all.result())
        reported = {name: asdict(each.result()) for name, each in held_out.items()}
    for path, content in ((WEIGHTS_FILE, shipped), (HELD_OUT_FILE, reported)):
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(content, indent=2) + "\n")
    print(json.dumps(shipped, indent=2))


if __name__ == "__main__":
    main()
