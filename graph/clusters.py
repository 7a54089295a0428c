"""Storylines and new scenes side by side, as things that may be joined.

Every sign is symmetric and of two whole clusters: where their scenes point, who is in them, how
near they come to each other. What they are compared within (the mean that is taken off, how rare
a character is) is all of them together, and stays while a chapter is placed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from contracts.ids import CharacterId, StorylineId
from graph.branches import Branches
from graph.placement_weights import Weights
from graph.profiles import Vector, vectors
from graph.rarity import SCALE, Rarity, cosine, rarity
from graph.state import Remembered

_SAME_LOCAL_THREAD: Final = 30
"""A segmenter that read the chapter put both into one local thread: worth as much as good company.
(Not fitted: no gold segmentation names local threads.)"""

NOWHERE: Final = 6
"""Scenes that point nowhere, counted into the common mean: else the first two of a book would be
opposites."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Scenes that belong together.

    `storyline` is where they lie, None for scenes that have no place yet. `total` is the sum
    of their vectors. `members` are the numbers, within the chapter that is placed, of those
    that stand in it, and before them, below 0, that of the last one that does not; `local` are
    names of local threads in the chapter.
    """

    storyline: StorylineId | None
    total: Vector
    scenes: int
    company: Mapping[CharacterId, int]
    members: tuple[int, ...]
    local: frozenset[str]

    def joined(self, other: Cluster) -> Cluster:
        """Return the two as one; `other` has no place yet."""
        return Cluster(
            self.storyline,
            self.total + other.total,
            self.scenes + other.scenes,
            Counter(self.company) + Counter(other.company),
            tuple(sorted((*self.members, *other.members))),
            self.local | other.local,
        )


@dataclass(frozen=True, slots=True)
class Bond:
    """How well two clusters go together: `score` ranks, `fit` says whether they may join."""

    score: int
    fit: int


def of_scene(scene: Remembered) -> Cluster:
    """Return a new scene as a cluster of its own."""
    return Cluster(
        None,
        vectors([scene])[0],
        1,
        dict.fromkeys(scene.characters, 1),
        (scene.place.number,),
        frozenset(scene.threads),
    )


def of_storyline(tree: Branches, storyline: StorylineId, first: Remembered) -> Cluster:
    """Return a storyline's window as a cluster; `first` is the first scene to be placed."""
    known, window, here = tree.profile(storyline), tree[storyline].window, first.place
    chapter = [scene for scene in window if scene.place.chapter_id == here.chapter_id]
    last = here.number - 1 - tree.scenes_since(known.last, here)
    return Cluster(
        storyline,
        known.total,
        known.scenes,
        known.company,
        tuple(scene.place.number for scene in chapter) or (last,),
        frozenset(name for scene in chapter for name in scene.threads),
    )


class _Measured(NamedTuple):
    """What is needed of a cluster in every comparison with it.

    `towards` is where it points, the common mean taken off, `squared` the square of that, 0 where
    no word is known; `company` the square of who is in it, each counted and weighted.
    """

    cluster: Cluster
    towards: Vector
    squared: int
    company: int


class Comparison:
    """Compares clusters, all against what those it is made of have in common."""

    def __init__(self, clusters: Sequence[Cluster], weights: Weights) -> None:
        self._weights = weights
        self._scenes = sum(each.scenes for each in clusters) + NOWHERE
        self._ground = np.stack([cluster.total for cluster in clusters]).sum(axis=0)
        self._rarity: Rarity = rarity((each.company, each.scenes) for each in clusters)
        # By the identity of clusters, which `_known` holds.
        self._known: dict[int, _Measured] = {}
        self._bonds: dict[tuple[int, int], Bond] = {}

    def bonds(self, one: Cluster, others: Sequence[Cluster]) -> list[Bond]:
        """Return how well `one` goes together with each of `others`; asked again, the same."""
        pairs = [(id(one), id(other)) for other in others]
        new = [other for other, pair in zip(others, pairs, strict=True) if pair not in self._bonds]
        if new:
            ours, theirs = self._measured(one), [self._measured(other) for other in new]
            dots = (np.stack([other.towards for other in theirs]) @ ours.towards).tolist()
            squares = {who: self._rarity.of(who) ** 2 * n for who, n in one.company.items()}
            for other, dot in zip(theirs, dots, strict=True):
                self._bonds[id(one), id(other.cluster)] = self._bond(ours, other, dot, squares)
        return [self._bonds[pair] for pair in pairs]

    def _bond(
        self, one: _Measured, other: _Measured, meant: int, squares: Mapping[CharacterId, int]
    ) -> Bond:
        company, shared = other.cluster.company, 0
        for who, square in squares.items():
            if who in company:
                shared += square * company[who]
        fit = self._weights.meaning * cosine(meant, one.squared, other.squared)
        if shared:
            fit += self._weights.company * cosine(shared, one.company, other.company)
        if one.cluster.local and not one.cluster.local.isdisjoint(other.cluster.local):
            fit += _SAME_LOCAL_THREAD * SCALE
        near = self._nearness(*_nearest(one.cluster.members, other.cluster.members))
        return Bond(fit + near, fit + near * self._weights.nearness_percent // 100)

    def _measured(self, cluster: Cluster) -> _Measured:
        """Measure a cluster, once.

        The common mean is taken off exactly: it stands as a multiple, and needs no division.
        Where no word is known, there is no meaning.
        """
        known = self._known.get(id(cluster))
        if known is None:
            towards = self._scenes * cluster.total - cluster.scenes * self._ground
            squared = int(towards @ towards) if cluster.total.any() else 0
            company = sum((n * self._rarity.of(who)) ** 2 for who, n in cluster.company.items())
            known = self._known[id(cluster)] = _Measured(cluster, towards, squared, company)
        return known

    def _nearness(self, scenes_between: int, in_chapter: bool) -> int:
        """Return what it counts that so few scenes stand between, and no end of a chapter does."""
        near = self._weights.recency * self._weights.faded(scenes_between)
        if in_chapter and scenes_between == 0:
            near += self._weights.continued * SCALE
        return near


def _nearest(ours: Sequence[int], theirs: Sequence[int]) -> tuple[int, bool]:
    """Return how many scenes stand between the nearest two, and whether both are in the chapter."""
    between, one, other = abs(ours[0] - theirs[0]) - 1, ours[0], theirs[0]
    if len(ours) > 1 or len(theirs) > 1:
        between, one, other = min((abs(a - b) - 1, a, b) for a in ours for b in theirs)
    return between, min(one, other) >= 0
