"""What readers see: a work as of an ordinal, and nothing after it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeVar

from contracts.ids import ChapterId, Generation, SceneId, WorkId
from contracts.ordinals import Ordinal
from contracts.outline import Outline
from contracts.scenes import Scene
from contracts.story_graph import StoryGraph
from contracts.tree import (
    AliasRow,
    AppearanceRow,
    CharacterRow,
    ChildRow,
    DescriptionRow,
    HomeRow,
    IdentityRow,
    StorylineRow,
    TouchRow,
)
from contracts.works import ChapterRecord

_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True)
class TreeSnapshot:
    """The rows that hold as of N, ends after N masked (`until_ordinal` null).

    Each tuple is sorted by its rows' identifying fields. `descriptions` holds each storyline's
    last version at or before N only.
    """

    storylines: tuple[StorylineRow, ...] = ()
    children: tuple[ChildRow, ...] = ()
    homes: tuple[HomeRow, ...] = ()
    touches: tuple[TouchRow, ...] = ()
    descriptions: tuple[DescriptionRow, ...] = ()
    characters: tuple[CharacterRow, ...] = ()
    aliases: tuple[AliasRow, ...] = ()
    identities: tuple[IdentityRow, ...] = ()
    appearances: tuple[AppearanceRow, ...] = ()


@dataclass(frozen=True, slots=True)
class ChapterScenes:
    """The scenes of one chapter, in the order of the text."""

    chapter_id: ChapterId
    ordinal: Ordinal
    scenes: tuple[Scene, ...]


@dataclass(frozen=True, slots=True)
class PassageCounts:
    """In how many of a story's passages each asked-for term stands, and how many there are."""

    passages: int
    counts: Mapping[str, int]


class StoryView(Protocol):
    """A work in one generation as of one ordinal. Nothing later can be had through it."""

    @property
    def work_id(self) -> WorkId:
        """The work."""

    @property
    def generation(self) -> Generation:
        """The generation that was live when the view was bound."""

    @property
    def as_of(self) -> Ordinal:
        """The ordinal up to and including which the reader has read."""

    async def chapters(self) -> tuple[ChapterRecord, ...]:
        """Return the live chapters at or below the as-of, in story order."""

    async def scenes(self) -> tuple[ChapterScenes, ...]:
        """Return the scenes of those chapters, in story order (chapters without any too)."""

    async def texts(self, chapter_ids: Collection[ChapterId]) -> Mapping[ChapterId, str]:
        """Return the texts of those of `chapter_ids` that the view holds."""

    async def snapshot(self) -> TreeSnapshot:
        """Return the tree as of the ordinal.

        Nothing that a chapter which is not live brought in is told: no edge of its scenes, no
        description that it made or that draws on its scenes (an earlier version counts then),
        none of the characters, names and identities that it introduced. Storylines say nothing
        of the text and stay until the next fold.
        """

    async def outline(self) -> Outline:
        """Return the scenes of those chapters, in few words, and the storylines they belong to.

        It tells what `scenes` and `snapshot` tell, and of the descriptions every version; at a
        cost that lets it be read with each question.
        """

    async def passage_counts(self, terms: Collection[str]) -> PassageCounts:
        """Count the passages of the view's chapters that hold each of `terms`."""

    async def confirm(self, pairs: Iterable[tuple[SceneId, int]]) -> frozenset[tuple[SceneId, int]]:
        """Return those (scene id, row position) pairs that the view's chapters link."""


class BoundStory(StoryView, Protocol):
    """A view that can be consulted as a graph, too."""

    async def consult(self, read: Callable[[StoryGraph], Awaitable[_Read]]) -> _Read:
        """Return what `read` makes of the graph in one state of the work, the newest.

        It may be run several times, since a commit that comes in the middle spoils a reading; so
        it does nothing but ask, one question after the other. The graph is of no use afterwards.
        """
