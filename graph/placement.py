"""Where the scenes of a chapter belong: descend from the root, then join what goes together.

The scenes of a chapter are placed at once: each way down finds threads that may take a scene, and
then the two that go together best, a scene and a thread or two scenes, are joined, again and
again, until nothing fits any more. Scenes that are left open threads. So an episode is seen as
one before it is asked where it belongs. To stay in a thread needs less: what is lately told is
likely to go on, but nearness alone makes no thread.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from contracts.advice import MAX_TOUCHES, SceneAdvice
from contracts.ids import StorylineId
from contracts.tree import StorylineKind
from graph import clusters
from graph.branches import Branches
from graph.clusters import Bond, Cluster, Comparison
from graph.placement_weights import Weights
from graph.rarity import SCALE
from graph.state import Remembered, Storyline

TOGETHER: Final = 12
"""Most scenes that are placed at once: of a longer chapter, the next ones after these."""

_TOUCHES: Final = 15 * SCALE
_TOUCH_MARGIN: Final = 19 * SCALE
"""A second thread is touched when the scene nearly fits and it comes so close to the best: in
the gold, 20 to 60 % of the scenes of a book lie in two threads."""

_BEAM: Final = 3
"""Groups kept on each level of the way down, so that the thread is found when its group only
comes third: a group's window tells little of its quieter threads."""


@dataclass(frozen=True, slots=True)
class Placement:
    """A scene's thread, and the threads it touches.

    Where `thread` is None, the scene goes into the new thread that the scene numbered `opener`
    among those placed together opens, `under` that group or one beneath it.
    """

    thread: StorylineId | None
    under: StorylineId
    opener: int
    touches: tuple[StorylineId, ...] = ()


Advices = Mapping[int, SceneAdvice]
"""Advice by the number of a scene in its chapter, from 0."""

NO_ADVICE: Final[Advices] = {}


@dataclass(frozen=True, slots=True)
class Scored:
    """How well a scene goes with a storyline."""

    storyline: Storyline
    score: int


@dataclass(frozen=True, slots=True)
class Choices:
    """What scenes that are placed together have to choose among.

    `groups` holds, scene by scene, the best group above threads; `bonds` how well the scene goes
    together with each thread that was found, all of which are in `known`.
    """

    groups: Sequence[StorylineId]
    known: Sequence[Cluster]
    new: Sequence[Cluster]
    compared: Comparison
    bonds: Sequence[Mapping[StorylineId, Bond]]

    def threshold(self, tree: Branches, opened: int) -> int:
        """Return how well something must fit to be joined, with so many threads more."""
        scenes = tree.scenes_lately + len(self.new)
        return _threshold(tree.weights, tree.threads + opened, scenes)


def choices(
    tree: Branches, scenes: Sequence[Remembered], advised: Collection[StorylineId] = ()
) -> Choices:
    """Find the threads that may take `scenes`, and those `advised`, and compare them all."""
    new = [clusters.of_scene(scene) for scene in scenes]
    groups, found = _ways_down(tree, scenes[0], new)
    threads = sorted({*found, *advised})
    known = [clusters.of_storyline(tree, thread, scenes[0]) for thread in threads]
    compared = Comparison([*known, *new], tree.weights)
    bonds = [dict(zip(threads, compared.bonds(cluster, known), strict=True)) for cluster in new]
    return Choices(groups, known, new, compared, bonds)


def place(
    tree: Branches, scenes: Sequence[Remembered], advice: Advices = NO_ADVICE
) -> list[Placement]:
    """Decide where `scenes`, 1 to `TOGETHER` of one chapter, belong in `tree`, which has a root.

    Advice is taken, unless its thread is not in play.
    """
    first = scenes[0].place.number
    among = range(first, first + len(scenes))
    told = {
        number - first: each
        for number, each in advice.items()
        if number in among and (each.home is None or tree.takes(each.home))
    }
    found = choices(tree, scenes, [each.home for each in told.values() if each.home])
    placements: list[Placement | None] = [None] * len(scenes)
    for cluster in _joined(tree, found, told):
        inside = [number - first for number in cluster.members if number >= first]
        for nth in inside:
            placements[nth] = Placement(
                cluster.storyline,
                found.groups[inside[0]],
                inside[0],
                told[nth].touches
                if nth in told
                else _touched(found.bonds[nth], cluster.storyline, tree.weights.fits * SCALE),
            )
    return [placement for placement in placements if placement is not None]


def opening_group(tree: Branches, scene: Remembered, under: StorylineId) -> StorylineId:
    """Return the group that takes a new thread: `under`, or that beneath it which suits best.

    What was placed just before may have split `under`.
    """
    while True:
        children = tree.children_in_play(tree[under])
        if not children or children[0].kind is not StorylineKind.GROUP:
            return under
        under = rank(tree, scene, children)[0].storyline.id


def leaf_of(tree: Branches, scene: Remembered, thread: StorylineId) -> StorylineId:
    """Return the storyline, `thread` itself or an arc in play beneath it, that takes `scene`."""
    node = tree[thread]
    while not node.leaf:
        node = rank(tree, scene, tree.children_in_play(node))[0].storyline
    return node.id


def rank(tree: Branches, scene: Remembered, storylines: Sequence[Storyline]) -> list[Scored]:
    """Score at least one storyline against `scene`: best first, ties by id."""
    return _Level(tree, scene, storylines).ranked(clusters.of_scene(scene))


class _Level:
    """Storylines that scenes of one chapter have to choose among; `first` is any scene of it."""

    def __init__(self, tree: Branches, first: Remembered, storylines: Sequence[Storyline]) -> None:
        self._storylines = storylines
        self._known = [clusters.of_storyline(tree, each.id, first) for each in storylines]
        self._compared = Comparison(self._known, tree.weights)

    def ranked(self, scene: Cluster) -> list[Scored]:
        """Score the storylines: best first, ties by id."""
        bonds = self._compared.bonds(scene, self._known)
        scored = [
            Scored(storyline, bond.score)
            for storyline, bond in zip(self._storylines, bonds, strict=True)
        ]
        return sorted(scored, key=lambda each: (-each.score, each.storyline.id))


def _ways_down(
    tree: Branches, first: Remembered, scenes: Sequence[Cluster]
) -> tuple[list[StorylineId], list[StorylineId]]:
    """Return the best group above threads for each scene, and the threads to choose among.

    `first` is any scene of the chapter.
    """
    groups, threads = [], set[StorylineId]()
    levels: dict[tuple[StorylineId, ...], _Level] = {}
    for scene in scenes:
        chosen = [tree.root]
        while True:
            children = [child for node in chosen for child in tree.children_in_play(node)]
            if not children or children[0].kind is StorylineKind.THREAD:
                break
            ids = tuple(child.id for child in children)
            if ids not in levels:
                levels[ids] = _Level(tree, first, children)
            chosen = [scored.storyline for scored in levels[ids].ranked(scene)[:_BEAM]]
        groups.append(chosen[0].id)
        threads.update(child.id for child in children)
    return groups, sorted(threads)


class _Joining:
    """Clusters that are joined, a pair at a time; it lives for one call of `place`.

    The pairs are (a new cluster, any other); both are known by their places in one list, new
    ones last, and a pair's two places break ties: threads by id, scenes in story order. What was
    `advised` to open a thread is joined to no other thread.
    """

    def __init__(self, found: Choices) -> None:
        self._compared = found.compared
        self.alive: dict[int, Cluster] = dict(enumerate([*found.known, *found.new]))
        self.fresh = set(range(len(found.known), len(self.alive)))
        self.advised: set[int] = set()

    def join(self, gone: int, into: int) -> None:
        """Join two clusters; what is `gone` is new."""
        self.alive[into] = self.alive[into].joined(self.alive.pop(gone))
        self.fresh.discard(gone)
        if gone in self.advised:
            self.advised.add(into)

    def pairs_of(self, at: int, *, earlier: bool = False) -> dict[tuple[int, int], Bond]:
        """Compare one cluster with all that it may be joined with, or the `earlier` ones only."""
        others = [
            each for each in self.alive if self._may_join(at, each) and not (earlier and each > at)
        ]
        bonds = self._compared.bonds(self.alive[at], [self.alive[other] for other in others])
        return {(max(at, other), min(at, other)): b for other, b in zip(others, bonds, strict=True)}

    def _may_join(self, at: int, other: int) -> bool:
        if at == other or not self.fresh & {at, other}:
            return False
        if self.fresh >= {at, other}:
            return not self.advised >= {at, other}
        return not self.advised & {at, other}


def _joined(tree: Branches, found: Choices, told: Advices) -> list[Cluster]:
    """Join the new clusters with threads and each other: as advised, then while something fits."""
    joining = _Joining(found)
    _take_advice(joining, found, told)
    pairs: dict[tuple[int, int], Bond] = {}
    for at in sorted(joining.fresh):
        pairs.update(joining.pairs_of(at, earlier=True))
    while pairs:
        best = max(pairs, key=lambda pair: (pairs[pair].score, -pair[1], -pair[0]))
        opened = len(joining.fresh)
        if tree.threads + opened > 1 and pairs[best].fit < found.threshold(tree, opened):
            break
        gone, into = best
        joining.join(gone, into)
        pairs = {pair: bond for pair, bond in pairs.items() if not {gone, into} & {*pair}}
        pairs.update(joining.pairs_of(into))
    return list(joining.alive.values())


def _take_advice(joining: _Joining, found: Choices, told: Advices) -> None:
    threads = {cluster.storyline: at for at, cluster in enumerate(found.known)}
    openers: dict[int | None, int] = {}
    for nth, advice in sorted(told.items()):
        at = len(found.known) + nth
        if advice.home is not None:
            joining.join(at, threads[advice.home])
            continue
        opener = openers.setdefault(advice.opens, at)
        joining.advised.add(at)
        if opener != at:
            joining.join(at, opener)


def _threshold(weights: Weights, threads: int, scenes: int) -> int:
    """Return how well something must fit to be joined: less where there are many threads already.

    Else a story that never changes its subject, or that no vector tells anything about, would be
    all threads of one scene.
    """
    crowd = math.log(threads) - math.log(scenes) / 2
    return weights.fits * SCALE - weights.crowding * round(SCALE * crowd)


def _touched(
    bonds: Mapping[StorylineId, Bond], home: StorylineId | None, fits: int
) -> tuple[StorylineId, ...]:
    best = bonds[home].score if home else fits
    near = [
        (-bond.score, thread)
        for thread, bond in bonds.items()
        if thread != home and bond.fit > _TOUCHES and bond.score > best - _TOUCH_MARGIN
    ]
    return tuple(thread for _, thread in sorted(near)[:MAX_TOUCHES])
