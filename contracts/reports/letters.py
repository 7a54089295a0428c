"""Dead letters, and what becomes of them."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from contracts.encoded import Bytes
from contracts.frozen import Frozen
from contracts.ordinals import Ordinal


class Settled(StrEnum):
    """What became of a dead letter that is no longer open."""

    RETRIED = "retried"
    DROPPED = "dropped"


class LetterLine(Frozen):
    """A dead letter: where it lies (`letter`), where it came from, whose it is and what is wrong.

    What nobody could read is null. `event` is the kind of the event behind it, `size` how many
    bytes are kept: null where there are none, and they lie in the source alone.
    """

    letter: str
    time: datetime
    source: str
    partition: int | None
    offset: int | None
    position: int | None
    stage: str
    kind: str
    reason: str
    event: str | None
    work_id: str | None
    chapter_id: str | None
    ordinal: Ordinal | None
    revision: int | None
    size: int | None
    settled: Settled | None = None
    settled_at: datetime | None = None


class LettersReport(Frozen):
    """Dead letters, topic by topic, oldest first."""

    letters: tuple[LetterLine, ...]


class LetterReport(Frozen):
    """One dead letter, with its key, and with its bytes where these were asked for."""

    letter: LetterLine
    key: Bytes | None
    body: Bytes | None = None


class RefusedLetter(Frozen):
    """A letter that stays open, and why."""

    letter: str
    reason: str


class SettledReport(Frozen):
    """What `dlq retry` or `dlq drop` did, or with `dry_run` would do.

    `letters` are settled, as far as they were found; `appended` counts the records that were sent
    again, which are fewer where two letters are of one record.
    """

    how: Settled
    dry_run: bool
    letters: tuple[LetterLine, ...]
    appended: int = 0
    refused: tuple[RefusedLetter, ...] = ()
