"""What the event log says of works: which events came, and which of them the index must know."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import ValidationError

from contracts import events
from contracts.events import chapter_event
from contracts.ids import ChapterId, Generation, WorkId
from contracts.ports import EventLog, Record
from contracts.topics import CHAPTERS
from streams import dead_letters
from streams.dead_letters import position_of
from streams.identity import identity_of
from streams.intakes import SEGMENT, Intake, chapter_intakes
from streams.parking import ParkingLot

_PAGE: Final = 256
_PAGE_BYTES: Final = 64_000_000


@dataclass(frozen=True, slots=True)
class Past:
    """An event that the log holds, less its text: where it stands, and what it is about."""

    position: int
    kind: str
    chapter_ids: tuple[ChapterId, ...] = ()


@dataclass(frozen=True, slots=True)
class History:
    """A work as the log tells it, by rising position.

    `indexed` are the events that went through every stage; those that wait before one, or are
    dead letters, are not among them.
    """

    work_id: WorkId
    indexed: tuple[Past, ...] = ()

    @property
    def floor(self) -> int:
        """Return the position below which everything is forgotten: the last withdrawal."""
        return max(
            (past.position for past in self.indexed if past.kind == "work.withdrawn"), default=-1
        )

    def last_events(self) -> Mapping[ChapterId, int]:
        """Return the position of the last event of each chapter that the index must know of."""
        floor = self.floor
        return {
            chapter_id: past.position
            for past in self.indexed
            if past.position > floor
            for chapter_id in past.chapter_ids
        }

    def was_told_of(self) -> bool:
        """Say whether the index must have heard of the work."""
        floor = self.floor
        return any(past.position > floor for past in self.indexed)


@dataclass(slots=True)
class _Found:
    """What has been read of a work so far."""

    events: dict[int, Past] = field(default_factory=dict)
    waiting: set[int] = field(default_factory=set)


async def histories(log: EventLog, generation: Generation) -> Mapping[WorkId, History]:
    """Return the history of every work that the log names in an event that can be read.

    Raises:
        TransientError: the log cannot be used now.
        PermanentError: it is damaged.
    """
    # In the order of the path: what moves on meanwhile is still met before a later stage.
    segmented = await log.position(SEGMENT.of_generation(generation).group, CHAPTERS)
    waiting = await _waiting(log, generation)
    found: dict[WorkId, _Found] = {}
    async for record in _records(log, CHAPTERS, 0):
        past, work_id = _past(record)
        if past is None or work_id is None:
            continue
        work = found.setdefault(work_id, _Found())
        work.events[past.position] = past
        if record.offset >= segmented:
            work.waiting.add(past.position)
    return {
        work_id: await _history(log, generation, work_id, work, waiting.get(work_id, frozenset()))
        for work_id, work in sorted(found.items())
    }


async def unfinished(log: EventLog, generation: Generation, work_id: WorkId) -> frozenset[int]:
    """Return the positions of the work's events that still wait before some stage."""
    return (await _waiting(log, generation)).get(work_id, frozenset())


async def retold(log: EventLog, work_id: WorkId) -> Mapping[int, Record]:
    """Return the work's events that can be read, as they came, by position.

    Of an event that stands there twice (a dead letter that was retried) the last one counts.
    """
    found = {}
    for record in await log.read_key(CHAPTERS, work_id.encode()):
        past, _ = _past(record)
        if past is not None:
            found[past.position] = record
    return found


def read_event(record: Record) -> events.ChapterEvent | None:
    """Return the event in a record of `chapters`; None where nobody can read it."""
    try:
        return chapter_event.validate_json(record.value or b"")
    except ValidationError:
        return None


async def _history(
    log: EventLog, generation: Generation, work_id: WorkId, work: _Found, waiting: frozenset[int]
) -> History:
    letters = await dead_letters.of_work(log, work_id, generation)
    out = waiting | work.waiting | {letter.position for letter in letters}
    indexed = [work.events[at] for at in sorted(work.events) if at not in out]
    return History(work_id, tuple(indexed))


def _past(record: Record) -> tuple[Past | None, WorkId | None]:
    event = read_event(record)
    if event is None or record.key != event.work_id.encode():
        return None, None
    return Past(position_of(record), event.kind, _chapters_of(event)), event.work_id


def _chapters_of(event: events.ChapterEvent) -> tuple[ChapterId, ...]:
    match event:
        case events.WorkReordered():
            return tuple(place.chapter_id for place in event.chapters)
        case events.ChapterPublished() | events.ChapterWithdrawn() | events.ChapterMoved():
            return (event.chapter_id,)
        case events.ChapterPurged():
            return () if event.ordinal is None else (event.chapter_id,)
        case _:
            return ()


async def _waiting(log: EventLog, generation: Generation) -> dict[WorkId, frozenset[int]]:
    """Return by work the positions of what lies before a stage: queued, held, parked, in hand."""
    found: dict[WorkId, set[int]] = {}
    lot = ParkingLot(log, generation)
    await lot.refresh()
    for work in lot.aside():
        found[work.work_id] = {event.position for event in work.waits}
    for intake in chapter_intakes(generation):
        start = await log.position(intake.group, intake.source)
        async for record in _records(log, intake.source, start):
            work_id, position = _place(intake, record)
            if work_id is not None:
                found.setdefault(work_id, set()).add(position)
    return {work_id: frozenset(positions) for work_id, positions in found.items()}


def _place(intake: Intake[Any], record: Record) -> tuple[WorkId | None, int]:
    try:
        identity = identity_of(intake.decode.validate_json(record.value or b""))
    except ValidationError:
        return None, -1
    position = position_of(record) if identity.position is None else identity.position
    return (None if identity.work_id is None else WorkId(identity.work_id)), position


async def _records(log: EventLog, topic: str, start: int) -> AsyncIterator[Record]:
    end = await log.end(topic)
    while start < end:
        records = await log.read(topic, start, _PAGE, _PAGE_BYTES)
        if not records:
            return
        for record in records:
            yield record
        start = records[-1].offset + 1
