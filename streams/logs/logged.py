"""What the log alone says of a work, whatever of it is indexed yet: its events applied in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from pydantic import ValidationError

from contracts.events import ChapterEvent, ChapterPublished, chapter_event
from contracts.ids import FIRST_GENERATION, WorkId
from contracts.messages import (
    ChapterEmbedded,
    ChapterHead,
    ChapterSegmented,
    EmbeddedMessage,
    EventPassed,
)
from contracts.ports import EventLog, Record
from contracts.topics import CHAPTERS
from contracts.works import WorkRecord
from graph.draft import draft
from streams.dead_letters import position_of

_UNREAD: Final = ""


async def logged_work(log: EventLog, work_id: WorkId) -> WorkRecord:
    """Return the work as all events in the log leave it: registers and hashes, no texts.

    It is what the graph will hold once everything is indexed that can be. An event that cannot
    be read changes nothing.
    """
    records = await log.read_key(CHAPTERS, work_id.encode())
    work = WorkRecord(work_id=work_id, generation=FIRST_GENERATION)
    return draft(work, [*_messages(records, work_id)]).result()


def _messages(records: Iterable[Record], work_id: WorkId) -> Iterator[EmbeddedMessage]:
    for record in records:
        try:
            event = chapter_event.validate_json(record.value or b"")
        except ValidationError:
            continue
        if event.work_id == work_id:
            yield _message(event, position_of(record))


def _message(event: ChapterEvent, position: int) -> EmbeddedMessage:
    if not isinstance(event, ChapterPublished):
        return EventPassed(position=position, event=event)
    segmented = ChapterSegmented(
        head=ChapterHead.of(event, position),
        language=_UNREAD,
        text=_UNREAD,
        sentences=(),
        scenes=(),
        segmenter=_UNREAD,
    )
    return ChapterEmbedded(segmented=segmented, items=(), passages=0, term_counts={})
