"""Many records to the log in few transactions, each of bounded size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from contracts.ports import EventLog, NewRecord

_MOST_RECORDS: Final = 1_000
_MOST_BYTES: Final = 8_000_000
"""Of values in one append: what a transaction holds in memory, and what a crash can cost."""


async def append_batches(log: EventLog, records: Iterable[NewRecord]) -> int:
    """Append `records` in order, batch by batch; return how many were new.

    Each batch is appended wholly or not at all; after a failure those before it stay.

    Raises:
        TransientError: the log cannot be written now.
    """
    new = 0
    for batch in batches(records):
        new += await log.append(batch)
    return new


def batches(records: Iterable[NewRecord]) -> Iterator[list[NewRecord]]:
    """Yield `records` in order in batches, none above the bounds unless it is one record."""
    batch: list[NewRecord] = []
    size = 0
    for record in records:
        length = len(record.value or b"")
        if batch and (len(batch) >= _MOST_RECORDS or size + length > _MOST_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(record)
        size += length
    if batch:
        yield batch
