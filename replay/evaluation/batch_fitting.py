"""Batch clustering with a likeness and a number of clusters that the other books chose.

The fold is reported with weights fitted on other books; so is this, to compare like with like.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Final

import numpy as np

from replay.evaluation.batch_threads import Likeness, Signs, agglomerative
from replay.evaluation.fitting_threads import worth_of
from replay.evaluation.thread_books import ThreadBook
from replay.evaluation.thread_scores import Judge

Choice = tuple[float, float, float, int]

CHOICES: Final[Sequence[Choice]] = tuple(
    product((0.25, 0.5, 1.0), (0.25, 0.5, 1.0), (5.0, 10.0, 20.0), (6, 8, 10, 12))
)
"""Company, nearness, how far it reaches, clusters."""


def fitted_clusters(books: Sequence[ThreadBook], signs: Sequence[Signs]) -> dict[str, list[int]]:
    """Cluster each book as has been best, in the mean, for the others."""
    found = {book.name: _all(known) for book, known in zip(books, signs, strict=True)}
    worth = {book.name: _worths(book, found[book.name]) for book in books}
    return {name: each[_best(name, worth)] for name, each in found.items()}


def _all(signs: Signs) -> list[list[int]]:
    return [
        agglomerative(signs.weighed(Likeness(*weights)), clusters) for *weights, clusters in CHOICES
    ]


def _worths(book: ThreadBook, found: Sequence[Sequence[int]]) -> list[float]:
    judge = Judge(book)
    return [worth_of(judge(threads)) for threads in found]


def _best(held_out: str, worth: Mapping[str, Sequence[float]]) -> int:
    others = [each for name, each in worth.items() if name != held_out]
    return int(np.argmax(np.mean(others, axis=0)))
