"""Placement rehearsed in floating point, for many sets of weights at once.

Fitting asks some thousands of times how a book would be placed. This says so for all candidates
together, with the rules of `graph.placement` and `graph.clusters` but threads side by side, as
they are until there are more than a dozen. What is fitted here is then measured with the fold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from contracts.ids import WorkId
from contracts.tree import WINDOW
from graph.cast_state import EMPTY_CAST
from graph.characters import meet
from graph.clusters import NOWHERE
from graph.placement import TOGETHER
from replay.evaluation.thread_books import ThreadBook

Floats = NDArray[np.float64]
Candidate = dict[str, float]

_MOST: Final = 40  # threads; whoever wants more is far from any gold
_FAR: Final = 10_000
_COMMONEST: Final = 0.05
_TINY: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Stage:
    """A book's scenes: dot products of their vectors, who is in them, the chapter of each."""

    dots: Floats
    present: Floats
    chapters: tuple[int, ...]


def stage_of(book: ThreadBook) -> Stage:
    """Prepare a book; names are resolved as the fold does it."""
    cast, present, chapters = EMPTY_CAST, [], []
    for number, chapter in enumerate(book.chapters):
        meeting = meet(cast, WorkId(book.name), chapter)
        cast = meeting.cast
        for inputs in chapter.scenes:
            present.append(frozenset(meeting.present.get(inputs.scene.scene_id, ())))
            chapters.append(number)
    people = sorted(frozenset().union(*present))
    dense = b"".join(inputs.dense for chapter in book.chapters for inputs in chapter.scenes)
    vectors = np.frombuffer(dense, dtype="<i2").reshape(len(present), -1) / 2048.0
    member = [[float(who in here) for who in people] for here in present]
    return Stage(vectors @ vectors.T, np.array(member), tuple(chapters))


def rehearse(stage: Stage, candidates: Sequence[Candidate]) -> NDArray[np.int64]:
    """Return the thread of each scene under each candidate: (candidates, scenes)."""
    weights = {name: np.array([each[name] for each in candidates]) for name in candidates[0]}
    rehearsal = _Rehearsal(stage, weights, len(candidates))
    scenes, at = len(stage.chapters), 0
    while at < scenes:
        end = at + 1
        while end < scenes and stage.chapters[end] == stage.chapters[at] and end - at < TOGETHER:
            end += 1
        rehearsal.place(at, end)
        at = end
    return rehearsal.found


class _Rehearsal:
    """What every candidate remembers: which scenes lie in each thread's window."""

    def __init__(self, stage: Stage, weights: dict[str, Floats], count: int) -> None:
        self._stage, self._weights, self._count = stage, weights, count
        scenes = len(stage.chapters)
        self._windows: list[list[list[int]]] = [[] for _ in range(count)]
        self.found = np.zeros((count, scenes), dtype=np.int64)

    def place(self, first: int, end: int) -> None:
        """Place the scenes `first` to `end - 1`, which are of one chapter."""
        known = max(map(len, self._windows))
        joined = _Joining(self._stage, self._weights, self._windows, range(first, end), known)
        joined.run()
        for candidate, windows in enumerate(self._windows):
            opened: dict[int, int] = {}
            for scene in range(first, end):
                cluster = int(joined.homes[candidate, scene - first])
                if cluster >= known and cluster not in opened:
                    opened[cluster] = len(windows)
                    windows.append([])
                thread = opened.get(cluster, cluster)
                windows[thread] = [*windows[thread], scene][-WINDOW:]
                self.found[candidate, scene] = thread


class _Joining:
    """Clusters of one chapter: `known` threads first, then the new scenes.

    All that is known of two clusters is in square matrices, one a candidate, whose rows and
    columns are added, or the nearer kept, when two are joined.
    """

    def __init__(
        self,
        stage: Stage,
        weights: dict[str, Floats],
        windows: Sequence[Sequence[Sequence[int]]],
        scenes: range,
        known: int,
    ) -> None:
        self._weights, self._known, self._scenes = weights, known, scenes
        count, new, total = len(windows), len(scenes), len(stage.chapters)
        member = np.zeros((count, known + new, total))
        self._gaps = np.full((2, count, known + new, known + new), float(_FAR))
        self._alive = np.ones((count, known + new), dtype=bool)
        numbers, fresh = np.array(scenes), known + np.arange(new)
        for candidate, threads in enumerate(windows):
            self._alive[candidate, len(threads) : known] = False
            for thread, window in enumerate(threads):
                member[candidate, thread, window] = 1
                near = numbers - window[-1]
                self._gaps[0, candidate, known:, thread] = near
                if stage.chapters[window[-1]] == stage.chapters[scenes[0]]:
                    self._gaps[1, candidate, known:, thread] = near
        member[:, fresh, numbers] = 1
        self._gaps[:, :, known:, known:] = np.abs(numbers[:, None] - numbers[None, :])
        self.homes = np.tile(fresh, (count, 1))
        self._compare(stage, member)

    def _compare(self, stage: Stage, member: Floats) -> None:
        """Take the common mean off and weigh characters, as `graph.clusters.Comparison` does."""
        everything = member.sum(axis=1)
        scenes = everything.sum(axis=1)
        counted = (scenes + NOWHERE)[:, None]
        ground = (everything @ stage.dots) / counted
        square = (ground * everything).sum(axis=1)[:, None] / counted
        size = member.sum(axis=2)
        below = (member @ ground[:, :, None])[:, :, 0]
        sizes = size[:, :, None] * size[:, None, :]
        dots = member @ stage.dots @ member.transpose(0, 2, 1)
        dots -= below[:, :, None] * size[:, None, :]
        dots -= below[:, None, :] * size[:, :, None]
        self._dots = dots + square[:, :, None] * sizes
        company = member @ stage.present
        rare = np.log((scenes[:, None] + 1) / (everything @ stage.present + 0.5))
        weighed = company * np.maximum(rare, _COMMONEST)[:, None, :]
        self._company = weighed @ weighed.transpose(0, 2, 1)

    def run(self) -> None:
        """Join what goes together best, for each candidate, until nothing fits."""
        open_ = np.ones(len(self._alive), dtype=bool)
        rows = np.arange(len(open_))
        while open_.any():
            score, fit = self._bonds()
            flat = score.reshape(len(score), -1)
            best = flat.argmax(axis=1)
            gone, into = np.divmod(best, score.shape[2])
            threads = self._alive.sum(axis=1)
            fits = fit.reshape(len(fit), -1)[rows, best] >= self._threshold(threads)
            open_ &= (flat[rows, best] > -_FAR) & (fits | (threads == 1) | (threads > _MOST))
            self._join(rows[open_], self._known + gone[open_], into[open_])

    def _threshold(self, threads: NDArray[np.int64]) -> Floats:
        crowd = np.log(threads / np.sqrt(self._scenes[-1] + 1))
        return np.asarray(self._weights["fits"] - self._weights["crowding"] * crowd)

    def _bonds(self) -> tuple[Floats, Floats]:
        """Return score and fit of (candidate, new cluster, any cluster)."""
        fit = self._weigh("meaning") * self._cosines(self._dots)
        fit += self._weigh("company") * self._cosines(self._company)
        gaps, here = self._gaps[:, :, self._known :]
        near = self._weigh("recency") * (self._weigh("fades_percent") / 100) ** (gaps - 1)
        near += self._weigh("continued") * (here == 1)
        allowed = self._alive[:, self._known :, None] & self._alive[:, None, :]
        clusters = np.arange(self._alive.shape[1])
        allowed &= clusters[None, :] < clusters[self._known :, None]
        score = np.where(allowed, fit + near, -2.0 * _FAR)
        return score, fit + near * self._weigh("nearness_percent") / 100

    def _cosines(self, products: Floats) -> Floats:
        squares = np.maximum(np.diagonal(products, axis1=1, axis2=2), _TINY)
        lengths = np.sqrt(squares)
        new = slice(self._known, None)
        return np.asarray(products[:, new] / lengths[:, new, None] / lengths[:, None, :])

    def _weigh(self, name: str) -> Floats:
        return np.asarray(self._weights[name][:, None, None])

    def _join(
        self, rows: NDArray[np.int64], gone: NDArray[np.int64], into: NDArray[np.int64]
    ) -> None:
        for products in (self._dots, self._company):
            products[rows, into] += products[rows, gone]
            products[rows, :, into] += products[rows, :, gone]
        for gaps in self._gaps:
            gaps[rows, into] = np.minimum(gaps[rows, into], gaps[rows, gone])
            gaps[rows, :, into] = np.minimum(gaps[rows, :, into], gaps[rows, :, gone])
        self._alive[rows, gone] = False
        self.homes[rows] = np.where(
            self.homes[rows] == gone[:, None], into[:, None], self.homes[rows]
        )
