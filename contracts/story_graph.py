"""What can be asked of a story's graph as of an ordinal: a port, and the values that it speaks in.

Nothing here is cut from the whole work: each question is answered by statements that begin at
an index, and costs what it touches, however long the work is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from contracts.ids import ChapterId, CharacterId, Generation, SceneId, StorylineId, WorkId
from contracts.ordinals import Ordinal
from contracts.scenes import Scene
from contracts.tree import AliasRow, DescriptionRow, IdentityRow, StorylineRow


class CastPlace(NamedTuple):
    """Where a character stands in the list of all: by most scenes, then who came first."""

    scenes: int
    since: int
    id: str


@dataclass(frozen=True, slots=True)
class Member:
    """A character as of N: introduced at `since`, in so many scenes, the first and last of them."""

    id: CharacterId
    since: Ordinal
    scenes: int
    first: Ordinal | None
    last: Ordinal | None

    @property
    def place(self) -> CastPlace:
        """Where the character stands in the list of all."""
        return CastPlace(self.scenes, int(self.since), self.id)


@dataclass(frozen=True, slots=True)
class Together:
    """Two characters who are in `scenes` of the same scenes."""

    one: CharacterId
    other: CharacterId
    scenes: int


class ThreadPlace(NamedTuple):
    """Where a thread stands in the list of all: oldest first."""

    since: int
    id: str


@dataclass(frozen=True, slots=True)
class Activity:
    """How much lies in a storyline: scenes at home in it, at any depth, and those that touch it.

    `last` is where the last of its own scenes stands, `last_touched` the last that touches it;
    `newest` are its last own scenes in story order, at most `NEWEST`.
    """

    scenes: int = 0
    touching: int = 0
    last: Ordinal | None = None
    last_touched: Ordinal | None = None
    newest: tuple[Scene, ...] = ()


NEWEST: Final = 3
"""A description grows stale between versions; so many newer scenes mend it."""


SHORTEST_ID: Final = 4
"""Digits of a character's id that are no word of a language: fewer would be taken for one."""


class StoryPlace(NamedTuple):
    """Where a scene stands in the story: `nth` of its chapter, -1 for a chapter without any."""

    ordinal: int
    chapter_id: str
    nth: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """Scenes to list, in story order: of one character or storyline, or all.

    Those of chapters from `first` to `last`, after a place, and no more than `limit`. `of_thread`
    lists the scenes beneath a storyline and those that touch it. Chapters without scenes are
    listed where all are.
    """

    limit: int
    of_character: CharacterId | None = None
    of_thread: StorylineId | None = None
    first: Ordinal | None = None
    last: Ordinal | None = None
    after: StoryPlace | None = None


@dataclass(frozen=True, slots=True)
class PlacedScene:
    """A scene where it stands; without one, a chapter that has none.

    `home` is false where it only touches the storyline whose scenes are listed.
    """

    place: StoryPlace
    scene: Scene | None
    home: bool = True

    @property
    def chapter_id(self) -> ChapterId:
        """The scene's chapter."""
        return ChapterId(self.place.chapter_id)

    @property
    def ordinal(self) -> Ordinal:
        """The chapter's place in the story."""
        return Ordinal(self.place.ordinal)


@dataclass(frozen=True, slots=True)
class Belonging:
    """Who is in a scene, by id, in which thread it lies, and which threads it touches, by id."""

    characters: tuple[CharacterId, ...]
    thread: StorylineId
    also: tuple[StorylineId, ...]


class StoryGraph(Protocol):
    """The graph of a work in one generation as of one ordinal. Nothing later can be had through it.

    What a chapter that is not live brought in is not told, as in `StoryView.snapshot`: every
    method tells of the same rows as that does, and all see the same state of the work. Each is a
    statement or two. What is not there is left out.
    """

    @property
    def work_id(self) -> WorkId:
        """The work."""

    @property
    def generation(self) -> Generation:
        """The generation that was live when the view was bound."""

    @property
    def as_of(self) -> Ordinal:
        """The ordinal up to and including which the reader has read."""

    async def names(self, ids: Collection[CharacterId] | None = None) -> tuple[AliasRow, ...]:
        """Return every name of these characters, or of all, by character, ordinal and name."""

    async def called(self, name: str) -> tuple[AliasRow, ...]:
        """Return the names that hold every word of `name`, and those of whose id begins with it.

        Both are compared folded (`contracts.words.folded`); of an id there have to be
        `SHORTEST_ID` digits. The order is as above.
        """

    async def cast(self, limit: int, after: CastPlace | None = None) -> tuple[Member, ...]:
        """Return the first `limit` characters after a place, by most scenes, age and id."""

    async def members(self, ids: Collection[CharacterId]) -> tuple[Member, ...]:
        """Return these characters, by id."""

    async def companions(self, ids: Collection[CharacterId]) -> tuple[Together, ...]:
        """Return with whom each of these characters is in scenes, by `one`, scenes, `other`.

        `one` is among `ids`; those of most scenes together come first.
        """

    async def identities(self, ids: Collection[CharacterId]) -> tuple[IdentityRow, ...]:
        """Return the identities that one of these has a part in, by `from_ordinal` and ids."""

    async def revealed(self, ordinals: Collection[Ordinal]) -> tuple[IdentityRow, ...]:
        """Return the identities that chapters at these ordinals reveal, by the same."""

    async def first_seen(self, ordinals: Collection[Ordinal]) -> Mapping[CharacterId, SceneId]:
        """Return whom chapters at these ordinals introduce, each with the scene of the first look.

        Somebody who is introduced and in no scene is left out.
        """

    async def threads(
        self, limit: int, after: ThreadPlace | None = None
    ) -> tuple[StorylineRow, ...]:
        """Return the first `limit` threads after a place, by age and id."""

    async def storylines(self, prefix: str, limit: int) -> tuple[StorylineRow, ...]:
        """Return the first `limit` storylines whose id begins with `prefix`, by age and id."""

    async def descriptions(
        self, ids: Collection[StorylineId]
    ) -> Mapping[StorylineId, DescriptionRow]:
        """Return the last version of each of these storylines' descriptions."""

    async def activity(self, ids: Collection[StorylineId]) -> Mapping[StorylineId, Activity]:
        """Return what lies in each of these storylines, those without a scene too."""

    async def newest_ordinals(self, limit: int) -> tuple[Ordinal, ...]:
        """Return the ordinals of the last `limit` chapters that have passages, newest first."""

    async def stretch(self, wanted: Stretch) -> tuple[PlacedScene, ...]:
        """Return scenes in story order."""

    async def shared(
        self, one: CharacterId, other: CharacterId, limit: int
    ) -> tuple[PlacedScene, ...]:
        """Return the first `limit` scenes in story order in which both are."""

    async def belonging(self, ids: Collection[SceneId]) -> Mapping[SceneId, Belonging]:
        """Return who is in each of these scenes and where it belongs."""

    async def chapter_titles(self, ids: Collection[ChapterId]) -> Mapping[ChapterId, str]:
        """Return the titles of these chapters."""
