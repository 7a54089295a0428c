"""Values made small enough to keep for years."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from typing import Final

_PACK_FROM: Final = 512  # below this zlib saves less than a page ever shows
_PACK_LEVEL: Final = 6


def packed(value: bytes) -> tuple[bytes, int]:
    """Return `value` as it is stored, and 1 where it was compressed, else 0."""
    if len(value) < _PACK_FROM:
        return value, 0
    compressed = zlib.compress(value, _PACK_LEVEL)
    return (compressed, 1) if len(compressed) < len(value) else (value, 0)


def unpacked(stored: bytes, was_packed: int) -> bytes:
    """Return the value that `packed` made `stored` of.

    Raises:
        zlib.error: it is damaged.
    """
    return zlib.decompress(stored) if was_packed else stored


def packed_headers(headers: Sequence[tuple[str, bytes]]) -> str:
    """Return headers, which may repeat and hold any bytes, as one text."""
    return json.dumps([(name, content.hex()) for name, content in headers])


def unpacked_headers(stored: str) -> tuple[tuple[str, bytes], ...]:
    """Return the headers that `packed_headers` made `stored` of."""
    return tuple((name, bytes.fromhex(content)) for name, content in json.loads(stored))
