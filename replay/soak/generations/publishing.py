"""Publishes what happens to serials, one event after the other, at an even pace."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from contracts.events import ChapterEvent
from contracts.ports import EventLog
from streams.publishing import record_of


@dataclass(slots=True)
class Stream:
    """A stream of events, one every `pace_s`; `events` is what was published so far."""

    log: EventLog
    coming: Iterator[ChapterEvent]
    pace_s: float
    events: list[ChapterEvent] = field(default_factory=list)

    async def publish(self, events: Sequence[ChapterEvent]) -> None:
        """Publish `events`."""
        await self.log.append([record_of(event) for event in events])
        self.events += events

    async def flow(self, stop: asyncio.Event) -> None:
        """Publish what comes until `stop` is set."""
        while not stop.is_set():
            await self.publish([next(self.coming)])
            await asyncio.sleep(self.pace_s)


@asynccontextmanager
async def going(
    *endless: Callable[[asyncio.Event], Coroutine[Any, Any, None]],
) -> AsyncIterator[None]:
    """Have all of it go on while the block runs; what one of them raises ends the block."""
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        for each in endless:
            group.create_task(each(stop))
        try:
            yield
        finally:
            stop.set()
