"""Ways to find threads that see the whole book at once, to measure the fold against.

They get the same scenes, vectors and characters as the fold, all deterministic: contiguous
blocks, k-means on meaning, agglomerative clustering, and a tree built from the top as a model is
asked to (*Storyline Trees*, 3.2), with a rule in the model's place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from contracts.tree import Appear, GraftRecord
from replay.evaluation.thread_books import ThreadBook

Floats = NDArray[np.float64]

CLUSTERS: Final = 10
"""As in the first measurements; annotators found 11 or 12."""

_ROUNDS: Final = 50
_LEVELS: Final = 4
"""Levels of storylines in the paper's trees."""

_SMALLEST: Final = 4
"""So few scenes are not parted again."""

_MOST: Final = 12
"""Most storylines that the stand-in names for one part of a story."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """What company and nearness count beside meaning; nearness falls to a third in `near` scenes.

    It is as in the first measurements, where it was found on these books.
    """

    company: float = 0.5
    nearness: float = 0.5
    near: float = 10.0


@dataclass(frozen=True, slots=True)
class Signs:
    """Of each two scenes of a book: how alike in meaning and company, how many scenes apart."""

    meaning: Floats
    company: Floats
    apart: Floats

    def weighed(self, likeness: Likeness) -> Floats:
        """Return how alike scenes are."""
        near = likeness.nearness * np.exp(-self.apart / likeness.near)
        return np.asarray(self.meaning + likeness.company * self.company + near)


@dataclass(frozen=True, slots=True)
class Grouped:
    """Each scene's thread; how deep storylines lie and how many children one has on average."""

    threads: tuple[str, ...]
    depth: int
    branching: float


def blocks(scenes: int, count: int) -> list[str]:
    """Return `count` equal runs of scenes."""
    return [str(number * count // scenes) for number in range(scenes)]


def directions(book: ThreadBook) -> Floats:
    """Return the scenes' vectors, less the book's mean, of length one."""
    dense = b"".join(inputs.dense for chapter in book.chapters for inputs in chapter.scenes)
    vectors = np.frombuffer(dense, dtype="<i2").reshape(len(book.labels), -1).astype(np.float64)
    return _unit(vectors - vectors.mean(axis=0))


def signs(book: ThreadBook, records: Sequence[GraftRecord]) -> Signs:
    """Compare the scenes of a book; of shared characters, rare ones count more."""
    places = {
        inputs.scene.scene_id: place
        for place, inputs in enumerate(each for c in book.chapters for each in c.scenes)
    }
    appearances = [op for record in records for op in record.operations if isinstance(op, Appear)]
    cast = sorted({each.character for each in appearances})
    present = np.zeros((len(places), len(cast)))
    for each in appearances:
        present[places[each.scene], cast.index(each.character)] = 1
    company = _unit(present * np.log((len(places) + 1) / (present.sum(axis=0) + 0.5)))
    order = np.arange(len(places))
    apart = np.abs(order[:, None] - order[None, :]).astype(np.float64)
    meaning = directions(book)
    return Signs(meaning @ meaning.T, company @ company.T, apart)


def k_means(vectors: Floats, count: int) -> list[str]:
    """Cluster unit vectors; the seeds are chosen each as far as can be from those before it."""
    seeds = [int(np.argmin(vectors @ vectors.sum(axis=0)))]
    while len(seeds) < min(count, len(vectors)):
        seeds.append(int(np.argmin((vectors @ vectors[seeds].T).max(axis=1))))
    centres = vectors[seeds]
    nearest = np.argmax(vectors @ centres.T, axis=1)
    for _ in range(_ROUNDS):
        for cluster in range(len(seeds)):
            if (nearest == cluster).any():
                centres[cluster] = vectors[nearest == cluster].sum(axis=0)
        centres = _unit(centres)
        before, nearest = nearest, np.argmax(vectors @ centres.T, axis=1)
        if (before == nearest).all():
            break
    return [str(cluster) for cluster in nearest]


def agglomerative(alike: Floats, count: int) -> list[int]:
    """Join, again and again, the two clusters whose scenes are most alike on average."""
    sums = alike.copy()
    members = [[scene] for scene in range(len(alike))]
    sizes = np.ones(len(alike))
    while len(members) > count:
        means = sums / np.outer(sizes, sizes)
        np.fill_diagonal(means, -np.inf)
        one, other = sorted(int(n) for n in np.unravel_index(int(means.argmax()), means.shape))
        members[one] += members.pop(other)
        sums[one] += sums[other]
        sums[:, one] += sums[:, other]
        sizes[one] += sizes[other]
        sums = np.delete(np.delete(sums, other, axis=0), other, axis=1)
        sizes = np.delete(sizes, other)
    found = [0] * len(alike)
    for number, scenes in enumerate(members):
        for scene in scenes:
            found[scene] = number
    return found


def top_down(alike: Floats) -> Grouped:
    """Build the tree of the paper: the story's main storylines first, then parts of each.

    What a model would be asked ("which storylines are there in these scenes, and which scene
    belongs to which?") is answered by a rule: average-link clusters of the scenes' likenesses,
    as many as separate best (mean silhouette), `_MOST` at most; parts of the whole are at least
    half of that, for a model asked for the plots of a novel does not name two. The threads are
    the storylines of the first level.
    """
    everything = list(range(len(alike)))
    first = _asked(alike, everything, fewest=_MOST // 2)
    threads = [""] * len(alike)
    for number, scenes in enumerate(first):
        for scene in scenes:
            threads[scene] = str(number)
    branches, depth, level = [len(first)], 1, first
    while depth < _LEVELS:
        parted = [(_asked(alike, part, fewest=2), part) for part in level if len(part) > _SMALLEST]
        parted = [(parts, part) for parts, part in parted if len(parts) > 1]
        if not parted:
            break
        branches += [len(parts) for parts, _ in parted]
        level = [part for parts, _ in parted for part in parts]
        depth += 1
    return Grouped(tuple(threads), depth, float(np.mean(branches)))


def _asked(alike: Floats, scenes: Sequence[int], fewest: int) -> list[list[int]]:
    """Answer in the model's place: part `scenes` into storylines."""
    here = alike[np.ix_(scenes, scenes)]
    best: tuple[float, list[int]] = (-np.inf, [0] * len(scenes))
    for count in range(fewest, min(_MOST, len(scenes) - 1) + 1):
        found = agglomerative(here, count)
        best = max(best, (_silhouette(here, np.array(found)), found), key=lambda each: each[0])
    return [
        [scene for scene, own in zip(scenes, best[1], strict=True) if own == part]
        for part in sorted(set(best[1]))
    ]


def _silhouette(alike: Floats, found: NDArray[np.int64]) -> float:
    """Return how much more alike scenes are to their own cluster than to the next, on average."""
    member = (found[:, None] == np.unique(found)[None, :]).astype(np.float64)
    sums, sizes = alike @ member, member.sum(axis=0)
    own = member.astype(bool)
    others = np.where(own, -np.inf, sums / sizes).max(axis=1)
    mates = sizes @ member.T - 1
    inside = (sums[own] - np.diag(alike)) / np.maximum(mates, 1)
    return float(np.mean(np.where(mates > 0, inside - others, 0.0)))


def _unit(rows: Floats) -> Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1.0))
