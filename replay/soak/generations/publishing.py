"""Publishes what happens to serials, one event after the other, at an even pace."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from contracts.events import ChapterEvent
from contracts.ports import EventLog
from streams.generations.path import intakes_of
from streams.generations.registry import Generations
from streams.lags import waiting
from streams.publishing import record_of

_MOST: Final = 40  # records before all stages of a generation: what waits is told of as a gap


@dataclass(slots=True)
class Stream:
    """A stream of events; `events` is what was published so far.

    One comes every `pace_s`, more slowly where the workers do not keep up on this machine.
    """

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
            if await self._waiting() < _MOST:
                await self.publish([next(self.coming)])
            await asyncio.sleep(self.pace_s)

    async def _waiting(self) -> int:
        """Return how many records wait before the stages of the generation with the most."""
        generations = Generations(self.log)
        await generations.refresh()
        lags = [await waiting(self.log, intakes_of(each)) for each in generations.kept()]
        return max((sum(each.waiting for each in lag) for lag in lags), default=0)


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
