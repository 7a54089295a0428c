"""The suite that every vector store passes: each sentence of the port's docstrings is a test."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace

import pytest

from contracts.errors import PermanentError
from contracts.ids import FIRST_GENERATION, Generation, RowKey, WorkId
from contracts.ports import VectorStore
from contracts.vectors import (
    DENSE_SCALE,
    MAX_ID_BYTES,
    MAX_TEXT_BYTES,
    TERM_NUMBERS,
    VectorRow,
)
from tests.contract.rows import (
    ZERO,
    a_book,
    a_row,
    a_scope,
    axis,
    written,
)
from tests.contract.story import new_work
from tests.contract.vector_searches import SearchContract

G1 = FIRST_GENERATION
G2 = Generation("g2")
_HIGHEST = 10**18 - 1
_TEXTS = [
    "'}) DETACH DELETE n //",
    '"\'` and key == "" or 1 == 1 \\',
    "before\u0000after",
    "\u0301e\u0301 é ﬁ",
    "😀 𝔈𝔪𝔪𝔞 \U0010ffff",
    "愛瑪\t\r\n\u2028",
    "",
]


def keys_of(rows: Iterable[VectorRow]) -> list[RowKey]:
    return [row.key for row in rows]


class VectorStoreContract(SearchContract):
    """Subclasses give a `store` fixture."""

    async def test_rows_come_back_bit_for_bit(self, store: VectorStore) -> None:
        rows = [
            *a_book(7),
            a_row("nothing"),
            a_row("zero", dense=ZERO, sparse=((0, 1), (TERM_NUMBERS - 1, 256))),
            a_row("least", dense=axis(3, -1), sparse=((0, 1),), ordinal=0, position=-1),
            replace(
                a_row("greatest", dense=axis(255, -DENSE_SCALE), ordinal=_HIGHEST),
                position=2**63 - 1,
                start=2**62,
                end=2**63 - 1,
            ),
        ]
        work = await written(store, *rows)
        found = await store.fetch(work, G1, keys_of(rows))
        assert found == {row.key: row for row in rows}

    @pytest.mark.parametrize("text", _TEXTS)
    async def test_any_text_comes_back_as_it_was(self, store: VectorStore, text: str) -> None:
        row = replace(
            a_row(text, dense=axis(0)), item_id=text, scene_id=text, chapter_id=text, text=text
        )
        work = WorkId(new_work() + text)
        await store.upsert(work, G1, [row])
        assert await store.fetch(work, G1, [row.key]) == {row.key: row}
        hit = (await store.search_dense(a_scope(work), axis(0), 5))[0]
        assert (hit.item_id, hit.scene_id, hit.chapter_id) == (text, text, text)

    async def test_texts_and_ids_as_long_as_they_may_be(self, store: VectorStore) -> None:
        long_id = "𝔈" * (MAX_ID_BYTES // 4)
        text = "愛" * (MAX_TEXT_BYTES // 3)
        rows = [
            replace(a_row(f"long {n}"), text=text, chapter_id=long_id, scene_id=long_id)
            for n in range(40)
        ]
        work = await written(store, *rows)
        assert await store.fetch(work, G1, keys_of(rows)) == {row.key: row for row in rows}

    @pytest.mark.parametrize(
        "faults",
        [
            {"text": "a" * (MAX_TEXT_BYTES + 1)},
            {"text": "愛" * (MAX_TEXT_BYTES // 3) + "é"},
            {"item_id": "a" * (MAX_ID_BYTES + 1)},
            {"chapter_id": "𝔈" * (MAX_ID_BYTES // 4) + "a"},
            {"text": "half \ud83d"},
            {"key": "no key"},
            {"key": ""},
            {"dense": bytes(510)},
            {"sparse": ((2, 1), (1, 1))},
            {"sparse": ((1, 1), (1, 1))},
            {"sparse": ((TERM_NUMBERS, 1),)},
            {"sparse": ((1, 0),)},
            {"ordinal": 2**63},
        ],
        ids=lambda faults: next(iter(faults)),
    )
    async def test_of_unfit_rows_none_is_written(
        self, store: VectorStore, faults: dict[str, object]
    ) -> None:
        work = new_work()
        unfit = replace(a_row("unfit"), **faults)  # type: ignore[arg-type]  # each fault fits its field
        with pytest.raises(PermanentError):
            await store.upsert(work, G1, [a_row("fit"), unfit])
        assert await store.keys(work, G1) == frozenset()

    async def test_an_unfit_generation_is_refused(self, store: VectorStore) -> None:
        for name in ("", "g 1", 'g"1', "g1; drop", "ｇ１"):
            with pytest.raises(PermanentError):
                await store.upsert(new_work(), Generation(name), [a_row("a")])

    async def test_writing_no_rows_is_no_error(self, store: VectorStore) -> None:
        work = new_work()
        await store.upsert(work, G1, [])
        assert await store.keys(work, G1) == frozenset()

    async def test_a_row_of_equal_key_is_replaced(self, store: VectorStore) -> None:
        old = a_row("a", dense=axis(0), sparse=((7, 64),))
        work = await written(store, old, a_row("b"))
        assert len(await store.search_dense(a_scope(work), axis(0), 5)) == 1
        new = replace(old, dense=axis(1), sparse=((8, 64),), text="new", ordinal=5)
        await store.upsert(work, G1, [new])
        assert await store.fetch(work, G1, [old.key]) == {old.key: new}
        assert await store.search_dense(a_scope(work), axis(0), 5) == ()
        assert len(await store.search_dense(a_scope(work), axis(1), 5)) == 1
        assert await store.search_dense(a_scope(work, 4), axis(1), 5) == ()
        assert await store.search_sparse(a_scope(work), ((7, 128),), 5) == ()
        assert len(await store.search_sparse(a_scope(work), ((8, 128),), 5)) == 1
        assert len(await store.keys(work, G1)) == 2

    async def test_every_write_is_seen_at_once(self, store: VectorStore) -> None:
        work = new_work()
        for n in range(5):
            row = a_row(f"item {n}", dense=axis(0), sparse=((1, 64),), position=n)
            await store.upsert(work, G1, [row])
            assert await store.fetch(work, G1, [row.key]) == {row.key: row}
            assert len(await store.search_dense(a_scope(work), axis(0), 50)) == n + 1
            assert len(await store.search_sparse(a_scope(work), ((1, 1),), 50)) == n + 1

    async def test_fetch_leaves_out_what_is_not_there(self, store: VectorStore) -> None:
        row, other = a_row("a"), a_row("b")
        assert await store.fetch(new_work(), G1, [row.key]) == {}
        work = await written(store, row)
        asked = [row.key, other.key, RowKey('" or key != "')]
        assert await store.fetch(work, G1, asked) == {row.key: row}
        assert await store.fetch(work, G1, []) == {}

    async def test_fetch_takes_many_keys(self, store: VectorStore) -> None:
        rows = a_book(700)
        work = await written(store, *rows)
        assert await store.fetch(work, G1, keys_of(rows)) == {row.key: row for row in rows}
        assert await store.keys(work, G1) == set(keys_of(rows))

    async def test_deleted_rows_are_gone_everywhere(self, store: VectorStore) -> None:
        rows = [a_row(f"item {n}", dense=axis(0), sparse=((1, 64),)) for n in range(4)]
        work = await written(store, *rows)
        # Of each kind one: written out by a search before, and still in memory.
        await store.search_dense(a_scope(work), axis(0), 5)
        fresh = a_row("fresh", dense=axis(0), sparse=((1, 64),))
        await store.upsert(work, G1, [fresh])
        gone = [rows[0].key, rows[2].key, fresh.key]
        await store.delete(work, G1, [*gone, a_row("never").key, RowKey('" or key != "')])
        assert await store.keys(work, G1) == {rows[1].key, rows[3].key}
        assert set(await store.fetch(work, G1, [*keys_of(rows), fresh.key])) == {
            rows[1].key,
            rows[3].key,
        }
        for found in (
            await store.search_dense(a_scope(work), axis(0), 9),
            await store.search_sparse(a_scope(work), ((1, 1),), 9),
        ):
            assert {hit.key for hit in found} == {rows[1].key, rows[3].key}

    async def test_a_deleted_row_can_be_written_again(self, store: VectorStore) -> None:
        row = a_row("a", dense=axis(0))
        work = await written(store, row)
        await store.delete(work, G1, [row.key])
        await store.upsert(work, G1, [row])
        assert await store.fetch(work, G1, [row.key]) == {row.key: row}
        assert len(await store.search_dense(a_scope(work), axis(0), 5)) == 1

    async def test_deleting_where_nothing_is_is_no_error(self, store: VectorStore) -> None:
        await store.delete(new_work(), G1, [a_row("a").key])
        await store.delete(new_work(), G1, [])
        await store.drop(new_work(), G1)

    async def test_drop_takes_every_row_and_nothing_else(self, store: VectorStore) -> None:
        row = a_row("a", dense=axis(0), sparse=((1, 64),))
        work, other = await written(store, row), await written(store, row)
        await store.upsert(work, G2, [row])
        await store.drop(work, G1)
        await store.drop(work, G1)
        assert await store.keys(work, G1) == frozenset()
        assert await store.fetch(work, G1, [row.key]) == {}
        assert await store.search_dense(a_scope(work), axis(0), 5) == ()
        assert await store.search_sparse(a_scope(work), ((1, 1),), 5) == ()
        assert await store.keys(work, G2) == {row.key}
        assert await store.keys(other, G1) == {row.key}
        await store.upsert(work, G1, [row])
        assert await store.keys(work, G1) == {row.key}

    async def test_works_and_generations_do_not_see_each_other(self, store: VectorStore) -> None:
        row = a_row("a", dense=axis(0), sparse=((1, 64),))
        same_key = replace(row, text="of another work", dense=axis(1), sparse=((2, 64),))
        one, two = await written(store, row), await written(store, same_key)
        assert await store.fetch(one, G1, [row.key]) == {row.key: row}
        assert await store.fetch(two, G1, [row.key]) == {row.key: same_key}
        assert len(await store.search_dense(a_scope(one), axis(0), 5)) == 1
        assert await store.search_dense(a_scope(two), axis(0), 5) == ()
        assert await store.search_dense(a_scope(one, generation=G2), axis(0), 5) == ()
        assert await store.search_sparse(a_scope(two), ((1, 1),), 5) == ()
        await store.delete(one, G1, [row.key])
        await store.delete(two, G2, [row.key])
        assert await store.keys(two, G1) == {row.key}

    async def test_many_callers_at_once(self, store: VectorStore) -> None:
        works = [new_work() for _ in range(3)]

        async def use(n: int, work: WorkId) -> None:
            row = a_row(f"item {n}", dense=axis(0), sparse=((1, 64),))
            await store.upsert(work, G1, [row])
            assert row.key in await store.fetch(work, G1, [row.key])
            found = await store.search_dense(a_scope(work), axis(0), 50)
            assert row.key in {hit.key for hit in found}

        await asyncio.gather(*(use(n, work) for n in range(8) for work in works))
        for work in works:
            assert len(await store.keys(work, G1)) == 8

    async def test_a_look_tells_whether_rows_were_ever_written(self, store: VectorStore) -> None:
        work = await written(store, a_row("a"), a_row("b"))
        assert await store.holds(work, G1)
        assert not await store.holds(work, G2)
        assert not await store.holds(new_work(), G1)
        await store.drop(work, G1)
        assert not await store.holds(work, G1)

    async def test_closing_twice_does_nothing_more(self, store: VectorStore) -> None:
        await store.close()
        await store.close()
