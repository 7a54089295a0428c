"""That a dead letter is settled: retried or dropped, told by a record in the letter's own topic.

A record of Kafka cannot be removed, so what became of a letter is a fact behind it, under the same
key: it names the letter's offset, says how and when, and holds nothing else. It lies later than the
letter, so no retention takes it away before the letter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from contracts.ports import NewRecord, Record
from contracts.reports import Settled
from streams import headers
from streams.headers import number

_LETTER: Final = "storygraft-settled-letter"
_HOW: Final = "storygraft-settled-how"
_TIME: Final = "storygraft-time-ms"


@dataclass(frozen=True, slots=True)
class Settlement:
    """The letter at offset `letter` of the topic was settled."""

    letter: int
    how: Settled
    time_ms: int


def settlement(topic: str, letter: int, key: bytes | None, how: Settled, now_ms: int) -> NewRecord:
    """Return the record that settles the letter at offset `letter` of the dead-letter `topic`."""
    told = ((_LETTER, str(letter)), (_HOW, how.value), (_TIME, str(now_ms)))
    # No value at all would do, but Kafka's client sends nothing that has no key either.
    return NewRecord(topic, key, b"", tuple((name, text.encode()) for name, text in told))


def settled_by(record: Record) -> Settlement | None:
    """Return what a record of a dead-letter topic settles; None where it is a letter itself."""
    told = headers.told(record)
    letter, how, time_ms = number(told.get(_LETTER)), told.get(_HOW), number(told.get(_TIME))
    if record.value or letter is None or how not in set(Settled):
        return None
    return Settlement(letter, Settled(how), record.timestamp_ms if time_ms is None else time_ms)
