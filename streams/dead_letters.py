"""Dead letters: what was unfit, its bytes unchanged, with where it came from and why.

To retry one is to append its key, value and position header to the topic it came from: a late
arrival at its old place. A letter stays in its topic; that it was retried or dropped is told by a
record behind it (`streams.settlements`), and from then on it is no longer open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from contracts import topics
from contracts.ids import Generation
from contracts.ordinals import Ordinal
from contracts.ports import EventLog, NewRecord, Record
from streams import headers
from streams.headers import number
from streams.identity import Identity
from streams.logs.paging import records_from
from streams.message_sizes import MAX_MESSAGE_BYTES, ROOM_FOR_HEADERS, size_of
from streams.settlements import settled_by

POSITION: Final = "storygraft-position"
"""Header of a record that is not at its first place: its position in the `chapters` log."""

_NOT_COPIED: Final = "; its {size:,} bytes are not copied here: they lie where it came from"


class FailureKind(StrEnum):
    """Why something is a dead letter."""

    UNREADABLE = "unreadable"
    WRONG_KEY = "wrong_key"
    UNFIT = "unfit"
    UNEXPECTED = "unexpected"


@dataclass(frozen=True, slots=True)
class Failure:
    """What is wrong, in words for the person who repairs it; never text of a chapter."""

    kind: FailureKind
    reason: str


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A dead letter as read back; what nobody told is empty, or -1.

    It lies at `at` of `topic`, and came from `offset` in `partition` of `source`. `position` is
    the event's place in its first topic. `size` is that of the value, in bytes; None: it has none.
    """

    topic: str
    at: int
    source: str
    partition: int
    offset: int
    position: int
    stage: str
    failure: Failure
    time_ms: int
    identity: Identity
    key: bytes | None
    value: bytes | None
    size: int | None

    @property
    def letter_id(self) -> str:
        """What the letter is called: its topic and its offset there."""
        return f"{self.topic}@{self.at}"


def position_of(record: Record) -> int:
    """Return the record's position: its header's, or its own offset where it has none."""
    position = number(headers.told(record).get(POSITION))
    return record.offset if position is None else position


def dead_letter(
    record: Record, stage: str, failure: Failure, identity: Identity, position: int, now_ms: int
) -> NewRecord:
    """Return what goes to the dead-letter topic in place of the unfit `record`.

    What came under another key than its work's may lie in another partition than that work's
    events, so its position means nothing: sent again, it is a new arrival. What a producer packed
    and is too large unpacked is not copied: the letter has no value and says where it lies.
    """
    told = {
        "storygraft-source-topic": record.topic,
        "storygraft-source-partition": str(record.partition),
        "storygraft-source-offset": str(record.offset),
        POSITION: "" if failure.kind is FailureKind.WRONG_KEY else str(position),
        "storygraft-revision": _shown(identity.revision),
        "storygraft-stage": stage,
        "storygraft-error-kind": failure.kind.value,
        "storygraft-error-message": failure.reason,
        "storygraft-time-ms": str(now_ms),
        "storygraft-kind": identity.kind or "",
        "storygraft-work-id": identity.work_id or "",
        "storygraft-chapter-id": identity.chapter_id or "",
        "storygraft-ordinal": _shown(identity.ordinal),
    }
    letter = _letter(record, told)
    if size_of(letter) <= MAX_MESSAGE_BYTES + ROOM_FOR_HEADERS:
        return letter
    told["storygraft-error-message"] += _NOT_COPIED.format(size=len(record.value or b""))
    return _letter(replace(record, value=None), told)


def _letter(record: Record, told: Mapping[str, str]) -> NewRecord:
    written = tuple((name, text.encode()) for name, text in told.items() if text)
    # Kafka's client sends nothing that has neither key nor value.
    value = b"" if record.key is None and record.value is None else record.value
    return NewRecord(topics.dead_letters(record.topic), record.key, value, written)


def read_back(record: Record) -> DeadLetter:
    """Read a record of a dead-letter topic; what someone else wrote there has empty fields."""
    told = headers.told(record)
    time_ms = number(told.get("storygraft-time-ms"))
    return DeadLetter(
        topic=record.topic,
        at=record.offset,
        source=told.get("storygraft-source-topic", ""),
        partition=_known(number(told.get("storygraft-source-partition"))),
        offset=_known(number(told.get("storygraft-source-offset"))),
        position=_known(number(told.get(POSITION))),
        stage=told.get("storygraft-stage", ""),
        failure=_failure(told),
        time_ms=record.timestamp_ms if time_ms is None else time_ms,
        identity=Identity(
            work_id=told.get("storygraft-work-id"),
            chapter_id=told.get("storygraft-chapter-id"),
            ordinal=_ordinal(told.get("storygraft-ordinal")),
            revision=number(told.get("storygraft-revision")),
            kind=told.get("storygraft-kind"),
        ),
        key=record.key,
        value=record.value,
        size=None if record.value is None else len(record.value),
    )


def open_letters(records: Iterable[Record]) -> tuple[DeadLetter, ...]:
    """Return those of the letters in `records`, of one topic and in order, that are not settled."""
    found: dict[int, DeadLetter] = {}
    for record in records:
        settlement = settled_by(record)
        if settlement is None:
            found[record.offset] = read_back(record)
        else:
            found.pop(settlement.letter, None)
    return tuple(found.values())


def topics_of(generation: Generation) -> tuple[str, ...]:
    """Return the dead-letter topics of the path of a chapter, in the order of the stages."""
    path = (topics.CHAPTERS, topics.SCENES, topics.EMBEDDED)
    return tuple(topics.dead_letters(topics.physical(topic, generation)) for topic in path)


async def of_work(log: EventLog, work_id: str, generation: Generation) -> tuple[DeadLetter, ...]:
    """Return the open dead letters of a work's chapters, stage by stage, oldest first."""
    found: list[DeadLetter] = []
    for topic in topics_of(generation):
        found += open_letters(await log.read_key(topic, work_id.encode()))
    return tuple(found)


async def everyone(log: EventLog, generation: Generation) -> tuple[DeadLetter, ...]:
    """Return all open dead letters, those that name no work and those of questions too."""
    found: list[DeadLetter] = []
    for topic in (*topics_of(generation), topics.dead_letters(topics.QUESTIONS)):
        records = records_from(log, topic, 0, await log.end(topic))
        found += open_letters([record async for record in records])
    return tuple(found)


def _failure(told: Mapping[str, str]) -> Failure:
    reason = told.get("storygraft-error-message", "")
    try:
        return Failure(FailureKind(told.get("storygraft-error-kind", "")), reason)
    except ValueError:
        return Failure(FailureKind.UNFIT, reason)


def _ordinal(text: str | None) -> Ordinal | None:
    try:
        return Ordinal.parse(text) if text else None
    except ValueError:
        return None


def _known(number: int | None) -> int:
    return -1 if number is None else number


def _shown(number: int | None) -> str:
    return "" if number is None else str(number)
