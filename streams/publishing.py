"""Publishing an input, and taking chapters back: to the log only, no store is opened.

What is news is decided against the log, so that doing it twice appends nothing; whoever runs the
stages indexes it later.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from contracts.events import ChapterEvent, ChapterWithdrawn, WorkWithdrawn
from contracts.ids import ChapterId, WorkId
from contracts.ports import EventLog, NewRecord
from contracts.reports import PublishReport, WithdrawReport
from contracts.topics import CHAPTERS
from streams.comparing import compare
from streams.inputs.json_lines import read_lines
from streams.inputs.values import ChapterInput, EventInput, UnusableInput
from streams.logs.batches import append_batches
from streams.logs.logged import logged_work


async def publish(
    log: EventLog, given: ChapterInput | EventInput, *, republish: bool = False
) -> PublishReport:
    """Append to the log what of `given` it does not say already, and tell what that was.

    Raises:
        UnusableInput: an event file cannot be read to its end; the lines before stay published.
        TransientError: the log cannot be used now; publishing again goes on from there.
    """
    if isinstance(given, EventInput):
        return await _publish_events(log, given)
    return await _publish_chapters(log, given, republish)


async def _publish_chapters(log: EventLog, given: ChapterInput, republish: bool) -> PublishReport:
    work_id = given.described.work_id
    found = compare(given, await logged_work(log, work_id), dead=(), republish=republish)
    appended = await append_batches(log, map(record_of, found.events))
    return PublishReport(
        works=(work_id,),
        unit="chapters",
        appended=appended,
        new=found.new,
        changed=found.changed,
        moved=found.moved,
        unchanged=found.unchanged,
        withdrawn=found.withdrawn,
        missing=found.missing,
        problems=tuple(map(str, given.problems)),
        notes=given.notes,
    )


async def _publish_events(log: EventLog, given: EventInput) -> PublishReport:
    new, lines, works = await append_events(log, given)
    return PublishReport(works=works, unit="events", appended=new, new=new, unchanged=lines - new)


async def append_events(log: EventLog, given: EventInput) -> tuple[int, int, tuple[WorkId, ...]]:
    """Append the lines that the log has not had; return how many, of how many, of which works.

    Raises:
        UnusableInput: the file cannot be read to its end; the lines before stay appended.
        TransientError: the log cannot be used now.
    """
    lines = 0
    works: set[WorkId] = set()

    def records() -> Iterable[NewRecord]:
        nonlocal lines
        for line in read_lines(given.path):
            lines += 1
            if line.work_id is not None:
                works.add(WorkId(line.work_id))
            key = None if line.work_id is None else line.work_id.encode()
            yield NewRecord(CHAPTERS, key, line.value, source=line.source)

    try:
        new = await append_batches(log, records())
    except OSError as error:
        raise UnusableInput(f"{given.path} cannot be read: {error.strerror}.") from error
    return new, lines, tuple(sorted(works))


async def withdraw(
    log: EventLog, work_id: WorkId, chapter_ids: Sequence[ChapterId] | None
) -> WithdrawReport:
    """Take chapters back, or with None the whole work.

    What the log does not hold as published is not withdrawn again: it is in the report.

    Raises:
        TransientError: the log cannot be used now.
    """
    found = await withdrawals(log, work_id, chapter_ids)
    appended = await append_batches(log, map(record_of, found.events))
    return WithdrawReport(
        work_id=work_id,
        appended=appended,
        chapters=found.chapters,
        whole=chapter_ids is None,
        unknown=found.unknown,
    )


@dataclass(frozen=True, slots=True)
class Withdrawals:
    """The events that take chapters back, these chapters, and those that are not published."""

    events: tuple[ChapterEvent, ...]
    chapters: tuple[ChapterId, ...]
    unknown: tuple[ChapterId, ...] = ()


async def withdrawals(
    log: EventLog, work_id: WorkId, chapter_ids: Sequence[ChapterId] | None
) -> Withdrawals:
    """Say which events take chapters back, or with None the whole work.

    Raises:
        TransientError: the log cannot be used now.
    """
    work = await logged_work(log, work_id)
    published = {chapter.chapter_id for chapter in work.chapters if chapter.live}
    if chapter_ids is None:
        whole = (WorkWithdrawn(work_id=work_id),) if published else ()
        return Withdrawals(whole, tuple(sorted(published)))
    wanted = list(dict.fromkeys(chapter_ids))
    chosen = tuple(chapter for chapter in wanted if chapter in published)
    events = tuple(ChapterWithdrawn(work_id=work_id, chapter_id=chapter) for chapter in chosen)
    unknown = tuple(chapter for chapter in wanted if chapter not in published)
    return Withdrawals(events, chosen, unknown)


def record_of(event: ChapterEvent) -> NewRecord:
    """Return the event as a record of the `chapters` topic, under its work's key."""
    return NewRecord(CHAPTERS, event.work_id.encode(), event.to_json())
