"""What the event log says of works: which events came, and which of them the index must know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import ValidationError

from contracts import events
from contracts.events import chapter_event
from contracts.ids import ChapterId, WorkId
from contracts.ports import EventLog, Record
from contracts.topics import CHAPTERS
from streams.dead_letters import position_of
from streams.gaps import GapFinder
from streams.logs.paging import records_from


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
    dead letters, dropped or not, are not among them.
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


async def histories(log: EventLog, gaps: GapFinder) -> Mapping[WorkId, History]:
    """Return the history of every work that the log names in an event that can be read.

    Raises:
        TransientError: the log cannot be used now.
        PermanentError: it is damaged.
    """
    found: dict[WorkId, dict[int, Past]] = {}
    async for record in records_from(log, CHAPTERS, 0, await log.end(CHAPTERS)):
        past, work_id = _past(record)
        if past is not None and work_id is not None:
            found.setdefault(work_id, {})[past.position] = past
    await gaps.refresh()  # afterwards: what is read above and does not wait now is indexed
    return {work_id: _history(gaps, work_id, events) for work_id, events in sorted(found.items())}


async def one_history(log: EventLog, gaps: GapFinder, work_id: WorkId) -> History:
    """Return the history of one work; of a Kafka log its partition is read for it.

    Raises:
        TransientError: the log cannot be used now.
        PermanentError: it is damaged.
    """
    told = [_past(record)[0] for record in await log.read_key(CHAPTERS, work_id.encode())]
    await gaps.refresh()
    return _history(gaps, work_id, {past.position: past for past in told if past is not None})


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


def _history(gaps: GapFinder, work_id: WorkId, events: Mapping[int, Past]) -> History:
    letters = (*gaps.letters.of(work_id), *gaps.letters.given_up(work_id))
    dead = {letter.position for letter in letters}
    out = gaps.unfinished(work_id) | dead
    return History(work_id, tuple(events[at] for at in sorted(events) if at not in out))


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
