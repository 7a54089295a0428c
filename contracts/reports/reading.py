"""What readers are shown of a story as of an ordinal, beside answers and exports.

Of a list that is longer than a page, `next` is what to ask the next one with.
"""

from __future__ import annotations

from enum import StrEnum

from contracts.answers import ExportedAlias
from contracts.frozen import Frozen
from contracts.ids import ChapterId, CharacterId, SceneId, StorylineId, WorkId
from contracts.ordinals import Ordinal
from contracts.tree import StorylineKind


class TreeNode(Frozen):
    """A storyline with what lies under it; `scenes` counts all scenes beneath."""

    id: StorylineId
    kind: StorylineKind
    title: str
    synopsis: str
    from_ordinal: Ordinal
    scenes: int
    children: tuple[TreeNode, ...]


class TreeReport(Frozen):
    """The storyline tree as of N; no root while there is no scene."""

    work_id: WorkId
    generation: str
    as_of: Ordinal
    root: TreeNode | None


class ThreadState(StrEnum):
    """`open` the newest chapter tells it; `sleeping` an earlier one did last; `ended` long ago.

    A thread that none of the last 320 chapters with scenes tells has ended: it is not taken up
    again, whoever returns.
    """

    OPEN = "open"
    SLEEPING = "sleeping"
    ENDED = "ended"


class ThreadLine(Frozen):
    """A plot thread: its scenes at home in it, and those of other threads that touch it.

    `sleeping_since` is where it was told last, unless it is open.
    """

    id: StorylineId
    title: str
    synopsis: str
    from_ordinal: Ordinal
    last_ordinal: Ordinal | None
    scenes: int
    touching: int
    state: ThreadState
    sleeping_since: Ordinal | None


class ThreadsReport(Frozen):
    """Threads as of N, oldest first."""

    work_id: WorkId
    generation: str
    as_of: Ordinal
    threads: tuple[ThreadLine, ...]
    next: str | None = None


class SceneLine(Frozen):
    """A scene in a list; `home` is false where it only touches the thread that is listed."""

    chapter_id: ChapterId
    ordinal: Ordinal
    scene_id: SceneId
    title: str
    synopsis: str
    characters: tuple[str, ...]
    home: bool = True


class ThreadReport(Frozen):
    """One thread as of N with its scenes in story order."""

    work_id: WorkId
    generation: str
    as_of: Ordinal
    thread: ThreadLine
    scenes: tuple[SceneLine, ...]
    next: str | None = None


class CharacterLine(Frozen):
    """A character in a list, under the fullest name known as of N."""

    id: CharacterId
    name: str
    aliases: tuple[str, ...]
    first_ordinal: Ordinal | None
    last_ordinal: Ordinal | None
    scenes: int


class CharactersReport(Frozen):
    """Characters as of N: those of most scenes first, then those who came first."""

    work_id: WorkId
    generation: str
    as_of: Ordinal
    characters: tuple[CharacterLine, ...]
    next: str | None = None


class NamedCharacter(Frozen):
    """A character under the fullest name known as of N, with every name and since when."""

    id: CharacterId
    name: str
    aliases: tuple[ExportedAlias, ...]


class Companion(Frozen):
    """Somebody who is in `scenes` of the same scenes."""

    id: CharacterId
    name: str
    scenes: int


class Revealed(Frozen):
    """Who the character turns out to be, under the name known as of N, and since when."""

    id: CharacterId
    name: str
    from_ordinal: Ordinal


class CharacterReport(Frozen):
    """One character as of N: names, first and last chapter, companions, scenes.

    `revealed` holds the identity both ways: the stranger is Griffin, Griffin is the stranger.
    Of `companions` there are as many as the page is long, those of most scenes together first,
    and the same on every page; `scene_count` and `companion_count` are of all.
    """

    work_id: WorkId
    generation: str
    as_of: Ordinal
    character: NamedCharacter
    first_ordinal: Ordinal | None
    last_ordinal: Ordinal | None
    revealed: tuple[Revealed, ...]
    companion_count: int
    companions: tuple[Companion, ...]
    scene_count: int
    scenes: tuple[SceneLine, ...]
    next: str | None = None
