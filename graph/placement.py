"""Where the scenes of a chapter belong: descend from the root, then join what goes together.

The scenes of a chapter are placed at once: each way down finds threads that may take a scene, and
then the two that go together best, a scene and a thread or two scenes, are joined, again and
again, until nothing fits any more. Scenes that are left open threads. So an episode is seen as
one before it is asked where it belongs. To stay in a thread needs less: what is lately told is
likely to go on, but nearness alone makes no thread.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from contracts.ids import StorylineId
from contracts.tree import MAX_TOUCHES, StorylineKind
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


@dataclass(frozen=True, slots=True)
class Scored:
    """How well a scene goes with a storyline."""

    storyline: Storyline
    score: int


def place(tree: Branches, scenes: Sequence[Remembered]) -> list[Placement]:
    """Decide where `scenes`, 1 to `TOGETHER` of one chapter, belong in `tree`, which has a root."""
    groups, threads = _ways_down(tree, scenes)
    known = [clusters.of_storyline(tree, thread, scenes[0]) for thread in threads]
    new = [clusters.of_scene(scene) for scene in scenes]
    compared = Comparison([*known, *new], tree.weights)
    bonds = [dict(zip(threads, compared.bonds(cluster, known), strict=True)) for cluster in new]
    first = scenes[0].place.number
    placements: list[Placement | None] = [None] * len(scenes)
    for cluster in _joined(tree, compared, known, new, bonds):
        inside = [number - first for number in cluster.members if number >= first]
        for nth in inside:
            placements[nth] = Placement(
                cluster.storyline,
                groups[inside[0]],
                inside[0],
                _touched(bonds[nth], cluster.storyline, tree.weights.fits * SCALE),
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
    known = [clusters.of_storyline(tree, storyline.id, scene) for storyline in storylines]
    bonds = Comparison(known, tree.weights).bonds(clusters.of_scene(scene), known)
    scored = [
        Scored(storyline, bond.score) for storyline, bond in zip(storylines, bonds, strict=True)
    ]
    return sorted(scored, key=lambda each: (-each.score, each.storyline.id))


def _ways_down(
    tree: Branches, scenes: Sequence[Remembered]
) -> tuple[list[StorylineId], list[StorylineId]]:
    """Return the best group above threads for each scene, and the threads to choose among."""
    groups, threads = [], set[StorylineId]()
    for scene in scenes:
        level, group = [tree.root], tree.root.id
        while True:
            children = [child for node in level for child in tree.children_in_play(node)]
            if not children or children[0].kind is StorylineKind.THREAD:
                break
            level = [scored.storyline for scored in rank(tree, scene, children)[:_BEAM]]
            group = level[0].id
        groups.append(group)
        threads.update(child.id for child in children)
    return groups, sorted(threads)


def _joined(
    tree: Branches,
    compared: Comparison,
    known: Sequence[Cluster],
    new: Sequence[Cluster],
    bonds: Sequence[Mapping[StorylineId, Bond]],
) -> list[Cluster]:
    """Join the new clusters with threads and each other while something fits.

    The pairs are (a new cluster, any other); both are known by their places in one list, new
    ones last, and a pair's two places break ties: threads by id, scenes in story order.
    """
    alive: dict[int, Cluster] = dict(enumerate([*known, *new]))
    fresh = set(range(len(known), len(alive)))
    pairs: dict[tuple[int, int], Bond] = {}
    for nth, at in enumerate(sorted(fresh)):
        for other, bond in enumerate(bonds[nth].values()):
            pairs[at, other] = bond
        pairs.update(_pairs(compared, alive, at, [each for each in fresh if each < at]))
    while pairs:
        best = max(pairs, key=lambda pair: (pairs[pair].score, -pair[1], -pair[0]))
        threads = tree.threads + len(fresh)
        if threads > 1 and pairs[best].fit < _threshold(
            tree.weights, threads, tree.scenes_lately + len(new)
        ):
            break
        gone, into = best
        alive[into] = alive[into].joined(alive.pop(gone))
        fresh.discard(gone)
        pairs = {pair: bond for pair, bond in pairs.items() if gone not in pair}
        others = [each for each in alive if each != into and (into in fresh or each in fresh)]
        pairs.update(_pairs(compared, alive, into, others))
    return list(alive.values())


def _pairs(
    compared: Comparison, alive: Mapping[int, Cluster], at: int, others: Sequence[int]
) -> dict[tuple[int, int], Bond]:
    """Compare one cluster with others; the later of a pair, which is a new one, comes first."""
    bonds = compared.bonds(alive[at], [alive[other] for other in others])
    return {(max(at, other), min(at, other)): b for other, b in zip(others, bonds, strict=True)}


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
