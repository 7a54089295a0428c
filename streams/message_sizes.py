"""How large a message may be, in every log, so that each holds the same works."""

from __future__ import annotations

from typing import Final

from contracts.ports import NewRecord

MAX_MESSAGE_BYTES: Final = 16 * 1024 * 1024
"""A body of 4 MB grows to this when every character is escaped and cut into scenes."""

ROOM_FOR_HEADERS: Final = 64 * 1024
"""A dead letter is its record, which may have all of that, with headers that tell the reason."""

_OVERHEAD: Final = 512  # of a record beside key, value and headers, at most


def size_of(record: NewRecord) -> int:
    """Return how large the record is as a message, at most."""
    texts = [record.key or b"", record.value or b""]
    texts += [part for name, value in record.headers for part in (name.encode(), value)]
    return sum(map(len, texts)) + _OVERHEAD
