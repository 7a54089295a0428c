"""Fit what each clue is worth in search: `python -m replay.evaluation.fitting_search`.

On the questions of the annotated English novels, each book indexed twice: with scenes of our own
(weights of the segmenter not fitted on the book) and with the annotators' scenes, titles and
synopses. Once for each book on all others, which is what every figure on that book is reported
with, and once on all, which is what ships. Writes `processors/tables/clues.json` and, beside this
module, `tables/held_out_clues.json`; takes some eight minutes. What signs of the kind of answer are
worth is told by leaving them out: `tables/held_out_clues_kindless.json` is fitted without them.

A question's evidence is taken as drawn, code point by code point, from the sentences found, with
chances that grow with the weighted sum of their clues; the weights maximise the likelihood of the
evidence less a penalty for their squares. There is one best answer.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from contracts.ports import Segmenter
from processors.clue_weights import CLUES_FILE, ClueWeights
from processors.clues import Clue
from processors.lexicon import Lexicon
from processors.retriever import Retriever
from processors.sif import SifEmbedder
from replay.evaluation.annotated import ENGLISH, index, load
from replay.evaluation.climbing import Floats, lowest
from replay.evaluation.held_out_search import HELD_OUT_CLUES_FILE, KINDLESS_CLUES_FILE
from replay.evaluation.held_out_segmenter import held_out_segmenter
from replay.evaluation.search_lessons import SearchLesson, lessons_of
from replay.evaluation.told_scenes import ToldScenes

_PENALTY: Final = 60.0
"""Of squares of weights, each clue in units of its usual spread: between 10 and 200 the books
left out are found as well."""

BY_KIND: Final = frozenset({Clue.SIGN, Clue.SIGN_NEXT, Clue.SIGN_OF_NUMBER, Clue.SIGN_OF_TIME})
"""The clues that depend on what kind of answer a question wants."""

_WORDS: Final = 1_000  # the budget for which is searched; any below gives the same sentences
_FLAT: Final = 1e-2
_STEPS: Final = 150
_CURVATURE_SHARE: Final = 0.5
_NO_SPREAD: Final = 1e-6


def fit(lessons: Sequence[SearchLesson]) -> ClueWeights:
    """Return the weights that fit the lessons best."""
    spreads = np.concatenate([lesson.clues for lesson in lessons]).std(axis=0) + _NO_SPREAD
    prepared = [
        ((each.clues - each.clues.mean(axis=0)) / spreads, each.shares, np.log(each.lengths))
        for each in lessons
    ]

    def loss(weights: Floats) -> tuple[float, Floats]:
        value = _PENALTY * weights @ weights / 2
        slope = _PENALTY * weights
        for clues, shares, lengths in prepared:
            scores = clues @ weights + lengths
            highest = scores.max()
            chances = np.exp(scores - highest)
            total = chances.sum()
            value += highest + np.log(total) - shares @ scores
            slope = slope + (chances / total - shares) @ clues
        return float(value), slope

    count = len(Clue)
    curvature = np.full(count, _PENALTY + _CURVATURE_SHARE * len(prepared))
    found = lowest(loss, np.zeros(count), curvature, _FLAT, _STEPS) / spreads
    return ClueWeights.parse(dict(zip(map(str, Clue), found.tolist(), strict=True)))


async def _read() -> Mapping[str, list[SearchLesson]]:
    embedder = SifEmbedder()
    lessons: dict[str, list[SearchLesson]] = {}
    for name in ENGLISH:
        ways: tuple[Segmenter, ...] = (held_out_segmenter(name, embedder), ToldScenes.of(name))
        for segmenter in ways:
            indexed = await index(load(name), segmenter, embedder)
            retriever = Retriever(embedder, Lexicon(), indexed.vectors)
            lessons.setdefault(name, []).extend(await lessons_of(retriever, indexed, _WORDS))
        print(f"read {name}", flush=True)
    return lessons


def kindless(lesson: SearchLesson) -> SearchLesson:
    """Return a lesson that shows nothing of `BY_KIND`: a clue that is always 0 is worth 0."""
    shows = np.array([clue not in BY_KIND for clue in Clue])
    return replace(lesson, clues=lesson.clues * shows)


def main() -> None:
    """Fit, print and write the weights."""
    lessons = asyncio.run(_read())
    held_out, without_kinds = {}, {}
    for book in lessons:
        others = [lesson for name, each in lessons.items() if name != book for lesson in each]
        held_out[book] = fit(others).as_table()
        without_kinds[book] = fit([kindless(lesson) for lesson in others]).as_table()
        print(f"fitted without {book}", flush=True)
    shipped = fit([lesson for each in lessons.values() for lesson in each]).as_table()
    for path, content in (
        (CLUES_FILE, shipped),
        (HELD_OUT_CLUES_FILE, held_out),
        (KINDLESS_CLUES_FILE, without_kinds),
    ):
        path.write_text(json.dumps(content, indent=1) + "\n")
    print(json.dumps(shipped, indent=1))


if __name__ == "__main__":
    main()
