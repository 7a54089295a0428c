"""Fit when there is an answer without a model: `python -m replay.evaluation.fitting_answers`.

Prints the weights that ship (`processors.answer_support`), fitted on all 11 annotated English
novels, and writes those of each novel held out, fitted on the ten others, where
`replay.evaluation.answers` reads them. A minute a novel.

An example is a question at the head of the story, or one chapter before its answer can be known. It
is right if the sentences chosen touch the gold evidence; no early one is.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from contracts.ids import WorkId
from contracts.ordinals import Ordinal
from processors.answer_support import Judge, Signals, signals
from processors.answerer import answering
from processors.retriever import Reading
from processors.sif import SifEmbedder
from replay.evaluation.annotated import (
    ENGLISH,
    AskedQuestion,
    Evidence,
    index,
    load,
    share_held,
)
from replay.evaluation.held_out_search import held_out_retriever
from replay.evaluation.held_out_segmenter import held_out_segmenter

WORDS: Final = 1_000
ANSWERED: Final = 0.55
"""The share of questions at the head that is answered: below half a reader is sent away too often,
and of the sentences that come after it one in five touches the evidence."""

_TABLE: Final = Path(__file__).parent / "tables" / "held_out_answers.json"
_SHRINKAGE: Final = 5.0
_STEPS: Final = 30

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Example:
    """What was seen of the best sentence, whether it is right, and whether it came too early."""

    seen: Signals
    right: bool
    early: bool


def held_out_judge(book: str) -> Judge:
    """Return the judge that was fitted on the other books."""
    table = json.loads(_TABLE.read_text())[book]
    return Judge(Signals(**table["weights"]), table["bias"], table["enough"])


def example_of(reading: Reading, asked: AskedQuestion, *, early: bool) -> Example | None:
    """Return the example that a reading makes; None where nothing was found."""
    ranked = answering(reading) if reading.extracts else []
    if not ranked:
        return None
    best = ranked[0]
    shown = Evidence(best.extract.candidate.chapter_id, best.start, best.end)
    right = not early and share_held(asked.evidence, [shown]) > 0
    return Example(signals(reading, best), right, early)


def fitted(examples: Sequence[Example]) -> Judge:
    """Fit a ridge logistic regression in which right and wrong ones weigh the same."""
    seen = np.array([each.seen for each in examples], dtype=np.float64)
    right = np.array([each.right for each in examples], dtype=np.float64)
    mean, spread = seen.mean(axis=0), seen.std(axis=0) + 1e-9
    share = right.mean()
    worth = np.where(right == 1, 0.5 / share, 0.5 / (1 - share))
    scaled = _logistic((seen - mean) / spread, right, worth)
    weights = scaled[:-1] / spread
    bias = float(scaled[-1] - weights @ mean)
    judge = Judge(Signals(*(round(float(w), 3) for w in weights)), round(bias, 3), 0.0)
    at_head = [judge.log_odds(each.seen) for each in examples if not each.early]
    return Judge(judge.weights, judge.bias, round(float(np.quantile(at_head, 1 - ANSWERED)), 3))


def _logistic(seen: Floats, right: Floats, worth: Floats) -> Floats:
    """Return weights and bias, by Newton's method."""
    table = np.c_[seen, np.ones(len(seen))]
    shrink = np.diag([_SHRINKAGE] * seen.shape[1] + [1e-6])
    weights = np.zeros(table.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-table @ weights))
        slope = table.T @ (worth * (right - chance)) - shrink @ weights
        bend = (table * (worth * chance * (1 - chance))[:, None]).T @ table + shrink
        weights = weights + np.linalg.solve(bend, slope)
    return weights


async def examples_of(book: str) -> list[Example]:
    """Ask a book's questions at its head, and one chapter too early."""
    embedder = SifEmbedder()
    indexed = await index(load(book), held_out_segmenter(book, embedder), embedder)
    retriever = held_out_retriever(indexed, embedder)
    examples = []
    for asked in indexed.book.questions:
        places = [None] if asked.knowable_from == 0 else [None, asked.knowable_from - 1]
        for place in places:
            as_of = None if place is None else Ordinal.parse(place)
            view = await indexed.tree.view(WorkId(book), as_of)
            if view is not None:
                reading = await retriever.read(view, asked.question, WORDS)
                examples.append(example_of(reading, asked, early=place is not None))
    return [each for each in examples if each is not None]


def held_out(examples: Mapping[str, Sequence[Example]]) -> dict[str, Judge]:
    """Return, for each book, the judge of the others."""
    return {
        book: fitted(
            [each for other in sorted(examples) if other != book for each in examples[other]]
        )
        for book in examples
    }


def report(examples: Mapping[str, Sequence[Example]]) -> None:
    """Print what ships, and write what was fitted without each book."""
    table = {
        book: {"weights": judge.weights._asdict(), "bias": judge.bias, "enough": judge.enough}
        for book, judge in held_out(examples).items()
    }
    _TABLE.write_text(json.dumps(table, indent=1) + "\n")
    print(fitted([each for book in sorted(examples) for each in examples[book]]))


async def _main() -> None:
    report({book: await examples_of(book) for book in ENGLISH})


if __name__ == "__main__":
    asyncio.run(_main())
