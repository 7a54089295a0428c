"""Making values small enough to send: compressed, cut into parts, batched by bytes."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

Value = str | int | bool | bytes | None | Sequence[str]
"""What a property may hold."""

Properties = Mapping[str, Value]
Row = Mapping[str, Value | Properties]
"""One element of `$rows`."""

PART_BYTES: Final = 2**20
"""Of a text: far below what a message may hold, and few parts even so."""

BATCH_BYTES: Final = 2 * 2**20
"""A message above 16 MiB hangs the client for good; a quarter of that is room enough."""

BATCH_ROWS: Final = 1_000
"""Servers plan and lock a statement's rows together; measured, larger batches gain nothing."""

_OVERHEAD: Final = 16  # of one value: markers, and the name of its property
_LEVEL: Final = 6


def compressed(text: str) -> bytes:
    """Return `text` as zlib of UTF-8."""
    return zlib.compress(text.encode(), _LEVEL)


def expanded(data: bytes) -> str:
    """Return the text that `compressed` made `data` of."""
    return zlib.decompress(data).decode()


def packed_counts(counts: Mapping[str, int]) -> bytes:
    """Return a table of counts as compressed JSON, the same for equal tables."""
    return compressed(json.dumps(dict(sorted(counts.items())), ensure_ascii=False))


def unpacked_counts(data: bytes) -> dict[str, int]:
    """Return the table that `packed_counts` made `data` of."""
    table: dict[str, int] = json.loads(expanded(data))
    return table


def parts(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield `data` in numbered parts, at least one."""
    for nth, start in enumerate(range(0, max(len(data), 1), PART_BYTES)):
        yield nth, data[start : start + PART_BYTES]


def joined(numbered: Iterable[tuple[int, bytes]]) -> bytes:
    """Return what `parts` has cut, whatever the order of its parts."""
    return b"".join(part for _, part in sorted(numbered))


def batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Yield `rows` in order, in batches of at most `BATCH_ROWS` and about `BATCH_BYTES`."""
    batch: list[Row] = []
    size = 0
    for row in rows:
        weight = _weight(row)
        if batch and (size + weight > BATCH_BYTES or len(batch) == BATCH_ROWS):
            yield batch
            batch, size = [], 0
        batch.append(row)
        size += weight
    if batch:
        yield batch


def _weight(value: object) -> int:
    match value:
        case str():
            return _OVERHEAD + len(value.encode())
        case bytes():
            return _OVERHEAD + len(value)
        case Mapping():
            return _OVERHEAD + sum(_weight(each) for each in value.values())
        case list() | tuple():
            return _OVERHEAD + sum(_weight(each) for each in value)
        case _:
            return _OVERHEAD
