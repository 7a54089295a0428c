"""Whose a message is: read from a decoded message, or guessed from bytes that do not decode."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Final

from contracts.events import (
    ChapterMoved,
    ChapterPublished,
    ChapterPurged,
    ChapterWithdrawn,
    QuestionAsked,
    WorkDescribed,
    WorkReordered,
    WorkWithdrawn,
)
from contracts.messages import ChapterEmbedded, ChapterHead, ChapterSegmented, EventPassed
from contracts.order import NO_REVISION
from contracts.ordinals import Ordinal

PUBLISHED: Final = "chapter.published"
_NAME_LIMIT: Final = 500  # the longest id there is; more is no id and only fills the headers


@dataclass(frozen=True, slots=True)
class Identity:
    """What is known of the event behind a message; None where it is not.

    `kind` is the kind of the *event*, also for the messages of later stages; `position` is the
    event's place in its log where the message itself tells it.
    """

    work_id: str | None = None
    chapter_id: str | None = None
    ordinal: Ordinal | None = None
    revision: int | None = None
    kind: str | None = None
    position: int | None = None


NOBODY: Final = Identity()


def identity_of(message: object) -> Identity:
    """Return the identity of a decoded message of any topic; `NOBODY` for anything else."""
    match message:
        case ChapterSegmented():
            return _of_head(message.head)
        case ChapterEmbedded():
            return _of_head(message.segmented.head)
        case EventPassed():
            return replace(_of_event(message.event), position=message.position)
        case QuestionAsked():
            return Identity(work_id=message.work_id, kind=message.kind)
        case _:
            return _of_event(message)


def _of_head(head: ChapterHead) -> Identity:
    return Identity(
        head.work_id, head.chapter_id, head.ordinal, head.revision, PUBLISHED, head.position
    )


def _of_event(event: object) -> Identity:
    match event:
        case ChapterPublished() | ChapterMoved() | ChapterPurged():
            return Identity(
                event.work_id, event.chapter_id, event.ordinal, event.revision, event.kind
            )
        case ChapterWithdrawn():
            return Identity(event.work_id, event.chapter_id, None, event.revision, event.kind)
        case WorkReordered() | WorkDescribed() | WorkWithdrawn():
            return Identity(event.work_id, None, None, event.revision, event.kind)
        case _:
            return NOBODY


def guessed(value: bytes | None, key: bytes | None = None) -> Identity:
    """Read what can be read of an event that does not decode, so that its gap has a name.

    A value that names no work, or is none, is that of the work which the record's key names.
    """
    found = _guessed(value)
    return found if found.work_id else replace(found, work_id=_key_name(key))


def _guessed(value: bytes | None) -> Identity:
    try:
        body = json.loads((value or b"").decode("utf-8", errors="replace"))
    except (ValueError, RecursionError):
        return NOBODY
    if not isinstance(body, dict):
        return NOBODY
    return Identity(
        work_id=_name(body.get("work_id")),
        chapter_id=_name(body.get("chapter_id")),
        ordinal=_ordinal(body.get("ordinal")),
        revision=_revision(body.get("revision")),
        kind=_name(body.get("kind")),
    )


def _key_name(key: bytes | None) -> str | None:
    try:
        return _name((key or b"").decode())
    except UnicodeDecodeError:
        return None


def _name(found: object) -> str | None:
    if not isinstance(found, str) or not found or len(found) > _NAME_LIMIT:
        return None
    return found.encode("utf-8", errors="replace").decode()


def _ordinal(found: object) -> Ordinal | None:
    try:
        return Ordinal.parse(found)
    except ValueError:
        return None


def _revision(found: object) -> int | None:
    fits = isinstance(found, int) and not isinstance(found, bool) and found > NO_REVISION
    return found if fits and isinstance(found, int) else None
