"""Takes what waits of works that were resumed through the stage that had parked it, in order."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Final

import structlog

from contracts.ids import WorkId
from contracts.parking import EventParked
from contracts.ports import Record
from streams.dead_letters import Failure, FailureKind, dead_letter
from streams.parking import ParkedWork, ParkingLot, identity_of_parked
from streams.runner import Held, Processed, StageRunner, Step
from streams.stage import Stage

_log: Final = structlog.stdlib.get_logger()
_GONE: Final = "the log no longer keeps what waited while the work was paused: publish it again"


@dataclass(frozen=True, slots=True)
class Round:
    """What became of the first events that waited: steps of those that went on, and the held."""

    steps: tuple[Step, ...]
    held: tuple[Held, ...]


@dataclass(frozen=True, slots=True)
class Releaser:
    """Releases for one stage that parks, on its log. `now_ms` stamps dead letters."""

    stage: Stage[Any]
    lot: ParkingLot
    now_ms: Callable[[], int]

    async def round(
        self, partitions: Collection[int] | None = None, but: Collection[WorkId] = ()
    ) -> Round:
        """Take one event of each work that goes on through the stage, and say what came of it.

        Only of works in `partitions`, where that is not None, and not of those in `but`. What
        comes of an event is in the log before it is noted that it went on: who is cut off in
        between does it again, which changes nothing.

        Raises:
            TransientError: the log cannot be used now.
        """
        await self.lot.look()
        works = [work for work in self.lot.going_on(partitions) if work.work_id not in but]
        # At once: each may wait for a model. All are awaited, whatever befalls one of them.
        released = await asyncio.gather(*map(self._released, works), return_exceptions=True)
        steps: list[Step] = []
        held: list[Held] = []
        for result in released:
            if isinstance(result, BaseException):
                raise result
            if isinstance(result, Held):
                held.append(result)
            else:
                steps += result.steps
        return Round(tuple(steps), tuple(held))

    async def _released(self, work: ParkedWork) -> Processed | Held:
        event = work.waits[0]
        intake = self.stage.intake
        record = await self.lot.log.record_at(intake.source, work.work_id.encode(), event.offset)
        if record is None:
            result: Processed | Held = self._gone(event)
        else:
            runner = StageRunner(self.stage, self.now_ms)
            result = await runner.take([record])
            if isinstance(result, Held) and await runner.paused(result):
                return Processed((), ())  # it waits on, as an event of a paused work
        if isinstance(result, Held):
            await self.lot.hold(event, result.reason)
            return result
        await self.lot.log.append(result.records)
        await self.lot.release(event)
        return result

    def _gone(self, event: EventParked) -> Processed:
        """Return the dead letter of an event that retention has taken away."""
        intake = self.stage.intake
        key = event.work_id.encode()
        record = Record(intake.source, event.offset, key, None, (), self.now_ms(), event.partition)
        identity = identity_of_parked(event)
        failure = Failure(FailureKind.UNREADABLE, _GONE)
        letter = dead_letter(record, intake.name, failure, identity, event.position, self.now_ms())
        _log.warning("parked_event_gone", stage=intake.name, position=event.position)
        return Processed((Step(intake.name, record, identity, failure=failure),), (letter,))
