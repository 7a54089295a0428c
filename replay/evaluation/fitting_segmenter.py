"""Fit the default segmenter: `python -m replay.evaluation.fitting_segmenter`.

On the annotated English novels of `../shared/data/storylines`: once for each book on all others,
which is what every figure on that book is reported with, and once on all, which is what ships.
Writes `processors/tables/boundaries.json` and, beside this module,
`tables/held_out_boundaries.json`; takes some three minutes.

The weights maximise the likelihood of the annotated ways to cut (a semi-Markov chain,
`processors.boundary_chances`) less a penalty for their squares; there is one best answer.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from contracts.ports import TextEmbedder
from processors.blocks import Block, stretch_blocks
from processors.boundary_chances import Lattice, chances
from processors.boundary_features import Feature
from processors.boundary_model import WEIGHTS_FILE, BoundaryModel
from processors.chapter_features import (
    AS_THEY_ARE,
    CENTRED,
    Spreads,
    Table,
    own_spread,
    read_features,
)
from processors.cohesion import chapter_places
from processors.length_prior import LENGTH_TERMS, length_terms, pace
from processors.sif import SifEmbedder
from replay.evaluation.climbing import lowest
from replay.evaluation.held_out_segmenter import HELD_OUT_FILE
from replay.evaluation.scene_gold import AnnotatedChapter, english_books, read_annotated
from replay.evaluation.shared_data import shared_data

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_PENALTY: Final = 20.0
_LENGTH_PENALTY: Final = 0.01
_LENGTHS: Final = (0.0, 3.0, -1.0, 1.0)
"""Weights of the lengths from which the search begins."""

_INSIDE: Final = -1.0
"""Set by hand: no annotated novel has a paragraph so long that it is taken by the sentence."""

_CUT_SHARE: Final = 0.07
_FLAT: Final = 1e-3
_STEPS: Final = 60
_DIGITS: Final = 3


@dataclass(frozen=True, slots=True)
class Cutting:
    """A stretch as it was cut: `cut` says of each place whether, `lengths` sums the terms."""

    lattice: Lattice
    cut: Floats
    lengths: Floats


@dataclass(frozen=True, slots=True)
class Lesson:
    """A chapter to learn from: of each stretch the raw features and how it was cut."""

    raw: tuple[Table, ...]
    cuttings: tuple[Cutting, ...]


async def lesson_of(chapter: AnnotatedChapter, embedder: TextEmbedder) -> Lesson:
    """Prepare an annotated chapter."""
    tempo = pace(chapter.text.language)
    stretches = stretch_blocks(chapter.text, tempo)
    raw = await chapter_places(chapter.text, stretches, embedder, tempo)
    alone = len(stretches) == 1
    cuttings = tuple(_cutting(chapter, blocks, alone=alone) for blocks in stretches)
    return Lesson(tuple(raw), cuttings)


def _cutting(chapter: AnnotatedChapter, blocks: Sequence[Block], *, alone: bool) -> Cutting:
    tempo = pace(chapter.text.language)
    words = np.array([block.words for block in blocks], dtype=np.int64)
    starts = [chapter.text.sentences[block.first - 1].start for block in blocks[1:]]
    cut = np.array([chapter.paragraph_at(start) in chapter.gold for start in starts], dtype=bool)
    bounds = np.flatnonzero(np.concatenate([[True], cut, [True]]))
    scenes = np.diff(np.concatenate([[0], np.cumsum(words)])[bounds])
    return Cutting(
        Lattice.of(words.tolist(), tempo, alone=alone),
        cut.astype(np.float64),
        length_terms(scenes, tempo).sum(axis=0),
    )


def fit(lessons: Sequence[Lesson], start: Floats | None = None) -> BoundaryModel:
    """Return the model that fits the lessons best."""
    spreads = _spreads(lessons)
    stretches = [
        (_matrix(table), cutting)
        for lesson in lessons
        for table, cutting in zip(read_features(lesson.raw, spreads), lesson.cuttings, strict=True)
    ]
    count = len(Feature)

    def loss(point: Floats) -> tuple[float, Floats]:
        weights, lengths = point[:count], point[count:]
        value = (_PENALTY * weights @ weights + _LENGTH_PENALTY * lengths @ lengths) / 2
        slope = np.concatenate([_PENALTY * weights, _LENGTH_PENALTY * lengths])
        for matrix, cutting in stretches:
            scores = matrix @ weights
            found = chances(scores, cutting.lattice, lengths)
            value += found.log_total - scores @ cutting.cut - lengths @ cutting.lengths
            slope[:count] += (found.cuts - cutting.cut) @ matrix
            slope[count:] += found.lengths - cutting.lengths
        return float(value), slope

    squares = np.sum([(matrix**2).sum(axis=0) for matrix, _ in stretches], axis=0)
    curvature = np.concatenate(
        [squares * _CUT_SHARE * (1 - _CUT_SHARE) + _PENALTY, np.full(LENGTH_TERMS, 200.0)]
    )
    begin = np.concatenate([np.zeros(count), _LENGTHS]) if start is None else start
    return _model(lowest(loss, begin, curvature, _FLAT, _STEPS), spreads)


def _spreads(lessons: Sequence[Lesson]) -> Spreads:
    """Return the mean over chapters of each feature's spread within the chapter."""
    spreads = {}
    for name in Feature:
        if name not in AS_THEY_ARE and name not in CENTRED:
            own = [own_spread(lesson.raw, name) for lesson in lessons]
            known = [spread for spread in own if spread]
            spreads[name] = round(fmean(known or [1.0]), _DIGITS + 1)
    return spreads


def _matrix(table: Table) -> Floats:
    return np.stack([table[name] for name in Feature], axis=1)


def _model(point: Floats, spreads: Spreads) -> BoundaryModel:
    values = np.round(point, _DIGITS).tolist()
    weights = dict(zip(Feature, values, strict=False))
    weights[Feature.INSIDE] = _INSIDE
    return BoundaryModel(weights, tuple(values[len(Feature) :]), spreads)


def _point(model: BoundaryModel) -> Floats:
    return np.array([*(model.weights[name] for name in Feature), *model.lengths])


async def _read(books: Sequence[str]) -> Mapping[str, list[Lesson]]:
    embedder = SifEmbedder()
    return {
        book: [await lesson_of(each, embedder) for each in read_annotated(shared_data(), book)]
        for book in books
    }


def main() -> None:
    """Fit, print and write the weights."""
    lessons = asyncio.run(_read(english_books(shared_data())))
    shipped = fit([lesson for each in lessons.values() for lesson in each])
    held_out: dict[str, Any] = {}
    for book in lessons:
        others = [lesson for name, each in lessons.items() if name != book for lesson in each]
        held_out[book] = fit(others, _point(shipped)).as_table()
        print(f"fitted without {book}", flush=True)
    for path, content in ((WEIGHTS_FILE, shipped.as_table()), (HELD_OUT_FILE, held_out)):
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(content, indent=1) + "\n")
    print(json.dumps(shipped.as_table(), indent=1))


if __name__ == "__main__":
    main()
