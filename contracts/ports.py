"""The ports: what the parts need of the world, in our own terms.

Each docstring is a contract; each sentence of it has a test in `tests/contract`. Every method
raises only `TransientError` or `PermanentError`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from contracts.ids import ChapterId, Generation, RowKey, SceneId, WorkId
from contracts.memo import Asked, MemoEntry
from contracts.ordinals import Ordinal
from contracts.outline import Outline
from contracts.reports import Hold
from contracts.scenes import ChapterText, Scene, Segmentation
from contracts.story_graph import StoryGraph
from contracts.tree import (
    AliasRow,
    AppearanceRow,
    ChapterInputs,
    CharacterRow,
    ChildRow,
    DescriptionRow,
    GraftRecord,
    HomeRow,
    IdentityRow,
    SceneInputs,
    StorylineRow,
    TouchRow,
    TreeRow,
)
from contracts.vectors import Dense, Hit, Level, Sparse, VectorRow
from contracts.works import ChapterContent, ChapterRecord, Checkpoint, Commit, WorkRecord

_Read = TypeVar("_Read")

# --- what thinks ------------------------------------------------------------------------------


class Segmenter(Protocol):
    """Cuts one chapter into scenes, knowing that chapter only."""

    @property
    def version(self) -> str:
        """Name and version: part of the index version and of every scene's provenance."""

    async def segment(self, chapter: ChapterText) -> Segmentation:
        """Propose segments for `chapter`, which has at least one sentence.

        The answer need not be valid: everyone passes it through `processors.coverage.repair`.
        Equal chapters give equal answers. May be called concurrently.
        """


class TextEmbedder(Protocol):
    """Turns texts into vectors that the vector store can compare."""

    @property
    def version(self) -> str:
        """Name and version, tables included: part of the index version."""

    async def embed(self, texts: Sequence[str], language: str) -> tuple[Dense, ...]:
        """Return one quantised unit vector a text, in order (see `contracts.vectors`).

        A vector depends on its own text and language alone. A text with no known word gives
        the zero vector. No text gives no vectors.
        """


class Memo(Protocol):
    """Complete answers of models, each kept from before its first use."""

    async def get(self, asked: Asked) -> MemoEntry | None:
        """Return what is stored for `asked`, if anything is."""

    async def put_if_absent(self, entry: MemoEntry) -> MemoEntry:
        """Store `entry` unless its call has an answer already; return what is stored then.

        Of competing answers to one call exactly one is stored, and everybody gets that one. Its
        sources are those of all who put. Durable when the call returns.
        """

    async def of_work(self, work_id: WorkId) -> tuple[MemoEntry, ...]:
        """Return the entries that a chapter of the work is a source of, by key."""

    async def forget(self, work_id: WorkId, chapter_ids: Collection[ChapterId] | None) -> int:
        """Delete every entry that one of the chapters (None: any of the work) is a source of.

        Returns how many were deleted. Where other chapters are sources too, they pay again.
        """

    async def close(self) -> None:
        """Let go of the memo; a second call does nothing."""


# --- what moves -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Record:
    """One record of the event log. `key` and `value` are as they came.

    `offset` counts within `partition`, of which a local log has one only. All records of a key
    lie in one partition, so offsets of one work can be compared.
    """

    topic: str
    offset: int
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes], ...]
    timestamp_ms: int
    partition: int = 0


@dataclass(frozen=True, slots=True)
class NewRecord:
    """A record to append. `source` is a digest of where it came from, such as a line of a file."""

    topic: str
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes], ...] = ()
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a group is with one partition of a topic, and why its next record waits, if told."""

    partition: int
    position: int
    end: int
    hold: Hold | None = None

    @property
    def lag(self) -> int:
        """How many records it has before it, holes counted."""
        return max(0, self.end - self.position)


class EventLog(Protocol):
    """Topics of records, and how far each group has read them. Durable when a call returns."""

    async def append(self, records: Sequence[NewRecord]) -> int:
        """Append all of `records` or none; return how many were new.

        A record whose `source` the log has had already is left out, so that importing a file
        again, or a longer version of it, adds only what is new.
        """

    async def read(self, topic: str, start: int, limit: int, max_bytes: int) -> tuple[Record, ...]:
        """Return records of `topic` from offset `start` on, in order of offset.

        At most `limit`, and at most `max_bytes` of values, but at least one if there is one.
        Offsets rise within a topic and are never given again; they may have holes.
        """

    async def read_key(self, topic: str, key: bytes) -> tuple[Record, ...]:
        """Return every record of `topic` with this key, in order of offset."""

    async def unread(self, group: str, topic: str, key: bytes) -> tuple[Record, ...]:
        """As `read_key`, without the records that `group` has read."""

    async def end(self, topic: str) -> int:
        """Return the offset that the next record of `topic` will not be below; 0 if empty."""

    async def position(self, group: str, topic: str) -> int:
        """Return the offset from which `group` reads `topic` next; 0 if it never committed."""

    async def standing(self, group: str, topic: str) -> tuple[Standing, ...]:
        """Return how far `group` is with each partition of `topic`, in their order."""

    async def advance(
        self, group: str, topic: str, position: int, outputs: Sequence[NewRecord]
    ) -> None:
        """Append `outputs` and commit the group's position, both or neither.

        A position below the committed one changes nothing and appends nothing.
        """

    async def faults(self) -> tuple[str, ...]:
        """Return what is damaged in the log, each in a sentence; nothing if all can be read."""

    async def close(self) -> None:
        """Let go of the log; a second call does nothing."""


# --- what remembers ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SearchScope:
    """Where a search looks: there is no way to ask without an as-of."""

    work_id: WorkId
    generation: Generation
    as_of: Ordinal
    level: Level


class VectorStore(Protocol):
    """Rows of scenes and passages, searched exactly. Works do not see each other."""

    async def upsert(
        self, work_id: WorkId, generation: Generation, rows: Sequence[VectorRow]
    ) -> None:
        """Write rows, replacing those of equal key. Afterwards `fetch` and searches see them.

        A row beyond the limits of `VectorRow` is a PermanentError, and then none is written.
        """

    async def fetch(
        self, work_id: WorkId, generation: Generation, keys: Collection[RowKey]
    ) -> Mapping[RowKey, VectorRow]:
        """Return the rows that are there; keys without a row are left out."""

    async def delete(
        self, work_id: WorkId, generation: Generation, keys: Collection[RowKey]
    ) -> None:
        """Delete rows by key; keys without a row are no error."""

    async def drop(self, work_id: WorkId, generation: Generation) -> None:
        """Delete every row of the work in this generation; nothing there is no error."""

    async def keys(self, work_id: WorkId, generation: Generation) -> frozenset[RowKey]:
        """Return the keys of all rows of the work in this generation."""

    async def holds(self, work_id: WorkId, generation: Generation) -> bool:
        """Say, at the cost of one look, whether the store has a place with rows of the work.

        False where none was ever written, or all were dropped. Where they were deleted key by
        key it may be either.
        """

    async def search_dense(self, scope: SearchScope, query: Dense, limit: int) -> tuple[Hit, ...]:
        """Return the best `limit` rows in scope by inner product, of those above zero.

        Best first, ties by item id, then key. Scores are exact (`contracts.vectors`). Rows above
        the as-of ordinal are never seen.
        """

    async def search_sparse(self, scope: SearchScope, query: Sparse, limit: int) -> tuple[Hit, ...]:
        """As `search_dense`, for lexical vectors. An empty query finds nothing."""

    async def close(self) -> None:
        """Let go of the store; a second call does nothing."""


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


class TreeStore(Protocol):
    """Works, chapters, scenes and storylines, written in one transaction a commit."""

    async def prepare(self) -> None:
        """Bring the store to this program's format; safe to run again, and by two at once.

        A store of a newer format is a `PermanentError`, and is left as it is.
        """

    async def works(self) -> tuple[WorkRecord, ...]:
        """Return every work's live generation, by work id (withdrawn works too)."""

    async def load(self, work_id: WorkId) -> WorkRecord | None:
        """Return the work in its live generation, or None if it was never heard of."""

    async def inputs(
        self,
        work_id: WorkId,
        generation: Generation,
        chapter_ids: Collection[ChapterId] | None = None,
    ) -> Mapping[ChapterId, ChapterInputs]:
        """Return the fold's inputs of every chapter that has text and a place, live or not.

        With `chapter_ids` of those chapters only, at a cost that does not depend on the others.
        """

    async def records(
        self,
        work_id: WorkId,
        generation: Generation,
        chapter_ids: Collection[ChapterId] | None = None,
    ) -> tuple[GraftRecord, ...]:
        """Return the graft records in story order.

        With `chapter_ids` of those chapters only, at a cost that does not depend on the others.
        """

    async def scenes(
        self, work_id: WorkId, generation: Generation, scene_ids: Collection[SceneId]
    ) -> Mapping[SceneId, SceneInputs]:
        """Return the fold's inputs of those of `scene_ids` that are there, live or not."""

    async def checkpointed(self, work_id: WorkId, generation: Generation) -> frozenset[ChapterId]:
        """Return the chapters that have a checkpoint."""

    async def checkpoint(
        self, work_id: WorkId, generation: Generation, chapter_id: ChapterId
    ) -> Checkpoint | None:
        """Return the chapter's checkpoint as it was put, if it has one."""

    async def rows(self, work_id: WorkId, generation: Generation) -> tuple[TreeRow, ...]:
        """Return every row of the tree as it is stored, ends after any as-of included.

        Nothing is left out, nothing is masked: a row that is there twice comes twice.
        """

    async def contents(
        self, work_id: WorkId, generation: Generation, chapter_ids: Collection[ChapterId]
    ) -> Mapping[ChapterId, ChapterContent]:
        """Return the texts and scenes of those of `chapter_ids` that have a text, live or not.

        A text that cannot be read is left out, as one that is not there; term counts that are
        not there are empty.
        """

    async def linking(self) -> tuple[tuple[WorkId, Generation], ...]:
        """Return the works, each with its generation, that link rows of the vector store."""

    async def commit(self, commit: Commit) -> bool:
        """Write `commit` in one transaction, all or nothing.

        Returns False, changing nothing, when the work's `commit_seq` is not
        `commit.expected_seq` (0 for a work never heard of). Of competing commits exactly one
        wins. When it returns True the effect is durable.

        Raises:
            PermanentError: the commit is unfit, and nothing was changed: a content, record or
                checkpoint of a chapter that is not known, a row put that refers to a scene,
                storyline or character that is not there (afterwards), or a deleted storyline
                or character that other rows still refer to.
        """

    async def view(self, work_id: WorkId, as_of: Ordinal | None) -> BoundStory | None:
        """Bind the live generation and an as-of; None stands for the head.

        Returns None when the work has no live chapter at all.
        """

    async def close(self) -> None:
        """Let go of the store; a second call does nothing."""
