from __future__ import annotations

from dataclasses import replace

import numpy as np

from replay.evaluation.batch_fitting import CHOICES, fitted_clusters
from replay.evaluation.batch_threads import Likeness, Signs
from replay.evaluation.thread_books import ThreadBook

_SCENES, _THREADS = 48, 8


def _book(name: str) -> tuple[ThreadBook, Signs]:
    """Return a book that goes round eight threads, which meaning tells apart."""
    thread = np.arange(_SCENES) % _THREADS
    book = ThreadBook(
        name,
        (),
        np.eye(_SCENES, dtype=np.int64),
        tuple(range(_SCENES)),
        tuple((str(number),) for number in thread),
    )
    order = np.arange(_SCENES)
    meaning = (thread[:, None] == thread[None, :]).astype(np.float64)
    apart = np.abs(order[:, None] - order[None, :]).astype(np.float64)
    return book, Signs(meaning, np.zeros_like(meaning), apart)


def test_the_other_books_choose_how_many_clusters_there_are() -> None:
    books = [_book("one"), _book("other")]
    found = fitted_clusters([book for book, _ in books], [known for _, known in books])
    assert {name: len(set(threads)) for name, threads in found.items()} == {"one": 8, "other": 8}


def test_a_book_does_not_choose_for_itself() -> None:
    (one, known), (other, _) = _book("one"), _book("other")
    single = replace(other, gold=(("all",),) * _SCENES)
    found = fitted_clusters([one, single], [known, known])
    assert len(set(found["other"])) == 8
    assert len(set(found["one"])) == min(clusters for *_, clusters in CHOICES)


def test_nearness_falls_with_the_scenes_between() -> None:
    _, known = _book("one")
    alike = known.weighed(Likeness())
    assert alike[0, 1] > alike[0, 2] > alike[0, 7]
    assert alike[0, 8] > alike[0, 7]
