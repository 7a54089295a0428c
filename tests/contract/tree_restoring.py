"""A work that comes from another store keeps its number."""

from __future__ import annotations

from dataclasses import replace

import pytest

from contracts.errors import PermanentError
from contracts.ports import TreeStore
from tests.contract.story import Writer, a_chapter, a_content


class RestoringContract:
    async def test_a_restored_work_keeps_its_number_and_goes_on_from_there(
        self, store: TreeStore
    ) -> None:
        writer = Writer(store)
        chapter = a_chapter("c1", 1)
        first = writer.commit([chapter], [a_content(writer.work_id, "c1")])
        restored = replace(first, work=writer.work(41), restores=True)
        assert await store.commit(restored)
        loaded = await store.load(writer.work_id)
        assert loaded == writer.work(41).model_copy(update={"chapters": (chapter,)})
        assert not await store.commit(replace(first, work=writer.work(1)))
        next_one = replace(first, work=writer.work(42), expected_seq=41)
        assert await store.commit(next_one)

    async def test_a_work_that_is_known_is_not_restored(self, store: TreeStore) -> None:
        writer = Writer(store)
        await writer.publish("c1", 1)
        before = await store.load(writer.work_id)
        again = replace(writer.commit(), work=writer.work(41), expected_seq=0, restores=True)
        assert not await store.commit(again)
        assert await store.load(writer.work_id) == before

    async def test_what_restores_expects_nothing(self, store: TreeStore) -> None:
        writer = Writer(store)
        for seq, expected in ((41, 40), (0, 0)):
            commit = replace(
                writer.commit(), work=writer.work(seq), expected_seq=expected, restores=True
            )
            with pytest.raises(PermanentError, match="cannot follow"):
                await store.commit(commit)
        assert await store.load(writer.work_id) is None
