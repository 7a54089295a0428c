"""What holds of vector rows and hits in every store: limits, and the order of what is found."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from contracts.errors import PermanentError
from contracts.ids import Generation, RowKey
from contracts.vectors import (
    DIMENSIONS,
    MAX_ID_BYTES,
    MAX_TEXT_BYTES,
    TERM_NUMBERS,
    Hit,
    Sparse,
    VectorRow,
)

_KEY: Final = re.compile(r"[0-9a-f]{32}")
_GENERATION: Final = re.compile(r"[A-Za-z0-9_]{1,32}")
_INT64: Final = 2**63


def check(rows: Iterable[VectorRow]) -> None:
    """Refuse rows that some store could not keep as they are.

    Raises:
        PermanentError: a row is beyond the limits of `VectorRow`; it is named, its text is not.
    """
    for row in rows:
        fault = _fault(row)
        if fault:
            raise PermanentError(f"vector row {row.key!r}: {fault}")


def well_formed(keys: Iterable[RowKey]) -> list[RowKey]:
    """Return, in order, those keys that a row can have: nothing is to be had under another."""
    return sorted(key for key in set(keys) if _KEY.fullmatch(key))


def check_generation(generation: Generation) -> None:
    """Refuse a generation that could not be part of a collection's name.

    Raises:
        PermanentError: it is not letters, digits and underscores.
    """
    if not _GENERATION.fullmatch(generation):
        raise PermanentError(f"{generation!r} is no generation: use letters, digits and _")


def ranked(hits: Iterable[Hit], limit: int) -> tuple[Hit, ...]:
    """Return the best `limit` hits: by score, ties by item id, then key."""
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.item_id, hit.key))[:limit])


def _fault(row: VectorRow) -> str | None:
    if not _KEY.fullmatch(row.key):
        return "its key is not 32 hexadecimal digits"
    if len(row.dense) != 2 * DIMENSIONS:
        return f"its dense vector has {len(row.dense)} bytes, not {2 * DIMENSIONS}"
    if not _is_sparse(row.sparse):
        return "its sparse vector is not rising term numbers with positive weights"
    if any(not -_INT64 <= n < _INT64 for n in (row.position, row.ordinal, row.start, row.end)):
        return "a number does not fit 64 bits"
    return _text_fault(row)


def _text_fault(row: VectorRow) -> str | None:
    try:
        sizes = [len(text.encode()) for text in (row.item_id, row.scene_id, row.chapter_id)]
        text_size = len(row.text.encode())
    except UnicodeEncodeError:
        return "it holds half a surrogate pair, which is no text"
    if max(sizes) > MAX_ID_BYTES:
        return f"an id has more than {MAX_ID_BYTES} bytes"
    if text_size > MAX_TEXT_BYTES:
        return f"its text has {text_size} bytes, more than {MAX_TEXT_BYTES}"
    return None


def _is_sparse(sparse: Sparse) -> bool:
    numbers = [number for number, _ in sparse]
    rising = all(a < b for a, b in pairwise(numbers))
    fits = not numbers or (numbers[0] >= 0 and numbers[-1] < TERM_NUMBERS)
    return rising and fits and all(weight > 0 for _, weight in sparse)
