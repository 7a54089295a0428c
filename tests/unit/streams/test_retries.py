"""Of lanes that are held one tries at a time, and when it gets through all go on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import pytest

from contracts.ports import Record
from streams import lane as lane_module
from streams import retries
from streams.identity import NOBODY
from streams.lane import Lane
from streams.retries import Retries
from streams.runner import Held, Processed, Step
from streams.stage import BatchLimits
from tests.unit.streams.test_lane import PLACE, Broker, Worker, eventually, record

LANES = 6


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lane_module, "_FIRST_PAUSE_S", 0.1)
    monkeypatch.setattr(lane_module, "_LONGEST_PAUSE_S", 0.5)


@dataclass
class SlowStore(Worker):
    """Takes a while for each try, and counts how many try at once."""

    down: bool = True
    at_once: int = 0
    most_at_once: int = 0
    back_s: list[float] = field(default_factory=list)

    async def __call__(self, records: Sequence[Record]) -> Processed | Held:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.tried += 1
        await asyncio.sleep(0.02)
        self.at_once -= 1
        if self.down:
            return Held("segment", records[0], NOBODY, "the store is down")
        self.back_s.append(time.monotonic())
        return Processed(tuple(Step("segment", each, NOBODY) for each in records), ())


async def held_lanes(store: SlowStore) -> list[tuple[Lane, asyncio.Task[None]]]:
    """Lanes that share their retries and are all held."""
    shared = Retries()
    lanes = [
        Lane(PLACE, Broker(range(1)), store, BatchLimits(1), store, retries=shared)
        for _ in range(LANES)
    ]
    running = [(lane, asyncio.create_task(lane.run())) for lane in lanes]
    await eventually(lambda: all(lane._expected is not None for lane in lanes))
    for lane in lanes:
        lane.fetched([0])
        lane.offer(record(0))
    await eventually(lambda: all(lane.holding for lane in lanes))
    return running


async def ended(running: list[tuple[Lane, asyncio.Task[None]]]) -> None:
    for _, task in running:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def test_one_tries_at_a_time_and_all_go_on_when_it_got_through() -> None:
    store = SlowStore()
    running = await held_lanes(store)
    tried, store.most_at_once = store.tried, 0
    await eventually(lambda: store.tried > tried + 2 * LANES)
    assert store.most_at_once == 1
    store.down = False
    await eventually(lambda: all(lane.position == 1 for lane, _ in running))
    assert store.most_at_once == LANES - 1, "those who wait go on together"
    assert max(store.back_s) - min(store.back_s) < 0.3
    await ended(running)


async def test_whoever_takes_long_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retries, "_TURN_S", 0.02)
    turns = Retries()
    with turns.turn():
        began = time.monotonic()
        await turns.due(0.0)
        assert 0.02 <= time.monotonic() - began < 1
        with turns.turn():
            pass
    async with asyncio.timeout(1):
        await turns.due(0.0)  # nobody tries any more


async def test_whoever_failed_makes_room_for_the_next() -> None:
    turns = Retries()
    with turns.turn():
        waits = asyncio.create_task(turns.due(0.0))
        await asyncio.sleep(0.01)
        assert not waits.done()
    async with asyncio.timeout(1):
        await waits


async def test_stopped_none_waits_for_its_turn() -> None:
    store = SlowStore()
    running = await held_lanes(store)
    await eventually(lambda: store.tried > 3 * LANES)  # pauses are long by now
    for lane, _ in running:
        lane.stop()
    async with asyncio.timeout(1):
        await asyncio.gather(*(task for _, task in running))
