"""The tree is cut from the export, in a fixed order."""

from __future__ import annotations

from streams.reading.tree import tree
from tests.unit.streams.exports import EXPORT


def test_the_tree_counts_all_scenes_beneath() -> None:
    root = tree(EXPORT).root
    assert root is not None
    assert (root.id, root.scenes) == ("root", 3)
    assert [(child.id, child.scenes) for child in root.children] == [("sea-1", 2), ("sea-2", 1)]
    assert [child.id for child in root.children[0].children] == ["arc"]
    empty = EXPORT.model_copy(update={"storylines": (), "chapters": ()})
    assert tree(empty).root is None
