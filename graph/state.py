"""What the fold remembers between chapters: bounded for each storyline, and a value.

Every storyline in play has the same state, and nothing else is read by later decisions. One that
has *closed* can never gain a scene again: its children are forgotten and one scene of it is kept,
until its parent closes and it is forgotten altogether. Arcs close when they have ended, a thread
when it has slept for `RECENT` chapters, a group with the last thread in it. So the state grows
with what is going on in a story, not with its length, and an edit far back leaves little trace.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from contracts.ids import ChapterId, CharacterId, SceneId, StorylineId, WorkId
from contracts.ordinals import Ordinal
from contracts.tree import WINDOW, StorylineKind
from graph.cast_state import EMPTY_CAST, Cast

DIGEST_MODULUS: Final = 2**128
"""Digests are sums modulo this, so that one storyline's change costs two hashes."""

RECENT: Final = 320
"""How many of the last chapters with scenes are remembered, to tell how long ago a scene was.

A thread that was told in none of them has ended; one that returns after 300 chapters is found."""


class Place(NamedTuple):
    """Where a scene stands in the story; compares in story order."""

    ordinal: Ordinal
    chapter_id: ChapterId
    number: int


@dataclass(frozen=True, slots=True)
class Remembered:
    """A scene as a storyline remembers it.

    `dense` is its int16 vector, `characters` who is in it, `threads` the names that the
    segmenter gave its local threads. `mark` is a 128-bit number of all the rest.
    """

    scene: SceneId
    place: Place
    dense: bytes
    characters: tuple[CharacterId, ...]
    threads: tuple[str, ...]
    title: str
    synopsis: str
    mark: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        parts = (
            self.scene,
            *map(str, (int(self.place.ordinal), self.place.chapter_id, self.place.number)),
            self.title,
            self.synopsis,
            str(len(self.characters)),
            *self.characters,
            *self.threads,
        )
        object.__setattr__(self, "mark", digest_of(parts, self.dense))


class Child(NamedTuple):
    """A child of a storyline, scene or storyline, and since when it is there."""

    id: str
    since: Ordinal


@dataclass(frozen=True, slots=True)
class Storyline:
    """All that later chapters read of a storyline.

    `children` are scenes in a `leaf`, storylines else, in the order in which they came; none
    are remembered of one that has closed. `window` holds the last `WINDOW` scenes beneath, in story
    order, in a `leaf` all of its scenes; `count` is how many there have been, `growth` how many
    came since it was described. `summed` is no part of the value: `graph.profiles` keeps there
    what it has made of the window.
    """

    id: StorylineId
    kind: StorylineKind
    parent: StorylineId | None
    leaf: bool
    children: tuple[Child, ...] = ()
    window: tuple[Remembered, ...] = ()
    count: int = 0
    growth: int = 0
    summed: Any = field(default=None, init=False, repr=False, compare=False)

    def grown(self, scene: Remembered) -> Storyline:
        """Return the storyline with one more scene beneath it."""
        window = (*self.window, scene)
        return replace(
            self,
            window=window if self.leaf else window[-WINDOW:],
            count=self.count + 1,
            growth=self.growth + 1,
        )

    def under(self, parent: StorylineId) -> Storyline:
        """Return the storyline beneath another parent."""
        return replace(self, parent=parent)

    def with_child(self, child: str, since: Ordinal) -> Storyline:
        """Return the storyline with one more child."""
        return replace(self, children=(*self.children, Child(child, since)))

    def without(self, gone: Iterable[str]) -> Storyline:
        """Return the storyline without some of its children."""
        leaving = frozenset(gone)
        return replace(self, children=tuple(c for c in self.children if c.id not in leaving))

    @property
    def closed(self) -> bool:
        """Whether it can gain no scene any more; whatever is in play has a child."""
        return not self.children

    @property
    def digest(self) -> int:
        """A 128-bit number of everything in this value."""
        children = (text for child in self.children for text in (child.id, str(int(child.since))))
        figures = (self.leaf, self.count, self.growth, len(self.children))
        marks = (str(scene.mark) for scene in self.window)
        return digest_of(
            (self.id, self.kind, self.parent or "", *map(str, figures), *children, *marks)
        )


@dataclass(frozen=True, slots=True)
class FoldState:
    """The tree after a chapter, as the next one needs it.

    `root` is None until a chapter has a scene; `threads` says how many threads are in play.
    `recent` holds the last chapters that had scenes, oldest first, and how many each had.
    `tree_digest` is the sum of the storylines' digests.
    """

    work_id: WorkId
    root: StorylineId | None = None
    storylines: Mapping[StorylineId, Storyline] = field(
        default_factory=lambda: MappingProxyType({})
    )
    threads: int = 0
    recent: tuple[tuple[ChapterId, int], ...] = ()
    cast: Cast = EMPTY_CAST
    tree_digest: int = 0

    @property
    def digest(self) -> str:
        """32 hex digits that are equal when every later decision would be."""
        figures = (self.threads, *(part for chapter in self.recent for part in chapter))
        rest = digest_of(map(str, figures))
        total = (self.tree_digest + self.cast.digest + rest) % DIGEST_MODULUS
        return f"{total:032x}"


def digest_of(parts: Iterable[str], data: bytes = b"") -> int:
    """Return a 128-bit number of texts and bytes; no two different lists are joined alike."""
    joined = "".join(f"{len(part)}:{part}" for part in parts)
    hashed = hashlib.blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=16)
    hashed.update(data)
    return int.from_bytes(hashed.digest(), "big")
