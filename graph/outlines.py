"""The outline of a work as of an ordinal, cut from what is known of the whole; pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from contracts.ids import ChapterId, SceneId
from contracts.ordinals import Ordinal
from contracts.outline import Outline, OutlineScene
from contracts.tree import ChildRow, DescriptionRow, HomeRow, StorylineRow, TreeRow
from graph import presence
from graph.presence import Presence
from graph.snapshots import held_rows, masked, sorted_rows

OUTLINE_ROWS: Final = (StorylineRow, ChildRow, HomeRow, DescriptionRow)
"""The rows that an outline is made of."""


@dataclass(frozen=True, slots=True)
class SceneWords:
    """A scene in a few words."""

    scene_id: SceneId
    title: str
    synopsis: str


@dataclass(frozen=True, slots=True)
class OutlineChapter:
    """A live chapter and its scenes in the order of the text."""

    chapter_id: ChapterId
    ordinal: Ordinal
    scenes: tuple[SceneWords, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """All that outlines of one work are cut from, whatever the as-of.

    `chapters` are the live ones in story order, `rows` the whole history, as it is stored;
    `absent` and `absent_ordinals` as in `Presence`.
    """

    chapters: tuple[OutlineChapter, ...]
    rows: tuple[TreeRow, ...]
    absent: frozenset[str]
    absent_ordinals: frozenset[int]


def outline(told: Told, as_of: Ordinal) -> Outline:
    """Return the outline as of `as_of`: no row and no scene after it, no later end."""
    chapters = [chapter for chapter in told.chapters if chapter.ordinal <= as_of]
    there = Presence(
        scenes=frozenset(each.scene_id for chapter in chapters for each in chapter.scenes),
        absent=told.absent,
        absent_ordinals=told.absent_ordinals,
    )
    held = held_rows(presence.told(_wanted(told.rows), there), as_of)
    return Outline(
        scenes=tuple(_scenes(chapters, held)),
        storylines=sorted_rows(held, StorylineRow),
        children=masked(sorted_rows(held, ChildRow)),
        versions=sorted_rows(held, DescriptionRow),
    )


def _wanted(rows: Iterable[TreeRow]) -> Iterable[TreeRow]:
    return (row for row in rows if isinstance(row, OUTLINE_ROWS))


def _scenes(chapters: Sequence[OutlineChapter], held: Iterable[TreeRow]) -> Iterable[OutlineScene]:
    homes = {row.scene: row.storyline for row in held if isinstance(row, HomeRow)}
    return (
        OutlineScene(
            scene.scene_id,
            chapter.chapter_id,
            chapter.ordinal,
            scene.title,
            scene.synopsis,
            homes.get(scene.scene_id, ""),
        )
        for chapter in chapters
        for scene in chapter.scenes
    )
