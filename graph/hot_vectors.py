"""Copies in memory of the works that are searched, before a store that this process alone writes.

Scores are exact (`contracts.vectors`), so a search of the copy gives what the store would; the
embedded store spends most of a search on building its hits row by row.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from contracts.ids import Generation, RowKey, WorkId
from contracts.ports import SearchScope, VectorStore
from contracts.vectors import Dense, Hit, Sparse, VectorRow
from graph.memory_vectors import MemoryVectorStore

_MOST_WORKS: Final = 8
_MOST_ROWS: Final = 20_000
"""Rows of a work that is copied, which is some 1.5 million words; a larger one is searched below.

A copy takes about 4 KB a row, and is laid out anew at the first search after a write."""

_Key = tuple[WorkId, Generation]


class HotVectorStore:
    """Implements `VectorStore` over `store`, which nobody else may write."""

    def __init__(
        self, store: VectorStore, *, most_works: int = _MOST_WORKS, most_rows: int = _MOST_ROWS
    ) -> None:
        self._store = store
        self._most_works = most_works
        self._most_rows = most_rows
        self._copies: OrderedDict[_Key, MemoryVectorStore | None] = OrderedDict()
        self._writes: Counter[_Key] = Counter()

    async def upsert(
        self, work_id: WorkId, generation: Generation, rows: Sequence[VectorRow]
    ) -> None:
        """Write rows (see `VectorStore.upsert`)."""
        key = (work_id, generation)
        try:
            await self._store.upsert(work_id, generation, rows)
        except BaseException:
            self._forget(key)  # nobody knows how much of it was written
            raise
        copy = self._written(key)
        if copy is not None:
            await copy.upsert(work_id, generation, rows)

    async def fetch(
        self, work_id: WorkId, generation: Generation, keys: Collection[RowKey]
    ) -> Mapping[RowKey, VectorRow]:
        """Return the rows that are there, read from the store itself."""
        return await self._store.fetch(work_id, generation, keys)

    async def delete(
        self, work_id: WorkId, generation: Generation, keys: Collection[RowKey]
    ) -> None:
        """Delete rows by key (see `VectorStore.delete`)."""
        key = (work_id, generation)
        try:
            await self._store.delete(work_id, generation, keys)
        except BaseException:
            self._forget(key)
            raise
        copy = self._written(key)
        if copy is not None:
            await copy.delete(work_id, generation, keys)

    async def drop(self, work_id: WorkId, generation: Generation) -> None:
        """Delete every row of the work in this generation."""
        try:
            await self._store.drop(work_id, generation)
        finally:
            self._forget((work_id, generation))

    async def keys(self, work_id: WorkId, generation: Generation) -> frozenset[RowKey]:
        """Return the keys of all rows of the work in this generation, read from the store."""
        return await self._store.keys(work_id, generation)

    async def holds(self, work_id: WorkId, generation: Generation) -> bool:
        """Say whether there is a place for rows of the work (see `VectorStore.holds`)."""
        return await self._store.holds(work_id, generation)

    async def search_dense(self, scope: SearchScope, query: Dense, limit: int) -> tuple[Hit, ...]:
        """Return the best rows by meaning (see `VectorStore.search_dense`)."""
        return await (await self._searched(scope)).search_dense(scope, query, limit)

    async def search_sparse(self, scope: SearchScope, query: Sparse, limit: int) -> tuple[Hit, ...]:
        """Return the best rows by words (see `VectorStore.search_sparse`)."""
        return await (await self._searched(scope)).search_sparse(scope, query, limit)

    async def close(self) -> None:
        """Let go of the store and the copies."""
        self._copies.clear()
        await self._store.close()

    async def _searched(self, scope: SearchScope) -> VectorStore:
        """Return the copy of the work, made if need be; the store where it is too large."""
        key = (scope.work_id, scope.generation)
        if key not in self._copies:
            writes = self._writes[key]
            copy = await self._copied(key)
            if self._writes[key] != writes:
                return self._store  # written meanwhile: the copy may lack it
            self._copies[key] = copy
            while len(self._copies) > self._most_works:
                self._copies.popitem(last=False)
        self._copies.move_to_end(key)
        return self._copies[key] or self._store

    async def _copied(self, key: _Key) -> MemoryVectorStore | None:
        keys = await self._store.keys(*key)
        if len(keys) > self._most_rows:
            return None
        copy = MemoryVectorStore()
        await copy.upsert(*key, tuple((await self._store.fetch(*key, keys)).values()))
        return copy

    def _written(self, key: _Key) -> MemoryVectorStore | None:
        """Note a write that is done; return the copy that is to follow."""
        self._writes[key] += 1
        return self._copies.get(key)

    def _forget(self, key: _Key) -> None:
        self._writes[key] += 1
        self._copies.pop(key, None)
