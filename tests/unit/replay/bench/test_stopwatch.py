from __future__ import annotations

import asyncio

import pytest

from contracts.ids import FIRST_GENERATION, WorkId
from graph.memory import MemoryVectorStore
from replay.evaluation.bench.stopwatch import Stopwatch


async def test_each_call_of_a_port_adds_to_the_method() -> None:
    watch = Stopwatch()
    store = watch.port(MemoryVectorStore(), "vectors")
    assert await store.keys(WorkId("w"), FIRST_GENERATION) == frozenset()
    once = watch.seconds["vectors keys"]
    assert once > 0
    await store.keys(WorkId("w"), FIRST_GENERATION)
    assert watch.seconds["vectors keys"] > once
    assert set(watch.seconds) == {"vectors keys"}


async def test_a_block_that_fails_is_timed_too() -> None:
    watch = Stopwatch()
    with pytest.raises(TimeoutError), watch.running("step"):
        await asyncio.wait_for(asyncio.sleep(60), timeout=0.01)
    assert watch.seconds["step"] >= 0.01
