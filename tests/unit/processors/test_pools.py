from __future__ import annotations

import numpy as np

from processors.pools import Pool, highest_near, summed_by_group, summed_near
from tests.unit.processors.pooled import found

_RUNS = np.array([0, 0, 0, 1, 1])


def test_sums_reach_so_far_and_never_into_another_run() -> None:
    values = np.array([1.0, 2.0, 4.0, 8.0, 16.0])
    own, beside, far = summed_near(values, _RUNS, 0, 1, 9)
    assert own.tolist() == [1, 2, 4, 8, 16]
    assert beside.tolist() == [3, 7, 6, 24, 24]
    assert far.tolist() == [7, 7, 7, 24, 24]
    assert summed_near(values, _RUNS, 2)[0].tolist() == [7, 7, 7, 24, 24]


def test_the_highest_near_is_taken_by_column() -> None:
    values = np.array([[1.0, 0.0], [0.0, 5.0], [0.0, 0.0], [9.0, 9.0], [0.0, 0.0]])
    (highest,) = highest_near(values, _RUNS, 1)
    assert highest.tolist() == [[1, 5], [1, 5], [0, 5], [9, 9], [9, 9]]


def test_groups_are_summed_each_by_itself() -> None:
    assert summed_by_group(np.array([1.0, 2.0, 4.0]), np.array([0, 0, 1])).tolist() == [3, 4]


def test_a_pool_numbers_runs_passages_scenes_and_chapters() -> None:
    far = "x" * 500  # no sentence of the pool: a hole between two runs
    sentences, texts = found({"one": ["A bee. A cow.", "A dog."], "two": ["An eel."]})
    pool = Pool.of(sentences, texts, "en")
    assert pool.texts == ("A bee.", "A cow.", "A dog.", "An eel.")
    assert pool.runs.tolist() == [0, 0, 0, 1]
    assert pool.passages.tolist() == [0, 0, 1, 2]
    assert pool.chapters.tolist() == [0, 0, 0, 1]
    assert pool.read[0].units == ("a", "bee")

    sentences, texts = found({"one": ["A bee.", far, "A dog."]})
    held = [each for each in sentences if each.end - each.start < 100]
    assert Pool.of(held, texts, "en").runs.tolist() == [0, 1]
