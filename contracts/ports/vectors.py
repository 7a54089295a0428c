"""What remembers: rows that are searched."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from contracts.ids import Generation, RowKey, WorkId
from contracts.ordinals import Ordinal
from contracts.vectors import Dense, Hit, Level, Sparse, VectorRow


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
