"""How well scenes were put into threads: kappa over pairs of scenes, B-cubed over sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from statistics import fmean
from typing import Final

import numpy as np
from numpy.typing import NDArray

from replay.evaluation.thread_books import Counts, ThreadBook

_APART: Final = 2
"""Neighbours mostly go together whatever one does: kappa is over pairs at least so far apart."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Of one way to put a book's scenes into threads, or the mean over books."""

    kappa: float
    ari: float
    f1: float
    precision: float
    recall: float
    threads: float
    """How many."""

    ratio: float
    """The same, as a multiple of the gold's."""

    def __str__(self) -> str:
        return (
            f"{self.kappa:6.3f} {self.ari:6.3f} {self.f1:6.3f} {self.precision:6.3f}"
            f" {self.recall:6.3f} {self.threads:7.1f} {self.ratio:6.2f}"
        )


class Judge:
    """Compares ways to put a book's scenes into threads, one thread a scene, with the gold.

    B-cubed: of the sentences in a sentence's thread, how many share a gold thread with it, and
    the other way round; every sentence counts once. Kappa: whether two scenes go together, for
    pairs of scenes at least two apart, each with the threads of its gold label. The adjusted Rand
    index is kappa, too, but of all pairs, and of the thread that annotators name first of a scene.
    """

    def __init__(self, book: ThreadBook) -> None:
        self._overlaps, self._gold, self._threads = book.overlaps, shared(book.gold), book.threads
        self._all = np.triu_indices(len(book.labels), 1)
        self._apart = np.triu_indices(len(book.labels), _APART)
        labels = np.array(book.labels)
        self._pairs = self._gold[np.ix_(labels, labels)][self._apart] > 0
        first = np.array([book.gold[label][0] for label in labels])
        self._first = (first[:, None] == first[None, :])[self._all]

    def __call__(self, found: Sequence[str | int]) -> Scores:
        """Return the scores of `found`, the thread of each scene."""
        threads = np.unique(np.array(found), return_inverse=True)[1]
        ours = (threads[:, None] == threads[None, :]).astype(np.int64)
        precision, recall = _bcubed(ours, self._gold, self._overlaps)
        return Scores(
            kappa=kappa(ours[self._apart] > 0, self._pairs),
            ari=kappa(ours[self._all] > 0, self._first),
            f1=2 * precision * recall / (precision + recall),
            precision=precision,
            recall=recall,
            threads=len(set(found)),
            ratio=len(set(found)) / self._threads,
        )


def scored(found: Sequence[str | int], book: ThreadBook) -> Scores:
    """Compare the one thread of each scene with the gold."""
    return Judge(book)(found)


def mean_scores(scores: Iterable[Scores]) -> Scores:
    """Return the mean over books."""
    return Scores(*map(fmean, zip(*map(astuple, scores), strict=True)))


def shared(threads: Sequence[Sequence[str]]) -> Counts:
    """Return 1 for each two scenes that share a thread: (scenes, scenes)."""
    names = sorted({name for own in threads for name in own})
    member = np.array([[name in own for name in names] for own in threads], dtype=np.int64)
    return np.asarray((member @ member.T > 0).astype(np.int64))


def kappa(ours: NDArray[np.bool_], theirs: NDArray[np.bool_]) -> float:
    """Return Cohen's kappa of two opinions on the same pairs; 0 where there are none."""
    if not ours.size:
        return 0.0
    agreed = float(np.mean(ours == theirs))
    a, b = float(ours.mean()), float(theirs.mean())
    chance = a * b + (1 - a) * (1 - b)
    return (agreed - chance) / (1 - chance) if chance < 1 else 0.0


def _bcubed(ours: Counts, theirs: Counts, overlaps: Counts) -> tuple[float, float]:
    """Return precision and recall, both means over sentences."""
    gold_sizes = overlaps.sum(axis=0) @ theirs
    our_sizes = ours @ overlaps.sum(axis=1)
    both = ours @ overlaps @ theirs
    precision = (overlaps * both / our_sizes[:, None]).sum()
    recall = (overlaps * both / np.maximum(gold_sizes, 1)[None, :]).sum()
    sentences = overlaps.sum()
    return float(precision / sentences), float(recall / sentences)
