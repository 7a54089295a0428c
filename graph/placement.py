"""Where a scene belongs: descend from the root, or open a new thread.

A storyline's score adds up what it means, who is in it, how lately it was told and whether the
scene just before, in the same chapter, belongs to it. To stay in a thread needs less: what is
lately told is likely to go on, but nearness alone makes no thread.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, repeat
from typing import Final

from contracts.ids import StorylineId
from contracts.tree import MAX_TOUCHES, StorylineKind
from graph.branches import Branches
from graph.profiles import likeness, vectors
from graph.rarity import SCALE, rarity, shared_company
from graph.state import Place, Remembered, Storyline

# Weights, thresholds and the pace of forgetting were fitted on gold scenes of Alice, The Hound of
# the Baskervilles, Treasure Island, The Awakening and The War of the Worlds, for B-cubed F1 and
# kappa at once, with gold names and names found alike; then rounded. In tenths of a log-odds.
_MEANING: Final = 46
_COMPANY: Final = 15
_RECENCY: Final = 28
_CONTINUED: Final = 7
_SAME_LOCAL_THREAD: Final = 15
"""A segmenter that read the chapter put both scenes into one local thread: worth as much as the
same company. (Not fitted: no gold segmentation names local threads.)"""

_FITS: Final = 20 * SCALE
"""Below this a scene opens a thread of its own."""

_CROWDED_PERCENT: Final = 200
"""Threads per square root of the scenes, in percent, beyond which it takes less and less to join
one: 20 for a novel of 100 scenes (the gold has 11 or 12), 220 for a serial of 12,000. Without it
a story that never changes its subject, or that no vector tells anything about, would be all
threads of one scene."""

_RELAXED_PERCENT: Final = 100
"""At three threads per square root of the scenes, what fits no thread at all joins the nearest."""

_NEARNESS_PERCENT: Final = 45
"""How much of recency and continuation counts when it is asked whether a scene fits at all."""

_TOUCHES: Final = 15 * SCALE
_TOUCH_MARGIN: Final = 19 * SCALE
"""A second thread is touched when the scene nearly fits and it comes so close to the best: in
the gold, 20 to 60 % of the scenes of a book lie in two threads."""

_BEAM: Final = 3
"""Groups kept on each level of the way down, so that the thread is found when its group only
comes third: a group's window tells little of its quieter threads."""

_FADES_PERCENT: Final = 94
"""What is left of recency after each further scene: half after 11, a tenth after 37."""

_FADED: Final = tuple(
    accumulate(repeat(None, 119), lambda left, _: left * _FADES_PERCENT // 100, initial=SCALE)
)


@dataclass(frozen=True, slots=True)
class Placement:
    """A scene's thread, or None to open one `under` that storyline; and the threads it touches."""

    thread: StorylineId | None
    under: StorylineId
    touches: tuple[StorylineId, ...] = ()


@dataclass(frozen=True, slots=True)
class Scored:
    """How well a scene goes with a storyline: `score` ranks, `fit` says whether it may join."""

    storyline: Storyline
    score: int
    fit: int


def place(tree: Branches, scene: Remembered) -> Placement:
    """Decide where `scene` belongs in `tree`, which has a root."""
    level, group = [tree.root], tree.root.id
    while True:
        children = [tree[StorylineId(child.id)] for node in level for child in node.children]
        if not children:
            return Placement(thread=None, under=group)
        ranked = rank(tree, scene, children)
        if ranked[0].storyline.kind is StorylineKind.THREAD:
            return _choose(ranked, group, _threshold(tree))
        level = [scored.storyline for scored in ranked[:_BEAM]]
        group = level[0].id


def leaf_of(tree: Branches, scene: Remembered, thread: StorylineId) -> StorylineId:
    """Return the storyline, `thread` itself or an arc in play beneath it, that takes `scene`."""
    node = tree[thread]
    while not node.leaf:
        arcs = [tree[StorylineId(child.id)] for child in node.children]
        in_play = [arc for arc in arcs if not arc.closed]
        node = rank(tree, scene, in_play)[0].storyline
    return node.id


def rank(tree: Branches, scene: Remembered, storylines: Sequence[Storyline]) -> list[Scored]:
    """Score at least one storyline against `scene`: best first, ties by id."""
    profiles = [tree.profile(storyline.id) for storyline in storylines]
    weights = rarity((known.company, known.scenes) for known in profiles)
    meanings = likeness(vectors([scene])[0], profiles)
    scored = []
    for storyline, known, meaning in zip(storylines, profiles, meanings, strict=True):
        near = _RECENCY * _recency(tree.scenes_since(known.last, scene.place))
        near += _CONTINUED * SCALE * _continues(known.last, scene.place)
        fit = _MEANING * meaning
        fit += _COMPANY * shared_company(scene.characters, known.company, weights)
        fit += _SAME_LOCAL_THREAD * SCALE * _shares_local_thread(storyline, scene)
        scored.append(Scored(storyline, fit + near, fit + near * _NEARNESS_PERCENT // 100))
    return sorted(scored, key=lambda each: (-each.score, each.storyline.id))


def _threshold(tree: Branches) -> int:
    """Return how well a scene must fit to join: less where there are many threads already."""
    expected = math.isqrt(10_000 * tree.root.count)
    excess = max(0, 10_000 * tree.threads // expected - _CROWDED_PERCENT)
    return _FITS - _FITS * excess // _RELAXED_PERCENT


def _choose(ranked: Sequence[Scored], group: StorylineId, threshold: int) -> Placement:
    best, others = ranked[0], ranked[1:]
    if best.fit < threshold:
        return Placement(None, group, _touched(ranked, threshold))
    parent = best.storyline.parent or group
    return Placement(best.storyline.id, parent, _touched(others, best.score))


def _touched(others: Sequence[Scored], best: int) -> tuple[StorylineId, ...]:
    near = [
        other.storyline.id
        for other in others
        if other.fit > _TOUCHES and other.score > best - _TOUCH_MARGIN
    ]
    return tuple(near[:MAX_TOUCHES])


def _recency(scenes_since: int) -> int:
    return _FADED[scenes_since] if scenes_since < len(_FADED) else 0


def _continues(last: Place, here: Place) -> bool:
    return last.chapter_id == here.chapter_id and last.number + 1 == here.number


def _shares_local_thread(storyline: Storyline, scene: Remembered) -> bool:
    return bool(scene.threads) and any(
        known.place.chapter_id == scene.place.chapter_id
        and not set(known.threads).isdisjoint(scene.threads)
        for known in storyline.window
    )
