"""A dead letter as it is told of: everything but its bytes, and these only to who asks."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from contracts.reports import LetterLine
from streams.dead_letters import DeadLetter
from streams.settlements import Settlement

_LAST_MS: Final = 253_402_300_799_000  # the end of the year 9999, which is the last that has a name


def letter_line(letter: DeadLetter, settlement: Settlement | None = None) -> LetterLine:
    """Return what is told of a letter, and of what became of it."""
    whose = letter.identity
    return LetterLine(
        letter=letter.letter_id,
        time=moment(letter.time_ms),
        source=letter.source,
        partition=_told(letter.partition),
        offset=_told(letter.offset),
        position=_told(letter.position),
        stage=letter.stage,
        kind=letter.failure.kind.value,
        reason=letter.failure.reason,
        event=whose.kind or None,
        work_id=whose.work_id or None,
        chapter_id=whose.chapter_id or None,
        ordinal=whose.ordinal,
        revision=whose.revision,
        size=letter.size,
        settled=settlement.how if settlement else None,
        settled_at=moment(settlement.time_ms) if settlement else None,
    )


def moment(time_ms: int) -> datetime:
    """Return the instant so many milliseconds after 1970."""
    return datetime.fromtimestamp(min(time_ms, _LAST_MS) / 1000, UTC)


def _told(number: int) -> int | None:
    return None if number < 0 else number
