"""Publishing an input to Kafka. The topic is not read before: everything of the input is sent.

Sending it twice is harmless, since what says nothing new costs no work; but a chapter that was
withdrawn after it was sent is published again by that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Protocol

from contracts.events import ChapterPublished
from contracts.ids import WorkId
from contracts.ports import NewRecord
from contracts.reports import PublishReport
from contracts.topics import CHAPTERS
from streams.inputs.json_lines import EventLine, read_lines
from streams.inputs.piping import awaited
from streams.inputs.values import ChapterInput, EventInput, Problem, UnusableInput
from streams.kafka.access import KafkaAccess
from streams.kafka.admin import require_topics
from streams.kafka.producing import RecordProducer, record_producer
from streams.message_sizes import MAX_MESSAGE_BYTES, size_of
from streams.publishing import record_of

_SPLIT: Final = "publish it as several chapters, or raise the limit"


class Watcher(Protocol):
    """Is told what was sent, as it goes."""

    def sent(self, size: int) -> None:
        """One more event, of so many bytes, is on its way."""


async def publish(
    access: KafkaAccess, given: ChapterInput | EventInput, max_body_bytes: int, watcher: Watcher
) -> PublishReport:
    """Send `given` to the `chapters` topic; return when the brokers have acknowledged all of it.

    A chapter whose body is larger than `max_body_bytes` would only become a dead letter: it is
    reported, and the others are sent. Events are sent as they are.

    Raises:
        UnusableInput: an event file cannot be read to its end; the lines before are sent.
        TransientError: no broker answers, or none any more; sending all again is harmless.
        PermanentError: the brokers refuse us or a message, or there is no such topic.
    """
    await require_topics(access, [access.topic(CHAPTERS)])
    async with record_producer(access) as producer:
        sending = _Sending(producer, watcher)
        if isinstance(given, EventInput):
            await _send_events(sending, given)
        else:
            await _send_chapters(sending, given, max_body_bytes)
        await producer.settle()
    return PublishReport(
        works=tuple(sorted(sending.works)),
        unit="events",
        appended=producer.acknowledged,
        new=producer.acknowledged,
        problems=tuple(map(str, sending.problems)),
        notes=() if isinstance(given, EventInput) else given.notes,
    )


@dataclass(slots=True)
class _Sending:
    """What was sent so far, and what could not be."""

    producer: RecordProducer
    watcher: Watcher
    works: set[WorkId] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)

    async def send(self, record: NewRecord, what: str) -> None:
        size = size_of(record)
        if size > MAX_MESSAGE_BYTES:
            trouble = f"has {size:,} bytes, and a message {MAX_MESSAGE_BYTES:,} at most"
            self.problems.append(Problem(what, None, trouble, "publish it as several chapters"))
            return
        await self.producer.send(record)
        self.watcher.sent(size)


async def _send_events(sending: _Sending, given: EventInput) -> None:
    try:
        async for line in awaited(read_lines(given.path)):
            if line.work_id is not None:
                sending.works.add(WorkId(line.work_id))
            await sending.send(_record_of_line(line), f"{given.path.name}, line {line.number}")
    except OSError as error:
        raise UnusableInput(f"{given.path} cannot be read: {error.strerror}.") from error


def _record_of_line(line: EventLine) -> NewRecord:
    key = None if line.work_id is None else line.work_id.encode()
    return NewRecord(CHAPTERS, key, line.value)


async def _send_chapters(sending: _Sending, given: ChapterInput, max_body_bytes: int) -> None:
    sending.works.add(given.described.work_id)
    sending.problems += given.problems
    await sending.send(record_of(given.described), given.described.work_id)
    for chapter in _fit(sending, given, max_body_bytes):
        await sending.send(record_of(chapter), chapter.chapter_id)


def _fit(sending: _Sending, given: ChapterInput, max_body_bytes: int) -> Iterator[ChapterPublished]:
    for chapter in given.chapters:
        size = len(chapter.body.encode("utf-8", "surrogatepass"))
        if size <= max_body_bytes:
            yield chapter
        else:
            trouble = f"its body has {size:,} bytes, the limit is {max_body_bytes:,}"
            work = given.described.work_id
            sending.problems.append(Problem(work, chapter.chapter_id, trouble, _SPLIT))
