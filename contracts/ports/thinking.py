"""What thinks: segmenters, embedders, and the memo of what models have said."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from contracts.ids import ChapterId, Generation, WorkId
from contracts.memo import Asked, MemoEntry
from contracts.scenes import ChapterText, Segmentation
from contracts.spending import SpentOnDay, SpentOnWork
from contracts.vectors import Dense


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

    async def claim(self, asked: Asked, by: str, seconds: float) -> bool:
        """Claim a question for `by` for so long; say whether `by` is to ask it.

        That is so unless somebody else's claim stands, or there is an answer. Of all that claim at
        once, in every process that uses this memo, it is one. Who has it may claim it again, and
        has it for so long from then on.
        """

    async def release(self, asked: Asked, by: str) -> None:
        """Let others claim what `by` has claimed; whoever else has it keeps it."""

    async def put_if_absent(self, entry: MemoEntry) -> MemoEntry:
        """Store `entry` unless its call has an answer already; return what is stored then.

        Of competing answers to one call exactly one is stored, and everybody gets that one. Its
        sources are those of all who put. What was paid for `entry`, stored or not, enters the
        ledger; the same payment enters it once, however often it is put while there is an answer.
        Durable when the call returns.
        """

    async def of_work(self, work_id: WorkId) -> tuple[MemoEntry, ...]:
        """Return the entries that a chapter of the work is a source of, by key."""

    async def forget(self, work_id: WorkId, chapter_ids: Collection[ChapterId] | None) -> int:
        """Delete every entry that one of the chapters (None: any of the work) is a source of.

        Returns how many were deleted. Where other chapters are sources too, they pay again. What
        they have cost stays in the ledger.
        """

    async def spent_by_day(self, generation: Generation | None) -> tuple[SpentOnDay, ...]:
        """Return what was spent for a generation (None: for all), a sum a day and purpose.

        By generation, day and purpose. It costs as much as there are sums, not answers.
        """

    async def spent_by_work(
        self, generation: Generation | None, work_id: WorkId | None
    ) -> tuple[SpentOnWork, ...]:
        """Return the same by work, of one or (None) of all; by generation, work and purpose."""

    async def close(self) -> None:
        """Let go of the memo; a second call does nothing."""
