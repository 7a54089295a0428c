"""Generations beside each other: one pointer, and erasing what nobody reads any more."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from contracts.errors import PermanentError
from contracts.ids import FIRST_GENERATION, ChapterId, Generation
from contracts.ports import TreeStore
from tests.contract.story import Writer, at

SECOND = Generation("g2")


@asynccontextmanager
async def pointing(store: TreeStore, to: Generation) -> AsyncIterator[None]:
    """Have `to` be live for a while: the server has other tests' works too."""
    assert await store.point(to, FIRST_GENERATION)
    try:
        yield
    finally:
        assert await store.point(FIRST_GENERATION, to)


async def two_generations(store: TreeStore) -> tuple[Writer, Writer]:
    first = Writer(store)
    await first.publish("c1", 1)
    second = Writer(store, first.work_id, SECOND)
    await second.publish("c1", 5)
    return first, second


class GenerationContract:
    async def test_the_first_is_live_until_the_pointer_is_moved(self, store: TreeStore) -> None:
        first, _ = await two_generations(store)
        assert await store.live() == FIRST_GENERATION
        loaded, view = await store.load(first.work_id), await store.view(first.work_id, None)
        assert loaded is not None
        assert view is not None
        assert loaded.generation == view.generation == FIRST_GENERATION
        assert view.as_of == at(1)

    async def test_the_pointer_names_the_live_one(self, store: TreeStore) -> None:
        first, _ = await two_generations(store)
        before = await store.view(first.work_id, None)
        async with pointing(store, SECOND):
            assert await store.live() == SECOND
            loaded, view = await store.load(first.work_id), await store.view(first.work_id, None)
            assert loaded is not None
            assert view is not None
            assert loaded.generation == view.generation == SECOND
            assert view.as_of == at(5)
            assert loaded in await store.works()
            assert all(work.generation == SECOND for work in await store.works())
            # Who bound before reads on in what was bound.
            assert before is not None
            assert [each.ordinal for each in await before.scenes()] == [at(1)]
            assert [each.ordinal for each in await view.scenes()] == [at(5)]

    async def test_any_generation_can_be_asked_for(self, store: TreeStore) -> None:
        first, second = await two_generations(store)
        for writer, place in ((first, 1), (second, 5)):
            loaded = await store.load(writer.work_id, writer.generation)
            view = await store.view(writer.work_id, None, writer.generation)
            assert loaded is not None
            assert view is not None
            assert loaded.generation == view.generation == writer.generation
            assert view.as_of == at(place)
            assert loaded in await store.works(writer.generation)
        assert await store.load(first.work_id, Generation("g9")) is None
        assert await store.view(first.work_id, None, Generation("g9")) is None
        assert await store.works(Generation("g9")) == ()

    async def test_of_two_who_move_the_pointer_one_does(self, store: TreeStore) -> None:
        assert not await store.point(SECOND, Generation("g7"))
        assert await store.live() == FIRST_GENERATION
        others = [Generation(f"g{n}") for n in range(2, 6)]
        moved = await asyncio.gather(*(store.point(each, FIRST_GENERATION) for each in others))
        live = await store.live()
        assert await store.point(FIRST_GENERATION, live)
        assert sum(moved) == 1
        assert live == others[moved.index(True)]

    async def test_to_move_it_where_it_is_changes_nothing(self, store: TreeStore) -> None:
        assert await store.point(FIRST_GENERATION, FIRST_GENERATION)
        assert await store.live() == FIRST_GENERATION

    async def test_what_is_erased_is_gone_and_the_other_is_as_it_was(
        self, store: TreeStore
    ) -> None:
        first, second = await two_generations(store)
        await second.publish("c2", 6)
        kept = await store.load(first.work_id)
        before = await store.rows(first.work_id, FIRST_GENERATION)
        calls = 0
        while await store.erase(second.work_id, SECOND, 3):
            calls += 1
            assert calls < 200
        assert await store.load(second.work_id, SECOND) is None
        assert await store.rows(second.work_id, SECOND) == ()
        assert (
            await store.contents(second.work_id, SECOND, [ChapterId("c1"), ChapterId("c2")]) == {}
        )
        assert (second.work_id, SECOND) not in await store.linking()
        assert await store.load(first.work_id) == kept
        assert await store.rows(first.work_id, FIRST_GENERATION) == before
        view = await store.view(first.work_id, None)
        assert view is not None
        assert await view.texts([ChapterId("c1")])

    async def test_what_is_live_is_not_erased(self, store: TreeStore) -> None:
        first, _ = await two_generations(store)
        with pytest.raises(PermanentError, match="live"):
            await store.erase(first.work_id, FIRST_GENERATION, 10)
        assert await store.load(first.work_id) is not None

    async def test_to_erase_what_is_not_there_changes_nothing(self, store: TreeStore) -> None:
        first, _ = await two_generations(store)
        assert not await store.erase(first.work_id, Generation("g9"), 10)
        assert await store.load(first.work_id) is not None
