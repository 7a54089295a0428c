"""What happens to a storyline with more children than `CAPACITY`.

The root and the threads are fixed tops: their children move into two new parts beneath them. An
arc or a group gives one part of its children to a new sibling, and then its parent may have too
many in turn, as in a B-tree; so every scene of a thread lies equally deep. Parts by time are
cut late, so that what has ended is nearly full, and an arc that has ended is closed.

A thread ends when it has slept too long (`end_sleepers`), and a group with its last thread.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from contracts.ids import StorylineId
from contracts.tree import CAPACITY, WINDOW, StorylineKind
from graph.branches import Branches
from graph.partition import Division, Item, divide, divide_ended
from graph.profiles import most_typical, vectors
from graph.state import Remembered, Storyline

_NEWER_SCENES: Final = (1, 2, 3)
"""Sizes of the part that goes on when an arc has ended: what is closed keeps 10 to 12 scenes."""

_NEWER_GROUPED: Final = (4, 5, 3)
"""The same for threads and groups; their older part may still come alive, so it gets room."""

_NEWER_ARCS: Final = 3
"""Most arcs that stay open when an arc of arcs has ended."""


def relieve(tree: Branches, storyline: StorylineId) -> None:
    """Split `storyline`, and what that fills above it, until none has more than `CAPACITY`."""
    node = tree[storyline]
    if len(node.children) <= CAPACITY:
        return
    division = _divided(tree, node)
    if node.parent is None or node.kind is StorylineKind.THREAD:
        _split_top(tree, node, division)
    else:
        _split_off(tree, node, node.parent, division)
        relieve(tree, node.parent)


def _divided(tree: Branches, node: Storyline) -> Division:
    if node.leaf:
        scenes = zip(node.window, vectors(node.window), strict=True)
        return divide([Item(s.scene, vector, s.place) for s, vector in scenes], _NEWER_SCENES)
    children = [tree[StorylineId(child.id)] for child in node.children]
    items = [_item(tree, child) for child in children]
    if children[0].kind is StorylineKind.ARC:
        return divide_ended(items, _NEWER_ARCS)
    return divide(items, _NEWER_GROUPED)


def _item(tree: Branches, child: Storyline) -> Item:
    known = tree.profile(child.id)
    return Item(child.id, known.total // known.scenes, known.last, child.closed)


def _split_top(tree: Branches, top: Storyline, division: Division) -> None:
    """Move the children of the root or a thread into two new storylines beneath it."""
    kind = StorylineKind.ARC if top.kind is StorylineKind.THREAD else StorylineKind.GROUP
    parts = [tree.open_part(top.id, kind, leaf=top.leaf) for _ in range(2)]
    for part, children in zip(parts, (division.first, division.second), strict=True):
        _hand_over(tree, top, children, part)
    tree.put(replace(tree[top.id], leaf=False, window=top.window[-WINDOW:]))
    _settle(tree, parts, top.window)
    if kind is StorylineKind.GROUP:
        _close_ended(tree, parts)
    elif division.by_time:
        close(tree, parts[0])


def _split_off(tree: Branches, node: Storyline, parent: StorylineId, division: Division) -> None:
    """Move a part of a node's children into a new sibling; the other part stays."""
    part = tree.open_part(parent, node.kind, leaf=node.leaf)
    _hand_over(tree, node, division.second, part)
    _settle(tree, [node.id, part], node.window)
    if node.kind is StorylineKind.GROUP:
        _close_ended(tree, [node.id, part])
    elif division.by_time:
        close(tree, node.id)


def _hand_over(
    tree: Branches, source: Storyline, leaving: Iterable[str], target: StorylineId
) -> None:
    chosen = frozenset(leaving)
    for child in source.children:
        if child.id in chosen:
            tree.move(source.id, child, target)


def _settle(tree: Branches, parts: Iterable[StorylineId], window: Sequence[Remembered]) -> None:
    """Let each part remember what now lies beneath it, and have it described."""
    for part in parts:
        node = tree[part]
        if node.leaf:
            here = {child.id for child in node.children}
            beneath = [scene for scene in window if scene.scene in here]
            count = len(beneath)
        else:
            children = [tree[StorylineId(child.id)] for child in node.children]
            beneath = [scene for child in children for scene in child.window]
            count = sum(child.count for child in children)
        beneath.sort(key=lambda scene: scene.place)
        settled = replace(node, window=tuple(beneath[-WINDOW:]), count=count, growth=0)
        tree.put(settled)
        tree.describe(settled)


def end_sleepers(tree: Branches) -> None:
    """End the threads that no remembered chapter has told, and the groups that they leave empty.

    What groups in play remember of chapters that are not remembered themselves is forgotten.
    """
    for thread in tree.in_play(StorylineKind.THREAD):
        if not tree.is_recent(thread.window[-1].place):
            close(tree, thread.id)
            tree.end_thread()
            _close_above(tree, thread)
    for group in tree.in_play(StorylineKind.GROUP):
        if not tree.is_recent(group.window[0].place):
            kept = tuple(scene for scene in group.window if tree.is_recent(scene.place))
            tree.put(replace(group, window=kept))


def _close_above(tree: Branches, ended: Storyline) -> None:
    """Close the group above, and those above it, if nothing beneath is in play any more."""
    above = tree[ended.parent] if ended.parent else None
    while above is not None and above.parent is not None and not tree.children_in_play(above):
        close(tree, above.id)
        above = tree[above.parent]


def _close_ended(tree: Branches, groups: Iterable[StorylineId]) -> None:
    for group in groups:
        if not tree.children_in_play(tree[group]):
            close(tree, group)


def close(tree: Branches, storyline: StorylineId) -> None:
    """End a storyline, and what is still open beneath it: of each, one scene is kept."""
    node = tree[storyline]
    if not node.leaf:
        for child in node.children:
            beneath = tree[StorylineId(child.id)]
            if not beneath.closed:
                tree.describe(beneath)
                close(tree, beneath.id)
            tree.forget(beneath.id)
    kept = most_typical(node.window)
    tree.put(replace(node, children=(), window=(kept,), growth=0))
