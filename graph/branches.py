"""The storylines while one chapter is grafted: a working copy that writes down what it does.

It lives for one call of `graft`; the state it was made from does not change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import accumulate
from types import MappingProxyType
from typing import Final

from contracts.ids import ChapterId, StorylineId, WorkId, root_id, split_id, storyline_id
from contracts.ordinals import Ordinal
from contracts.tree import (
    AttachScene,
    MoveScene,
    MoveStoryline,
    OpenStoryline,
    Operation,
    StorylineKind,
    TouchStoryline,
)
from graph.placement_weights import WEIGHTS, Weights
from graph.profiles import Profile, profile_of
from graph.state import DIGEST_MODULUS, Child, FoldState, Place, Remembered, Storyline

_LONG_AGO: Final = 10**6  # scenes; longer ago than is remembered, and longer than any chapter


class Branches:
    """The tree as one chapter changes it; `operations` is what it did, in order."""

    def __init__(
        self,
        state: FoldState,
        chapter_id: ChapterId,
        ordinal: Ordinal,
        weights: Weights = WEIGHTS,
    ) -> None:
        self.weights = weights
        self.operations: list[Operation] = []
        self.undescribed: dict[StorylineId, Storyline] = {}
        self.threads = state.threads
        self._before = state
        self._nodes = dict(state.storylines)
        self._root = state.root
        self._changed: set[StorylineId] = set()
        self._chapter_id, self._ordinal = chapter_id, ordinal
        self._since_start_of = _since_start_of(state)
        self._scenes_before = sum(count for _, count in state.recent)
        self._count_before = state.storylines[state.root].count if state.root else 0
        self._opened = 0
        self._parts: Counter[StorylineId] = Counter()

    # --- reading --------------------------------------------------------------------------

    def __getitem__(self, storyline: StorylineId) -> Storyline:
        """Return a storyline that is in play, or closed under a parent in play."""
        return self._nodes[storyline]

    @property
    def root(self) -> Storyline:
        """The root, opened when it is first asked for."""
        if self._root is None:
            self._root = self._open(root_id(self._work), StorylineKind.GROUP, None, leaf=False)
        return self._nodes[self._root]

    def profile(self, storyline: StorylineId) -> Profile:
        """Return the storyline's window, summed up."""
        return profile_of(self._nodes[storyline])

    def beside(self, storyline: Storyline) -> list[Profile]:
        """Return the windows of the children of the storyline's parent, as far as remembered."""
        parent = self._nodes.get(storyline.parent) if storyline.parent else None
        children = parent.children if parent else ()
        return [self.profile(StorylineId(c.id)) for c in children if c.id in self._nodes]

    def children_in_play(self, storyline: Storyline) -> list[Storyline]:
        """Return the storylines right beneath one, but for those that have closed."""
        children = (self._nodes[StorylineId(child.id)] for child in storyline.children)
        return [child for child in children if not child.closed]

    def in_play(self, kind: StorylineKind) -> list[Storyline]:
        """Return the storylines of a kind, by id, but for those that have closed."""
        found = [node for node in self._nodes.values() if node.kind is kind and not node.closed]
        return sorted(found, key=lambda node: node.id)

    def takes(self, thread: StorylineId) -> bool:
        """Say whether that is a thread in play."""
        node = self._nodes.get(thread)
        return node is not None and node.kind is StorylineKind.THREAD and not node.closed

    @property
    def scenes_lately(self) -> int:
        """How many scenes the chapters that are remembered have, this one's so far included."""
        return self._scenes_before + self.root.count - self._count_before

    def is_recent(self, place: Place) -> bool:
        """Say whether the place is in a chapter that is remembered, or in this one."""
        return place.chapter_id in self._since_start_of or place.chapter_id == self._chapter_id

    def scenes_since(self, last: Place, here: Place) -> int:
        """Return how many scenes stand between the two, at least; `here` is in this chapter."""
        if last.chapter_id == here.chapter_id:
            return here.number - last.number - 1
        until_here = self._since_start_of.get(last.chapter_id, _LONG_AGO)
        return until_here - last.number - 1 + here.number

    # --- growing --------------------------------------------------------------------------

    def open_thread(self, under: StorylineId) -> StorylineId:
        """Open a thread beneath a group; its first scene is to follow."""
        id_ = storyline_id(self._work, self._chapter_id, self._opened)
        self._opened += 1
        self.threads += 1
        self._open(id_, StorylineKind.THREAD, under, leaf=True)
        self.put(self._nodes[under].with_child(id_, self._ordinal))
        return id_

    def open_part(self, parent: StorylineId, kind: StorylineKind, *, leaf: bool) -> StorylineId:
        """Open a storyline born by a split beneath `parent`; its children are to follow."""
        id_ = split_id(parent, self._chapter_id, self._parts[parent])
        self._parts[parent] += 1
        self._open(id_, kind, parent, leaf=leaf)
        self.put(self._nodes[parent].with_child(id_, self._ordinal))
        return id_

    def attach(self, scene: Remembered, leaf: StorylineId) -> None:
        """Give a scene its home; every storyline above remembers it."""
        self.operations.append(AttachScene(scene=scene.scene, storyline=leaf))
        self.put(self._nodes[leaf].with_child(scene.scene, self._ordinal))
        above: StorylineId | None = leaf
        while above is not None:
            grown = self._nodes[above].grown(scene)
            self.put(grown)
            above = grown.parent

    def touch(self, scene: Remembered, thread: StorylineId) -> None:
        """Let a scene touch another thread."""
        self.operations.append(TouchStoryline(scene=scene.scene, storyline=thread))

    def move(self, source: StorylineId, child: Child, target: StorylineId) -> None:
        """Move a child to another parent; the parents' windows and counts are the caller's."""
        if self._nodes[source].leaf:
            self.operations.append(
                MoveScene(scene=child.id, source=source, target=target, since=child.since)
            )
        else:
            moved = self._nodes[StorylineId(child.id)]
            self.operations.append(
                MoveStoryline(storyline=moved.id, source=source, target=target, since=child.since)
            )
            self.put(moved.under(target))
        self.put(self._nodes[source].without([child.id]))
        self.put(self._nodes[target].with_child(child.id, self._ordinal))

    def put(self, storyline: Storyline) -> None:
        """Replace a storyline's state."""
        self._nodes[storyline.id] = storyline
        self._changed.add(storyline.id)

    def describe(self, storyline: Storyline) -> None:
        """Have a storyline described, as it is now, when the chapter has been grafted."""
        self.undescribed[storyline.id] = storyline

    def end_thread(self) -> None:
        """Count one thread less: it has closed."""
        self.threads -= 1

    def forget(self, storyline: StorylineId) -> None:
        """Drop a closed storyline's state."""
        del self._nodes[storyline]
        self._changed.add(storyline)

    # --- coming to an end -----------------------------------------------------------------

    def changed(self) -> Iterator[Storyline]:
        """Yield, by id, each storyline in play that is new or has changed."""
        for id_ in sorted(self._changed):
            if id_ in self._nodes:
                yield self._nodes[id_]

    def result(self) -> tuple[Mapping[StorylineId, Storyline], int]:
        """Return the storylines after the chapter, and the sum of their digests."""
        digest = self._before.tree_digest
        for id_ in self._changed:
            for nodes, sign in ((self._before.storylines, -1), (self._nodes, 1)):
                if id_ in nodes:
                    digest += sign * nodes[id_].digest
        return MappingProxyType(self._nodes), digest % DIGEST_MODULUS

    @property
    def _work(self) -> WorkId:
        return self._before.work_id

    def _open(
        self,
        id_: StorylineId,
        kind: StorylineKind,
        parent: StorylineId | None,
        *,
        leaf: bool,
    ) -> StorylineId:
        self.operations.append(OpenStoryline(storyline=id_, kind=kind, parent=parent))
        opened = Storyline(id_, kind, parent, leaf)
        self.put(opened)
        self.describe(opened)
        return id_


def _since_start_of(state: FoldState) -> dict[ChapterId, int]:
    """Return how many scenes there are from each recent chapter's first to the new chapter."""
    scenes = accumulate(count for _, count in reversed(state.recent))
    return dict(zip((id_ for id_, _ in reversed(state.recent)), scenes, strict=True))
