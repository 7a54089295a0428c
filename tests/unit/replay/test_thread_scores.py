from __future__ import annotations

import numpy as np
import pytest

from replay.evaluation.batch_threads import agglomerative, blocks, k_means, top_down
from replay.evaluation.thread_books import ThreadBook
from replay.evaluation.thread_scores import Judge, kappa, scored


def _book(*gold: str, sentences: tuple[int, ...] | None = None) -> ThreadBook:
    """Return a book whose scenes are the gold ones; each letter of a scene is a thread."""
    counts = np.diag(sentences or (1,) * len(gold))
    return ThreadBook("b", (), counts, tuple(range(len(gold))), tuple(map(tuple, gold)))


def test_the_gold_itself_scores_full_marks() -> None:
    scores = scored(["x", "y", "x", "y"], _book("a", "b", "a", "b"))
    assert (scores.kappa, scores.ari, scores.f1, scores.ratio) == (1.0, 1.0, 1.0, 1.0)


def test_one_single_thread_has_full_recall_and_no_kappa() -> None:
    scores = scored(["x"] * 4, _book("a", "a", "b", "b"))
    assert (scores.precision, scores.recall, scores.kappa) == (0.5, 1.0, 0.0)


def test_a_scene_counts_by_its_sentences() -> None:
    scores = scored(["x", "x"], _book("a", "b", sentences=(3, 1)))
    assert scores.precision == pytest.approx(0.75 * 0.75 + 0.25 * 0.25)


def test_two_scenes_go_together_when_they_share_a_thread() -> None:
    scores = scored(["x", "x", "y"], _book("a", "ab", "b"))
    assert scores.precision == 1.0
    assert scores.recall == pytest.approx((1 + 2 / 3 + 1 / 2) / 3)


def test_a_scene_of_ours_over_two_gold_scenes_is_split_by_sentences() -> None:
    book = ThreadBook("b", (), np.array([[2, 1], [0, 3]]), (0, 1), (("a",), ("b",)))
    scores = Judge(book)(["x", "y"])
    assert scores.precision == pytest.approx((2 * 2 / 3 + 1 / 3 + 3) / 6)
    assert scores.recall == pytest.approx((2 + 1 / 4 + 3 * 3 / 4) / 6)


def test_kappa_is_nothing_for_agreement_by_chance() -> None:
    ours, theirs = np.array([True, True, False, False]), np.array([True, False, True, False])
    assert kappa(ours, theirs) == 0.0
    assert kappa(ours, ~ours) == -1.0


def test_the_rand_index_is_of_the_threads_named_first() -> None:
    book = _book("ab", "ac", "bc", "ba", "cb")
    scores = scored(["x", "x", "x", "y", "z"], book)
    n, both, ours, gold = 10, 1, 3, 2  # pairs in one thread
    expected = ours * gold / n
    assert scores.ari == pytest.approx((both - expected) / ((ours + gold) / 2 - expected))


def test_blocks_are_equal_runs() -> None:
    assert blocks(6, 3) == ["0", "0", "1", "1", "2", "2"]


ALIKE = np.kron(np.eye(8), np.ones((5, 5))).astype(np.float64)


def test_clustering_finds_what_is_plainly_apart() -> None:
    found = agglomerative(ALIKE, 8)
    assert len(set(found)) == 8
    assert all(len(set(found[at : at + 5])) == 1 for at in range(0, 40, 5))
    by_means = k_means(np.repeat(np.eye(8), 5, axis=0), 8)
    assert len(set(by_means)) == 8


def test_the_stand_in_names_as_many_storylines_as_separate_best() -> None:
    tree = top_down(ALIKE)
    assert len(set(tree.threads)) == 8
    assert tree.depth <= 4
