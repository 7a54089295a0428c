"""What the map of a work is made of: its scenes in a few words each, and where they belong.

It is a small part of what a view holds, so that the map of a long serial can be read at each
question.
"""

from __future__ import annotations

from dataclasses import dataclass

from contracts.ids import ChapterId, SceneId
from contracts.ordinals import Ordinal
from contracts.tree import ChildRow, DescriptionRow, StorylineRow


@dataclass(frozen=True, slots=True)
class OutlineScene:
    """A scene; `home` is the storyline that it hangs on, "" for a moment without one."""

    scene_id: SceneId
    chapter_id: ChapterId
    ordinal: Ordinal
    title: str
    synopsis: str
    home: str = ""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Outline:
    """The outline of a work as of an ordinal; what was made of one may be kept as long as it is.

    `scenes` are in story order. `children` hold as of then, their later ends masked. `versions`
    are all of the storylines' descriptions up to then, sorted by storyline, then as they came:
    the first tells what a storyline was called when it began.
    """

    scenes: tuple[OutlineScene, ...] = ()
    storylines: tuple[StorylineRow, ...] = ()
    children: tuple[ChildRow, ...] = ()
    versions: tuple[DescriptionRow, ...] = ()
