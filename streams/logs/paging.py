"""The records of a topic one after the other, however many there are."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

from contracts.ports import EventLog, Record

_PAGE: Final = 256
_PAGE_BYTES: Final = 16_000_000


async def records_from(log: EventLog, topic: str, start: int, end: int) -> AsyncIterator[Record]:
    """Yield the records from offset `start` on, at least as far as `end`.

    Raises:
        TransientError: the log cannot be used now.
        PermanentError: it is damaged.
    """
    while start < end:
        records = await log.read(topic, start, _PAGE, _PAGE_BYTES)
        if not records:
            return
        for record in records:
            yield record
        start = records[-1].offset + 1
