from __future__ import annotations

from dataclasses import asdict

import numpy as np

from graph.placement_weights import WEIGHTS, Weights
from replay.evaluation.fitting_threads import candidate, rounded
from replay.evaluation.thread_books import ThreadBook
from replay.evaluation.thread_rehearsal import rehearse, stage_of
from replay.evaluation.threads import folded, grouped, held_out_weights
from tests.unit.graph.stories import long_story

_COUNTED = ("crowded_percent", "nearness_percent", "fades_percent", "prior_scenes")


def _as_floats(weights: Weights) -> dict[str, float]:
    return {
        name: value if name in _COUNTED else value / 10 for name, value in asdict(weights).items()
    }


def _same_parts(one: list[int], other: tuple[str, ...]) -> bool:
    return len(set(zip(one, other, strict=True))) == len(set(one)) == len(set(other))


def test_a_rehearsal_ends_as_the_fold_does() -> None:
    chapters = tuple(long_story(12, 6, subjects=3))
    scenes = sum(len(chapter.scenes) for chapter in chapters)
    book = ThreadBook("b", chapters, np.eye(scenes, dtype=np.int64), tuple(range(scenes)), ())
    eager = candidate(np.full(9, 1.0))
    found = rehearse(stage_of(book), [_as_floats(WEIGHTS), eager])
    for threads, weights in zip(found, (WEIGHTS, rounded(eager)), strict=True):
        tree = grouped(chapters, folded(chapters, weights))
        assert _same_parts(threads.tolist(), tree.threads)


def test_weights_come_back_from_the_search_as_whole_numbers() -> None:
    start = rounded(candidate(np.zeros(9)))
    assert (start.meaning, start.company, start.fades_percent) == (46, 15, 94)


def test_every_book_that_is_reported_has_weights_fitted_without_it() -> None:
    assert len(held_out_weights()) == 11
