"""Where the events of paused works wait: the state of the topic `parked`, and what is put there.

A stage that parks passes an event of a paused work by and notes in `parked` that it did. The
event stays where it lies in the stage's own topic, with its key, bytes and position. When the work
is resumed, what waits goes on first, in its order (`streams.releasing`), and what is new is parked
behind it until nothing waits any more.

Whoever has the partition of a work is the only one who parks and releases its events, so its own
view of what waits is right, if it looks once when it gets the partition. A worker that lost the
partition and does not know it yet does no harm: each record of `parked` is a fact.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from contracts.frozen import Frozen
from contracts.ids import FIRST_GENERATION, Generation, WorkId
from contracts.parking import (
    EventParked,
    EventsReleased,
    ParkedMessage,
    ReleaseHeld,
    WorkPaused,
    WorkResumed,
    parked_message,
)
from contracts.ports import EventLog, NewRecord, Record
from contracts.topics import PARKED, physical
from streams.identity import Identity
from streams.logs.paging import records_from

_FRESH_S: Final = 0.5  # within which a worker knows of a work that is paused or resumed


@dataclass(slots=True)
class ParkedWork:
    """A work that is or was paused. `waits` are its events that wait, by rising offset.

    `reason` is why it is paused, empty where an operator wanted it.
    """

    work_id: WorkId
    paused: bool = False
    reason: str = ""
    waits: list[EventParked] = field(default_factory=list)
    released: int = -1
    held: ReleaseHeld | None = None

    @property
    def is_aside(self) -> bool:
        """Whether its next event must wait: it is paused, or others wait before it."""
        return self.paused or bool(self.waits)

    @property
    def is_going_on(self) -> bool:
        """Whether what waits is to go on now."""
        return bool(self.waits) and not self.paused

    def told(self, message: ParkedMessage) -> None:
        """Take notice of a record of the topic; one that was told before changes nothing."""
        match message:
            case WorkPaused():
                self.paused, self.reason = True, message.reason
            case WorkResumed():
                self.paused, self.reason = False, ""
            case EventParked():
                self._wait(message)
            case EventsReleased():
                self.released = max(self.released, message.until)
                del self.waits[: bisect_right(self.waits, self.released, key=_offset)]
                self.held = None
            case ReleaseHeld():
                self.held = message

    def _wait(self, event: EventParked) -> None:
        """Have `event` wait, unless it waits or went on already."""
        if event.offset <= self.released:
            return
        at = bisect_right(self.waits, event.offset, key=_offset)
        if not at or self.waits[at - 1].offset != event.offset:
            self.waits.insert(at, event)


@dataclass(slots=True)
class ParkingLot:
    """The events of paused works of one generation; use it from one event loop.

    It reads the topic as far as it has not, when asked after `_FRESH_S`.
    """

    log: EventLog
    generation: Generation = FIRST_GENERATION
    _works: dict[WorkId, ParkedWork] = field(default_factory=dict)
    _read_to: int = 0
    _read_at: float | None = None
    _expected: dict[int, int] = field(default_factory=dict)

    @property
    def topic(self) -> str:
        """The topic of the generation."""
        return physical(PARKED, self.generation)

    async def refresh(self) -> None:
        """Read what the topic says by now.

        Raises:
            TransientError: the log cannot be used now.
        """
        began = time.monotonic()
        end = await self.log.end(self.topic)
        start = self._read_to
        async for record in records_from(self.log, self.topic, start, end):
            self._tell(parked_message.validate_json(record.value or b""))
            start = record.offset + 1
        self._read_to = max(self._read_to, start)  # others may have looked meanwhile
        self._read_at = began

    async def look(self) -> None:
        """Read what the topic says, unless that was done a moment ago. Raises as `refresh`."""
        if self._read_at is None or time.monotonic() - self._read_at > _FRESH_S:
            await self.refresh()

    async def look_for(self, record: Record) -> None:
        """Look, and in any case where `record` is not the one after the last of its partition.

        Another worker may have had the partition in between. Raises as `refresh`.
        """
        if self._expected.get(record.partition) != record.offset:
            await self.refresh()
        await self.look()
        self._expected[record.partition] = record.offset + 1

    def is_aside(self, key: bytes | None) -> bool:
        """Say whether the next event of the work with this key must be parked."""
        work = self._works.get(WorkId((key or b"").decode("utf-8", errors="replace")))
        return work is not None and work.is_aside

    def work(self, work_id: WorkId) -> ParkedWork | None:
        """Return the work, None if it never was paused."""
        return self._works.get(work_id)

    def aside(self) -> tuple[ParkedWork, ...]:
        """Return the works that are paused or of which events wait, by id."""
        return tuple(work for _, work in sorted(self._works.items()) if work.is_aside)

    def going_on(self, partitions: Collection[int] | None = None) -> tuple[ParkedWork, ...]:
        """Return the works whose events are to go on, in these partitions or in all."""
        return tuple(
            work
            for work in self.aside()
            if work.is_going_on and (partitions is None or work.waits[0].partition in partitions)
        )

    async def park(self, events: Sequence[EventParked]) -> None:
        """Note that `events` wait: that is durable when this returns. Raises as `refresh`."""
        await self._append(events)

    async def pause(self, work_id: WorkId, reason: str = "") -> ParkedWork:
        """Pause the work, unless it is. Raises as `refresh`."""
        return await self._wanted(WorkPaused(work_id=work_id, reason=reason))

    async def resume(self, work_id: WorkId) -> ParkedWork:
        """Let the work go on, unless it does. Raises as `refresh`."""
        return await self._wanted(WorkResumed(work_id=work_id))

    async def release(self, event: EventParked) -> None:
        """Note that the work's events up to `event` went on. Raises as `refresh`."""
        await self._append([EventsReleased(work_id=event.work_id, until=event.offset)])

    async def hold(self, event: EventParked, reason: str) -> None:
        """Note, once, why `event` cannot go on now. Raises as `refresh`."""
        told = ReleaseHeld(work_id=event.work_id, offset=event.offset, reason=reason)
        work = self._works.get(event.work_id)
        if work is None or work.held != told:
            await self._append([told])

    async def _wanted(self, said: WorkPaused | WorkResumed) -> ParkedWork:
        await self.refresh()
        work = self._works.setdefault(said.work_id, ParkedWork(said.work_id))
        if work.paused != isinstance(said, WorkPaused):
            await self._append([said])
        return work

    async def _append(self, messages: Iterable[ParkedMessage]) -> None:
        said = list(messages)
        await self.log.append([_record(self.topic, each.work_id, each) for each in said])
        for each in said:
            self._tell(each)

    def _tell(self, message: ParkedMessage) -> None:
        work = self._works.setdefault(message.work_id, ParkedWork(message.work_id))
        work.told(message)


def _offset(event: EventParked) -> int:
    return event.offset


def _record(topic: str, work_id: WorkId, message: Frozen) -> NewRecord:
    return NewRecord(topic, work_id.encode(), message.to_json())


def identity_of_parked(event: EventParked) -> Identity:
    """Return whose an event that waits is."""
    return Identity(
        work_id=event.work_id,
        chapter_id=event.chapter_id,
        ordinal=event.ordinal,
        revision=event.revision,
        kind=event.event,
        position=event.position,
    )
