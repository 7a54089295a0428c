"""The storyline tree, cut from an export: all of it is shown, so all of it is read."""

from __future__ import annotations

from collections import Counter, defaultdict

from contracts.answers import Export, ExportedStoryline
from contracts.ids import StorylineId
from contracts.reports import TreeNode, TreeReport


def tree(export: Export) -> TreeReport:
    """Return the storylines as a tree, children in the order in which they began."""
    children: defaultdict[StorylineId | None, list[ExportedStoryline]] = defaultdict(list)
    for storyline in export.storylines:
        children[storyline.parent].append(storyline)
    scenes = (scene for chapter in export.chapters for scene in chapter.scenes)
    beneath = Counter(each for scene in scenes for each in scene.path)

    def node(storyline: ExportedStoryline) -> TreeNode:
        return TreeNode(
            id=storyline.id,
            kind=storyline.kind,
            title=storyline.title,
            synopsis=storyline.synopsis,
            from_ordinal=storyline.from_ordinal,
            scenes=beneath[storyline.id],
            children=tuple(node(child) for child in children[storyline.id]),
        )

    roots = [node(storyline) for storyline in children[None]]
    return TreeReport(
        work_id=export.work_id,
        generation=export.generation,
        as_of=export.as_of,
        root=roots[0] if roots else None,
    )
