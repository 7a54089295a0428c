"""Outlines made by hand: long works, whose trees have every level, at no cost of indexing."""

from __future__ import annotations

from collections.abc import Sequence

from contracts.ids import ChapterId, SceneId
from contracts.ordinals import Ordinal
from contracts.outline import Outline, OutlineScene
from contracts.tree import ChildRow, DescriptionRow, StorylineKind, StorylineRow

SYNOPSIS = "They quarrel about the lamp, and somebody leaves before the tide is in."


def scene(number: int, home: str, title: str = "", synopsis: str = SYNOPSIS) -> OutlineScene:
    return OutlineScene(
        SceneId(f"scene-{number}"),
        ChapterId(f"c{number}"),
        Ordinal.parse(number),
        title or f"Title of {number}",
        synopsis,
        home,
    )


def flat(scenes: Sequence[OutlineScene]) -> Outline:
    """One thread a home, all of them under the root."""
    homes = dict.fromkeys(each.home for each in scenes)
    return Outline(
        scenes=tuple(scenes),
        storylines=(
            StorylineRow("root", StorylineKind.GROUP, 0),
            *(StorylineRow(home, StorylineKind.THREAD, 0) for home in homes),
        ),
        children=tuple(ChildRow(home, "root", 0, None) for home in homes),
        versions=tuple(
            DescriptionRow(home, 0, "c1", f"Thread {home}", "What it is about.", ())
            for home in homes
        ),
    )


def deep(chapters: int, scenes_each: int, capacity: int = 12) -> Outline:
    """A work of many chapters whose storylines are full at every level."""
    parents: dict[str, str] = {}
    leaves = [f"leaf{n}" for n in range(-(-chapters * scenes_each // capacity))]
    level, above = leaves, 0
    while len(level) > 1:
        above += 1
        names = [f"level{above}-{n}" for n in range(-(-len(level) // capacity))]
        parents |= {child: names[n // capacity] for n, child in enumerate(level)}
        level = names
    kinds = dict.fromkeys(leaves, StorylineKind.ARC)
    kinds |= {name: StorylineKind.THREAD for name in parents.values() if "level1-" in name}
    storylines = [*kinds, *(name for name in {*parents.values()} - {*kinds})]
    scenes = tuple(
        OutlineScene(
            SceneId(f"scene-{number}"),
            ChapterId(f"c{number // scenes_each + 1}"),
            Ordinal.parse(number // scenes_each + 1),
            f"Title of {number + 1}",
            SYNOPSIS,
            leaves[number // capacity],
        )
        for number in range(chapters * scenes_each)
    )
    return Outline(
        scenes=scenes,
        storylines=tuple(
            StorylineRow(name, kinds.get(name, StorylineKind.GROUP), 0)
            for name in sorted(storylines)
        ),
        children=tuple(ChildRow(child, parent, 0, None) for child, parent in parents.items()),
        versions=tuple(
            DescriptionRow(name, 0, "c1", f"About {name}", SYNOPSIS, ())
            for name in sorted(storylines)
        ),
    )
