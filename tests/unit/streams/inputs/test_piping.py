"""Lines are yielded as they come, and nobody who waits for one keeps others waiting."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Iterator

import pytest

from streams.inputs.piping import awaited


async def test_what_comes_is_yielded_in_order_to_its_end() -> None:
    assert [line async for line in awaited(iter(range(100)))] == list(range(100))
    nothing: Iterator[int] = iter(())
    assert not [line async for line in awaited(nothing)]


async def test_others_go_on_while_a_line_is_waited_for() -> None:
    pipe: queue.Queue[int | None] = queue.Queue()
    lines = awaited(iter(pipe.get, None))
    first = asyncio.ensure_future(anext(lines))
    for _ in range(10):
        await asyncio.sleep(0)
    assert not first.done()
    pipe.put(1)
    assert await first == 1
    pipe.put(2)
    pipe.put(None)
    assert [line async for line in lines] == [2]


async def test_what_the_lines_raise_is_raised_where_they_are_read() -> None:
    def lines() -> Iterator[int]:
        yield 1
        raise OSError("gone")

    reading = awaited(lines())
    assert await anext(reading) == 1
    with pytest.raises(OSError, match="gone"):
        await anext(reading)


async def test_not_more_than_two_lines_are_read_ahead() -> None:
    taken = 0

    def lines() -> Iterator[int]:
        nonlocal taken
        while True:
            taken += 1
            yield taken

    reading = awaited(lines())
    for wanted in (1, 2, 3):
        assert await anext(reading) == wanted
    await asyncio.sleep(0.05)
    assert taken <= 5


def test_whoever_stops_listening_is_not_kept() -> None:
    pipe: queue.Queue[int | None] = queue.Queue()

    async def listen() -> None:
        pipe.put(1)
        async for _ in awaited(iter(pipe.get, None)):
            return

    asyncio.run(listen())
    waiting = [thread for thread in threading.enumerate() if thread.name == "lines"]
    assert all(thread.daemon for thread in waiting)
    pipe.put(2)
    pipe.put(None)
