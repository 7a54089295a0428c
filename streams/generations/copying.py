"""Copies what is embedded from one generation into another: the same rows, under other keys.

Nothing is embedded for it but what cannot be had any more, such as rows that a store has lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from contracts.frozen import Frozen
from contracts.ids import Generation, RowKey, WorkId, row_key
from contracts.messages import ChapterEmbedded, ChapterSegmented, EmbeddedMessage
from contracts.ports import VectorStore
from contracts.vectors import VectorRow
from streams.generations.past import KnownWorks, without_text
from streams.stage import Arrival, Handler

_Found = Mapping[RowKey, VectorRow]


@dataclass(frozen=True, slots=True)
class RowCopier:
    """Copies from the generation of `works` into another, `generation`.

    `embed` is how that one's own embed stage handles a chapter.
    """

    works: KnownWorks
    vectors: VectorStore
    generation: Generation
    embed: Handler[ChapterSegmented]

    async def __call__(
        self, work_id: WorkId, messages: Sequence[EmbeddedMessage]
    ) -> Sequence[Frozen]:
        """Return messages of one work as the new generation has them; their rows are written.

        A text that is past, and whose rows are gone therefore, passes without its text.

        Raises:
            TransientError: a store is down, or the embedder where it is needed.
            PermanentError: a row is beyond what the store can keep.
        """
        chapters = [each for each in messages if isinstance(each, ChapterEmbedded)]
        found = await self._fetch(work_id, map(_Rows.of, chapters))
        outputs: list[Frozen] = []
        copies: list[VectorRow] = []
        for message in messages:
            if not isinstance(message, ChapterEmbedded):
                outputs.append(message)
                continue
            output, rows = await self._copied(work_id, message, found)
            outputs.append(output)
            copies += rows
        if copies:
            await self.vectors.upsert(work_id, self.generation, copies)
        return outputs

    async def _copied(
        self, work_id: WorkId, message: ChapterEmbedded, found: _Found
    ) -> tuple[Frozen, Sequence[VectorRow]]:
        """Return a chapter as it goes on, and its copied rows.

        Where they are not under their own event's position the text is past, or the chapter was
        moved, and its rows with it; else they are lost.
        """
        head = message.segmented.head
        rows = self._copies(_Rows.of(message), found)
        if rows is not None:
            return message, rows
        if (await self.works.of(work_id)).is_past(head, head.position):
            return without_text(head, head.position), ()
        known = await self.works.now(work_id)
        if known.is_past(head, head.position):
            return without_text(head, head.position), ()
        chapter = known.chapters.get(head.chapter_id)
        if chapter is not None:
            moved = _Rows(message, chapter.row_position)
            rows = self._copies(moved, await self._fetch(work_id, [moved]))
        if rows is not None:
            return message, rows
        (embedded,) = await self.embed([Arrival(message.segmented, head.position)])
        return embedded, ()

    async def _fetch(self, work_id: WorkId, wanted: Iterable[_Rows]) -> _Found:
        source = self.works.generation
        keys = [key for each in wanted for key in each.keys(source)]
        return await self.vectors.fetch(work_id, source, keys)

    def _copies(self, rows: _Rows, found: _Found) -> list[VectorRow] | None:
        """Return a chapter's rows as its own event writes them; None if any is not there."""
        head, keys = rows.message.segmented.head, rows.keys(self.works.generation)
        if any(key not in found for key in keys):
            return None
        return [
            replace(
                found[key],
                key=row_key(self.generation, item, head.position),
                position=head.position,
                ordinal=int(head.ordinal),
            )
            for item, key in zip(rows.message.items, keys, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class _Rows:
    """A chapter's rows, as they were written at `position`."""

    message: ChapterEmbedded
    position: int

    @classmethod
    def of(cls, message: ChapterEmbedded) -> _Rows:
        """Return them as the chapter's own event wrote them."""
        return cls(message, message.segmented.head.position)

    def keys(self, generation: Generation) -> list[RowKey]:
        return [row_key(generation, item, self.position) for item in self.message.items]
