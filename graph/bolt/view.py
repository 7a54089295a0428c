"""A work in one generation as of one ordinal, read over Bolt."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from neo4j import AsyncTransaction

from contracts.ids import ChapterId, Generation, SceneId, WorkId
from contracts.ordinals import Ordinal
from contracts.outline import Outline
from contracts.ports import ChapterScenes, PassageCounts, TreeSnapshot
from contracts.story_graph import StoryGraph
from contracts.tree import TreeRow
from contracts.works import ChapterRecord
from graph import presence
from graph.bolt import statements
from graph.bolt.keys import chapter_key, node_key, work_key
from graph.bolt.outlines import Outlines
from graph.bolt.packing import expanded
from graph.bolt.reading import chapter_of, grouped, in_order, scene_of, undisturbed, whole
from graph.bolt.rows import Columns, row_of
from graph.bolt.story_decoding import hidden_of
from graph.bolt.story_graph import BoltStoryGraph
from graph.bolt.story_statements import HIDDEN
from graph.bolt.term_counts import TermCounts
from graph.bolt.transactions import Transactions, rows_of
from graph.presence import Presence
from graph.snapshots import snapshot

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class BoltStoryView:
    """Implements `BoundStory`. Each method sees one state of the work, the newest."""

    work_id: WorkId
    generation: Generation
    as_of: Ordinal
    _transactions: Transactions = field(repr=False)
    _terms: TermCounts = field(repr=False)
    _outlines: Outlines = field(repr=False)

    async def chapters(self) -> tuple[ChapterRecord, ...]:
        """Return the live chapters at or below the as-of, in story order."""
        found = await self._read(lambda tx: self._rows(tx, statements.SEEN_CHAPTERS))
        chapters = map(chapter_of, found)
        return tuple(sorted(chapters, key=lambda each: (each.story_place, each.chapter_id)))

    async def scenes(self) -> tuple[ChapterScenes, ...]:
        """Return the scenes of those chapters, in story order."""

        async def read(tx: AsyncTransaction) -> tuple[ChapterScenes, ...]:
            places = await self._rows(tx, statements.SEEN_PLACES)
            found = grouped(await self._rows(tx, statements.SEEN_SCENES), "chapter_id")
            chapters = (
                ChapterScenes(
                    ChapterId(each["chapter_id"]),
                    Ordinal(each["place"]),
                    tuple(map(scene_of, in_order(found.get(each["chapter_id"], ())))),
                )
                for each in places
            )
            return tuple(sorted(chapters, key=lambda each: (each.ordinal, each.chapter_id)))

        return await self._read(read)

    async def texts(self, chapter_ids: Collection[ChapterId]) -> Mapping[ChapterId, str]:
        """Return the texts of those of `chapter_ids` that the view holds."""
        keys = [chapter_key(self.generation, self.work_id, each) for each in sorted(chapter_ids)]
        found = await self._read(lambda tx: self._rows(tx, statements.SEEN_TEXTS, keys=keys))
        parts = grouped(found, "chapter_id")
        return {ChapterId(id_): expanded(whole(parts[id_])) for id_ in sorted(parts)}

    async def snapshot(self) -> TreeSnapshot:
        """Return the tree as of the ordinal (see `StoryView.snapshot`)."""

        async def read(tx: AsyncTransaction) -> tuple[list[TreeRow], Presence]:
            rows = [
                row_of(kind, columns)
                for kind, statement in statements.READ_ROWS.items()
                for columns in await self._rows(tx, statement)
            ]
            return rows, await self._presence(tx)

        rows, there = await self._read(read)
        return snapshot(presence.told(rows, there), self.as_of)

    async def outline(self) -> Outline:
        """Return the scenes in few words, and their storylines (see `StoryView.outline`)."""
        return await self._outlines.outline(self._key, self.as_of)

    async def passage_counts(self, terms: Collection[str]) -> PassageCounts:
        """Count the passages of the view's chapters that hold each of `terms`."""
        return await self._terms.count(self._key, terms, int(self.as_of))

    async def confirm(self, pairs: Iterable[tuple[SceneId, int]]) -> frozenset[tuple[SceneId, int]]:
        """Return those (scene id, row position) pairs that the view's chapters link."""
        asked = [
            {"key": node_key(self.generation, scene), "position": position}
            for scene, position in sorted(set(pairs))
        ]
        found = await self._read(lambda tx: self._rows(tx, statements.SEEN_LINKS, pairs=asked))
        return frozenset((SceneId(each["id"]), int(each["position"])) for each in found)

    async def consult(self, read: Callable[[StoryGraph], Awaitable[_Result]]) -> _Result:
        """Return what `read` makes of the graph (see `BoundStory.consult`)."""

        async def body(tx: AsyncTransaction) -> _Result:
            hidden = hidden_of(await self._rows(tx, HIDDEN))
            return await read(BoltStoryGraph(self.work_id, self.generation, self.as_of, tx, hidden))

        return await self._read(body)

    @property
    def _key(self) -> str:
        return work_key(self.generation, self.work_id)

    async def _read(self, body: Callable[[AsyncTransaction], Awaitable[_Result]]) -> _Result:
        async def read(tx: AsyncTransaction) -> _Result:
            return await undisturbed(tx, self._key, lambda _: body(tx))

        return await self._transactions.read(f"reading {self._key}", read)

    async def _rows(
        self, tx: AsyncTransaction, statement: str, **parameters: object
    ) -> Collection[Columns]:
        return await rows_of(tx, statement, work=self._key, as_of=int(self.as_of), **parameters)

    async def _presence(self, tx: AsyncTransaction) -> Presence:
        scenes = await self._rows(tx, statements.SEEN_SCENE_IDS)
        absent = await self._rows(tx, statements.ABSENT)
        return Presence(
            scenes=frozenset(str(each["id"]) for each in scenes),
            absent=frozenset(str(each["chapter_id"]) for each in absent),
            absent_ordinals=frozenset(int(each["ordinal"]) for each in absent),
        )
