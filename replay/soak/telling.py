"""A publisher that goes on while the brokers are away, and a look at how far the stages are."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from contracts.errors import TransientError
from contracts.events import ChapterEvent
from contracts.ids import FIRST_GENERATION, Generation
from streams.intakes import HIDE, chapter_intakes
from streams.kafka.access import KafkaAccess
from streams.kafka.event_log import KafkaEventLog
from streams.publishing import record_of

_LOOK_S: Final = 0.5
_PATIENCE_S: Final = 180.0

T = TypeVar("T")


@dataclass(slots=True)
class Publisher:
    """Publishes `portions` one by one; `events` is what was published so far."""

    access: KafkaAccess
    portions: Iterator[list[ChapterEvent]]
    events: list[ChapterEvent] = field(default_factory=list)

    def some(self) -> None:
        """Publish a portion, again where the brokers did not say that they have it."""
        portion = next(self.portions)
        patiently(lambda: self._append(portion))
        self.events += portion

    async def _append(self, portion: Sequence[ChapterEvent]) -> None:
        log = KafkaEventLog(self.access)
        try:
            await log.append([record_of(event) for event in portion])
        finally:
            await log.close()


def patiently(deed: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Do it again until the servers let it be done; to publish twice changes nothing.

    Raises:
        TransientError: they do not for long.
    """
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        try:
            return asyncio.run(deed())
        except TransientError:
            if time.monotonic() > deadline:
                raise
        time.sleep(_LOOK_S)


async def positions(
    access: KafkaAccess, generation: Generation = FIRST_GENERATION
) -> dict[str, tuple[int, int]]:
    """Return for each stage how many records are done, and how many there are."""
    log = KafkaEventLog(access)
    intakes = (HIDE.of_generation(generation), *chapter_intakes(generation))
    try:
        found = {each.name: await log.standing(each.group, each.source) for each in intakes}
    finally:
        await log.close()
    return {
        name: (sum(line.position for line in lines), sum(line.end for line in lines))
        for name, lines in found.items()
    }


def lag(access: KafkaAccess, generation: Generation = FIRST_GENERATION) -> int:
    """Return how many records lie before all stages."""
    found = patiently(lambda: positions(access, generation))
    return sum(end - done for done, end in found.values())
