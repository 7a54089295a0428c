from __future__ import annotations

from dataclasses import asdict

import numpy as np

from graph.placement_weights import WEIGHTS
from replay.evaluation.annotated import ENGLISH
from replay.evaluation.fitting_threads import candidate, drawn, fitted, rounded
from replay.evaluation.thread_books import ThreadBook
from replay.evaluation.thread_rehearsal import rehearse, stage_of
from replay.evaluation.threads import folded, grouped, held_out_weights
from tests.unit.graph.stories import long_story


def _same_parts(one: list[int], other: tuple[str, ...]) -> bool:
    return len(set(zip(one, other, strict=True))) == len(set(one)) == len(set(other))


def test_a_rehearsal_ends_as_the_fold_does() -> None:
    chapters = tuple(long_story(12, 6, subjects=3))
    scenes = sum(len(chapter.scenes) for chapter in chapters)
    book = ThreadBook("b", chapters, np.eye(scenes, dtype=np.int64), tuple(range(scenes)), ())
    shipped = {name: float(value) for name, value in asdict(WEIGHTS).items()}
    eager = candidate(np.full(7, 0.35))
    found = rehearse(stage_of(book), [shipped, eager])
    for threads, weights in zip(found, (WEIGHTS, rounded(eager)), strict=True):
        tree = grouped(chapters, folded(chapters, weights))
        assert _same_parts(threads.tolist(), tree.threads)


def test_what_is_fitted_lies_amid_the_best_candidates() -> None:
    ratios = drawn()
    worth = -((ratios - 0.3) ** 2).sum(axis=1)
    weights = fitted(ratios, worth)
    middle = rounded(candidate(np.full(7, 0.3)))
    assert weights.meaning == middle.meaning == 46
    assert abs(weights.company - middle.company) <= 3
    assert abs(weights.fades_percent - middle.fades_percent) <= 3


def test_candidates_are_the_same_every_time() -> None:
    assert (drawn() == drawn()).all()


def test_every_book_that_is_reported_has_weights_fitted_without_it() -> None:
    assert set(held_out_weights()) == set(ENGLISH)
