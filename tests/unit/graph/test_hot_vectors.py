"""The copies follow the store: what is written, deleted, half written, or written meanwhile."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import pytest

from contracts.errors import TransientError
from contracts.ids import FIRST_GENERATION, Generation, RowKey, WorkId
from contracts.ports import SearchScope
from contracts.vectors import Dense, Hit, VectorRow
from graph.hot_vectors import HotVectorStore
from graph.memory import MemoryVectorStore
from tests.contract.rows import a_row, a_scope, axis

W = WorkId("w")
G = FIRST_GENERATION


class Counted(MemoryVectorStore):
    """A store that counts its searches and fails when told to."""

    searches = 0
    fails = False

    async def search_dense(self, scope: SearchScope, query: Dense, limit: int) -> tuple[Hit, ...]:
        self.searches += 1
        return await super().search_dense(scope, query, limit)

    async def upsert(
        self, work_id: WorkId, generation: Generation, rows: Sequence[VectorRow]
    ) -> None:
        await super().upsert(work_id, generation, rows[:1] if self.fails else rows)
        if self.fails:
            raise TransientError("the disk is full")


def row(name: str) -> VectorRow:
    return a_row(name, dense=axis(0))


async def items(store: HotVectorStore) -> set[str]:
    """Return the names of the rows that a search finds."""
    names = {row(name).key: name for name in "abc"}
    return {names[hit.key] for hit in await store.search_dense(a_scope(W), axis(0), 9)}


async def test_a_copy_follows_what_is_written_and_deleted() -> None:
    store = HotVectorStore(inner := Counted())
    await store.upsert(W, G, [row("a")])
    assert await items(store) == {"a"}
    await store.upsert(W, G, [row("b")])
    await store.delete(W, G, [row("a").key])
    assert await items(store) == {"b"}
    await store.drop(W, G)
    assert await items(store) == set()
    assert inner.searches == 0


async def test_after_a_failed_write_the_store_is_asked_what_it_has() -> None:
    store = HotVectorStore(inner := Counted())
    await store.upsert(W, G, [row("a")])
    assert await items(store) == {"a"}
    inner.fails = True
    with pytest.raises(TransientError):
        await store.upsert(W, G, [row("b"), row("c")])
    assert await items(store) == {"a", "b"}


async def test_what_is_written_while_a_copy_is_made_is_found() -> None:
    class Slow(Counted):
        async def fetch(
            self, work_id: WorkId, generation: Generation, keys: Collection[RowKey]
        ) -> Mapping[RowKey, VectorRow]:
            found = await super().fetch(work_id, generation, keys)
            await store.upsert(W, G, [row("b")])
            return found

    store = HotVectorStore(inner := Slow())
    await store.upsert(W, G, [row("a")])
    assert await items(store) == {"a", "b"}
    assert inner.searches == 1


async def test_only_so_many_works_are_copied_and_none_too_large() -> None:
    store = HotVectorStore(inner := Counted(), most_works=1, most_rows=1)
    await store.upsert(W, G, [row("a"), row("b")])
    assert await items(store) == {"a", "b"}
    assert inner.searches == 1
    other = WorkId("v")
    await store.upsert(other, G, [row("c")])
    await store.search_dense(a_scope(other), axis(0), 9)
    assert inner.searches == 1
    assert len(store._copies) == 1
