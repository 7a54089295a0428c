"""The tree store over Bolt."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping

from neo4j import AsyncTransaction

from contracts.ids import ChapterId, Generation, SceneId, WorkId
from contracts.ordinals import Ordinal
from contracts.ports import BoundStory
from contracts.tree import ChapterInputs, GraftRecord, SceneInputs, TreeRow
from contracts.works import ChapterContent, Checkpoint, Commit, WorkRecord
from graph import tree_rules
from graph.bolt import statements
from graph.bolt.checkpoint_reading import read_checkpoint, read_checkpointed, read_scenes
from graph.bolt.erasing import erase
from graph.bolt.keys import chapter_key, node_key, work_key
from graph.bolt.outlines import Outlines
from graph.bolt.pointing import live_generation, point
from graph.bolt.raw_reading import read_contents, read_linking, read_rows
from graph.bolt.reading import (
    read_inputs,
    read_records,
    read_work,
    read_works,
    undisturbed,
)
from graph.bolt.schema import prepare
from graph.bolt.term_counts import TermCounts
from graph.bolt.transactions import Transactions, rows_of
from graph.bolt.view import BoltStoryView
from graph.bolt.writing import write


class BoltTreeStore:
    """Implements `TreeStore` on ArcadeDB and Neo4j alike.

    Make it, use it and close it in one event loop; it may be used by many tasks at once. Close
    it before the server ends. A server that is `restarted` after it died is waited for.
    """

    def __init__(
        self,
        uri: str,
        auth: tuple[str, str] | None,
        database: str | None,
        *,
        restarted: bool = False,
    ) -> None:
        self._transactions = Transactions(uri, auth, database, restarted=restarted)
        self._terms = TermCounts(self._transactions)
        self._outlines = Outlines(self._transactions)

    async def prepare(self) -> None:
        """Bring the store to this program's format (see `TreeStore.prepare`)."""
        await prepare(self._transactions)

    async def live(self) -> Generation:
        """Return the generation that the pointer names."""
        return await self._transactions.read("looking which generation is live", live_generation)

    async def point(self, to: Generation, instead_of: Generation) -> bool:
        """Make `to` the live generation if `instead_of` is (see `TreeStore.point`)."""
        token = _nonce()
        return await self._transactions.write(
            f"making {to} the live generation", lambda tx: point(tx, to, instead_of, token)
        )

    async def works(self, generation: Generation | None = None) -> tuple[WorkRecord, ...]:
        """Return every work of a generation (see `TreeStore.works`)."""
        return await self._transactions.read(
            "listing the works", lambda tx: read_works(tx, generation)
        )

    async def load(
        self, work_id: WorkId, generation: Generation | None = None
    ) -> WorkRecord | None:
        """Return the work in a generation (see `TreeStore.load`)."""

        async def read(tx: AsyncTransaction) -> WorkRecord | None:
            key = work_key(generation or await live_generation(tx), work_id)
            return await undisturbed(tx, key, lambda _: read_work(tx, key))

        return await self._transactions.read(f"loading work {work_id!r}", read)

    async def inputs(
        self,
        work_id: WorkId,
        generation: Generation,
        chapter_ids: Collection[ChapterId] | None = None,
    ) -> Mapping[ChapterId, ChapterInputs]:
        """Return the fold's inputs (see `TreeStore.inputs`)."""
        key, keys = work_key(generation, work_id), _keys(work_id, generation, chapter_ids)
        return await self._transactions.read(
            f"reading the scenes of {key}",
            lambda tx: undisturbed(tx, key, lambda _: read_inputs(tx, key, keys)),
        )

    async def records(
        self,
        work_id: WorkId,
        generation: Generation,
        chapter_ids: Collection[ChapterId] | None = None,
    ) -> tuple[GraftRecord, ...]:
        """Return the graft records in story order (see `TreeStore.records`)."""
        key, keys = work_key(generation, work_id), _keys(work_id, generation, chapter_ids)
        return await self._transactions.read(
            f"reading the records of {key}", lambda tx: read_records(tx, key, keys)
        )

    async def scenes(
        self, work_id: WorkId, generation: Generation, scene_ids: Collection[SceneId]
    ) -> Mapping[SceneId, SceneInputs]:
        """Return the inputs of those scenes that are there."""
        keys = [node_key(generation, each) for each in sorted(scene_ids)]
        return await self._transactions.read(
            f"reading scenes of {work_key(generation, work_id)}",
            lambda tx: read_scenes(tx, keys),
        )

    async def checkpointed(self, work_id: WorkId, generation: Generation) -> frozenset[ChapterId]:
        """Return the chapters that have a checkpoint."""
        key = work_key(generation, work_id)
        return await self._transactions.read(
            f"listing the checkpoints of {key}", lambda tx: read_checkpointed(tx, key)
        )

    async def checkpoint(
        self, work_id: WorkId, generation: Generation, chapter_id: ChapterId
    ) -> Checkpoint | None:
        """Return the chapter's checkpoint, if it has one."""
        key = chapter_key(generation, work_id, chapter_id)
        return await self._transactions.read(
            f"reading the checkpoint of {key}", lambda tx: read_checkpoint(tx, key, chapter_id)
        )

    async def rows(self, work_id: WorkId, generation: Generation) -> tuple[TreeRow, ...]:
        """Return every row of the tree as it is stored."""
        key = work_key(generation, work_id)
        return await self._transactions.read(
            f"reading the tree of {key}",
            lambda tx: undisturbed(tx, key, lambda _: read_rows(tx, key)),
        )

    async def contents(
        self, work_id: WorkId, generation: Generation, chapter_ids: Collection[ChapterId]
    ) -> Mapping[ChapterId, ChapterContent]:
        """Return the texts and scenes of chapters (see `TreeStore.contents`)."""
        key = work_key(generation, work_id)
        keys = _keys(work_id, generation, chapter_ids) or []
        return await self._transactions.read(
            f"reading texts of {key}",
            lambda tx: undisturbed(tx, key, lambda _: read_contents(tx, keys)),
        )

    async def linking(self) -> tuple[tuple[WorkId, Generation], ...]:
        """Return the works that link rows of the vector store."""
        return await self._transactions.read("looking which works have rows", read_linking)

    async def commit(self, commit: Commit) -> bool:
        """Write `commit` in one transaction, all or nothing (see `TreeStore.commit`)."""
        tree_rules.check(commit)
        token = _nonce()
        return await self._transactions.write(
            f"committing to work {commit.work.work_id!r}", lambda tx: write(tx, commit, token)
        )

    async def view(
        self, work_id: WorkId, as_of: Ordinal | None, generation: Generation | None = None
    ) -> BoundStory | None:
        """Bind a generation and an as-of (see `TreeStore.view`)."""

        async def read(tx: AsyncTransaction) -> tuple[Generation, int | None]:
            wanted = generation or await live_generation(tx)
            found = await rows_of(tx, statements.HEAD, work=work_key(wanted, work_id))
            return wanted, found[0]["head"] if found else None

        deed = f"looking up work {work_id!r}"
        bound, head = await self._transactions.read(deed, read)
        if head is None:
            return None
        at = Ordinal(head) if as_of is None else as_of
        return BoltStoryView(work_id, bound, at, self._transactions, self._terms, self._outlines)

    async def erase(self, work_id: WorkId, generation: Generation, most: int) -> bool:
        """Delete some of a work that is not live (see `TreeStore.erase`)."""
        key = work_key(generation, work_id)
        return await self._transactions.write(
            f"erasing {key}", lambda tx: erase(tx, key, generation, most)
        )

    async def close(self) -> None:
        """Close every connection; a second call does nothing."""
        await self._transactions.close()


def _nonce() -> str:
    return str(uuid.uuid4())  # it names one attempt, and no result depends on it


def _keys(
    work_id: WorkId, generation: Generation, chapter_ids: Collection[ChapterId] | None
) -> list[str] | None:
    """Return the keys of chapters, each once; None stands for all."""
    if chapter_ids is None:
        return None
    return [chapter_key(generation, work_id, each) for each in sorted(frozenset(chapter_ids))]
