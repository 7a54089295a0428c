"""What a store keeps of a work and its chapters, and the transaction that changes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import AliasChoices, BeforeValidator, Field

from contracts.frozen import Frozen
from contracts.ids import ChapterId, Generation, WorkId
from contracts.messages import Outcome
from contracts.order import Registers
from contracts.ordinals import Ordinal
from contracts.scenes import Dropped, Paratext, Repairs, Warned
from contracts.tree import GraftRecord, RowChanges, SceneInputs


def _as_many(noted: object) -> object:
    """Read the one position, or null, that stores have in which no more were noted."""
    return () if noted is None else (noted,) if isinstance(noted, int) else noted


class ChapterRecord(Frozen):
    """All that is known of a chapter but its text and scenes; kept for unknown chapters too.

    `row_position` is the event that wrote the linked vector rows; `items` their scene and
    passage ids. `content_hash` is empty and `items` too while there is no text. Under
    `unlinked_positions` lay rows of the chapter that its last commit did not link: they are gone,
    unless a process died between a commit and their deletion. `hidden_by` is the position of a
    withdrawal that readers see already and the tree does not yet: until that event is grafted, the
    chapter stays in the tree and is shown to nobody.
    """

    chapter_id: ChapterId
    registers: Registers
    title: str = ""
    language: str = ""
    content_hash: str = ""
    row_position: int = -1
    unlinked_positions: Annotated[tuple[int, ...], BeforeValidator(_as_many)] = Field(
        default=(), validation_alias=AliasChoices("unlinked_positions", "unlinked_position")
    )
    items: tuple[str, ...] = ()
    words: int = 0
    passages: int = 0
    paratext: tuple[Paratext, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    warnings: tuple[Warned, ...] = ()
    segmenter: str = ""
    repairs: Repairs = Repairs()
    tokens: int = 0
    last_position: int = -1
    last_outcome: Outcome | None = None
    hidden_by: int | None = None

    @property
    def in_story(self) -> bool:
        """Whether the tree holds the chapter: it has text and a place, and is present."""
        return self.registers.present and bool(self.content_hash) and self.place is not None

    @property
    def live(self) -> bool:
        """Whether readers see the chapter: it is in the story, and nothing hides it."""
        return self.in_story and self.hidden_by is None

    @property
    def place(self) -> Ordinal | None:
        """The chapter's ordinal, if any event has given one."""
        return self.registers.place

    @property
    def story_place(self) -> Ordinal:
        """The ordinal of a chapter that has one, as every live chapter does.

        Raises:
            ValueError: no event has given the chapter an ordinal yet.
        """
        if self.registers.place is None:
            raise ValueError(f"chapter {self.chapter_id} has no place in the story yet")
        return self.registers.place


def story_order(chapters: Iterable[ChapterRecord]) -> dict[ChapterId, int]:
    """Return the place of each of `chapters`, which are in story order, from 0 on."""
    return {chapter.chapter_id: place for place, chapter in enumerate(chapters)}


class WorkRecord(Frozen):
    """A work in one generation. Events at positions below `floor` are stale.

    `hidden_by` is the position of a withdrawal of the whole work that is not grafted yet:
    chapters published before it are hidden as they come in.
    """

    work_id: WorkId
    generation: Generation
    commit_seq: int = 0
    floor: int = -1
    title: str = ""
    author: str = ""
    language: str = ""
    tags: tuple[str, ...] = ()
    described_at: tuple[int, int] | None = None
    hidden_by: int | None = None
    chapters: tuple[ChapterRecord, ...] = ()

    def story_chapters(self) -> tuple[ChapterRecord, ...]:
        """Return what the tree is folded from, in story order."""
        told = [chapter for chapter in self.chapters if chapter.in_story]
        return tuple(sorted(told, key=lambda c: (c.story_place, c.chapter_id)))

    def live_chapters(self) -> tuple[ChapterRecord, ...]:
        """Return what readers see, in story order."""
        return tuple(chapter for chapter in self.story_chapters() if chapter.live)


@dataclass(frozen=True, slots=True)
class ChapterContent:
    """A chapter's text node with its scenes: what is replaced as a whole when the text changes."""

    chapter_id: ChapterId
    text: str
    term_counts: Mapping[str, int]
    scenes: tuple[SceneInputs, ...]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of the fold after a chapter, as bytes; `digest` is that of its graft record."""

    chapter_id: ChapterId
    digest: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Commit:
    """One graph transaction of one work: everything, or nothing.

    `work` is the state after it (its `commit_seq` is one above `expected_seq`); of its chapters
    only those in `chapters_put` are written. `drop_all` forgets every chapter, scene, row,
    record and checkpoint first (a withdrawn work), `drop_tree` every row, record and checkpoint
    only, whatever state they are in: what follows is a tree from nothing. `contents_put` replaces
    the chapter's text and scenes, `contents_deleted` removes them; a scene that goes takes its
    edges with it. A chapter put with another ordinal takes its text and scenes along. A chapter
    has at most one checkpoint: one that is put replaces it. Deleting what is not there is no
    error. With `restores` the work comes from another store, where it had its `commit_seq`: here
    it was never heard of (`expected_seq` is 0), and its numbers go on from there.
    """

    work: WorkRecord
    expected_seq: int
    restores: bool = False
    drop_all: bool = False
    drop_tree: bool = False
    chapters_put: tuple[ChapterRecord, ...] = ()
    contents_put: tuple[ChapterContent, ...] = ()
    contents_deleted: tuple[ChapterId, ...] = ()
    records_put: tuple[GraftRecord, ...] = ()
    records_deleted: tuple[ChapterId, ...] = ()
    checkpoints_put: tuple[Checkpoint, ...] = ()
    checkpoints_deleted: tuple[ChapterId, ...] = ()
    rows: RowChanges = field(default_factory=RowChanges)
