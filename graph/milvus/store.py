"""The vector store on Milvus."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from contracts.ids import Generation, RowKey, WorkId
from contracts.ports import SearchScope
from contracts.vectors import Dense, Hit, Sparse, VectorRow
from graph import vector_rules
from graph.milvus.collections import Collections
from graph.milvus.connection import Connection
from graph.milvus.entities import dense_query, sparse_query
from graph.milvus.translation import translated

_Result = TypeVar("_Result")


class MilvusVectorStore:
    """Implements `VectorStore` on Milvus Lite (a local directory) or a server (`http://…`).

    All that touches Milvus happens in one thread, so calls follow each other and none blocks
    the event loop. A call that is cancelled ends all the same, unheard. Rows are durable against
    the end of this process when a write returns; against a power cut, Milvus Lite's are not.
    """

    def __init__(self, uri: str) -> None:
        self._connection = Connection(uri)
        self._collections = Collections(self._connection)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="milvus")
        self._closed = False

    async def upsert(
        self, work_id: WorkId, generation: Generation, rows: Sequence[VectorRow]
    ) -> None:
        """Write rows (see `VectorStore.upsert`)."""
        vector_rules.check(rows)
        place = self._collections.layout.place(work_id, generation)
        await self._do("writing rows", lambda: self._collections.upsert(place, rows))

    async def fetch(
        self, work_id: WorkId, generation: Generation, keys: Collection[RowKey]
    ) -> Mapping[RowKey, VectorRow]:
        """Return the rows that are there (see `VectorStore.fetch`)."""
        place = self._collections.layout.place(work_id, generation)
        known = vector_rules.well_formed(keys)
        return await self._do("fetching rows", lambda: self._collections.fetch(place, known))

    async def delete(
        self, work_id: WorkId, generation: Generation, keys: Collection[RowKey]
    ) -> None:
        """Delete rows by key (see `VectorStore.delete`)."""
        place = self._collections.layout.place(work_id, generation)
        known = vector_rules.well_formed(keys)
        await self._do("deleting rows", lambda: self._collections.delete(place, known))

    async def drop(self, work_id: WorkId, generation: Generation) -> None:
        """Delete every row of the work in this generation."""
        place = self._collections.layout.place(work_id, generation)
        await self._do("dropping rows", lambda: self._collections.drop(place))

    async def keys(self, work_id: WorkId, generation: Generation) -> frozenset[RowKey]:
        """Return the keys of all rows of the work in this generation."""
        place = self._collections.layout.place(work_id, generation)
        return await self._do("listing rows", lambda: self._collections.keys(place))

    async def holds(self, work_id: WorkId, generation: Generation) -> bool:
        """Say whether there is a place for rows of the work (see `VectorStore.holds`)."""
        place = self._collections.layout.place(work_id, generation)
        return await self._do("looking for rows", lambda: self._collections.holds(place))

    async def search_dense(self, scope: SearchScope, query: Dense, limit: int) -> tuple[Hit, ...]:
        """Return the best rows by meaning (see `VectorStore.search_dense`)."""
        place = self._collections.layout.place(scope.work_id, scope.generation)
        asked = dense_query(query)
        return await self._do(
            "searching", lambda: self._collections.search(place, scope, asked, limit)
        )

    async def search_sparse(self, scope: SearchScope, query: Sparse, limit: int) -> tuple[Hit, ...]:
        """Return the best rows by words (see `VectorStore.search_sparse`)."""
        if not query:
            return ()
        place = self._collections.layout.place(scope.work_id, scope.generation)
        asked = sparse_query(query)
        return await self._do(
            "searching", lambda: self._collections.search(place, scope, asked, limit)
        )

    async def close(self) -> None:
        """Write out what is in memory and let go of the data; a second call does nothing."""
        if self._closed:
            return
        self._closed = True
        await self._do("closing the vector store", self._connection.close)
        self._thread.shutdown()

    async def _do(self, deed: str, call: Callable[[], _Result]) -> _Result:
        with translated(deed):
            return await asyncio.get_running_loop().run_in_executor(self._thread, call)
