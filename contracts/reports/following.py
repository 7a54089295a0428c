"""What readers are shown of how a story goes: who is linked with whom, and what comes when."""

from __future__ import annotations

from enum import StrEnum

from contracts.frozen import Frozen
from contracts.ids import ChapterId, CharacterId, SceneId, StorylineId, WorkId
from contracts.ordinals import Ordinal
from contracts.reports.reading import SceneLine


class Person(Frozen):
    """A character under the fullest name known as of N."""

    id: CharacterId
    name: str


class LinkedBy(StrEnum):
    """`scenes` both are in the same scenes; `identity` they are revealed to be one person."""

    SCENES = "scenes"
    IDENTITY = "identity"


class PathLink(Frozen):
    """A step of a path. `from_ordinal` is where both are first together, or revealed to be one.

    `scene_count` counts the scenes in which both are; `scenes` are the first of them.
    """

    source: Person
    target: Person
    by: LinkedBy
    from_ordinal: Ordinal
    scene_count: int
    scenes: tuple[SceneLine, ...]


class PathReport(Frozen):
    """How two characters are linked as of N: the shortest chain of people who are together.

    Of several shortest ones, that of most scenes together, then that of the least ids. Without
    `linked` there is no chain of at most `most_links` links; with it and no links, the two are
    one character.
    """

    work_id: WorkId
    generation: str
    as_of: Ordinal
    source: Person
    target: Person
    linked: bool
    links: tuple[PathLink, ...]
    most_links: int


class ThreadName(Frozen):
    """A thread under its title as of N."""

    id: StorylineId
    title: str


class TimelineScene(Frozen):
    """A scene where it stands: its span, who is in it, its thread, and the threads it touches.

    `first_seen` are those of its characters whom no scene before it shows.
    """

    scene_id: SceneId
    start: int
    end: int
    title: str
    synopsis: str
    characters: tuple[str, ...]
    first_seen: tuple[str, ...]
    thread: ThreadName
    also: tuple[ThreadName, ...]


class TimelineChapter(Frozen):
    """A chapter with its scenes; one whose scenes fill a page goes on with the next."""

    chapter_id: ChapterId
    ordinal: Ordinal
    title: str
    scenes: tuple[TimelineScene, ...]


class TimelineReveal(Frozen):
    """Two characters who are revealed to be one at an ordinal."""

    ordinal: Ordinal
    one: Person
    other: Person


class TimelineReport(Frozen):
    """Chapters and scenes as of N in story order, and what is revealed where.

    `revealed` tells of the ordinals that begin on this page; with a character, of that one only.
    """

    work_id: WorkId
    generation: str
    as_of: Ordinal
    chapters: tuple[TimelineChapter, ...]
    revealed: tuple[TimelineReveal, ...]
    next: str | None = None
