"""The time of day, as records and reports tell it."""

from __future__ import annotations

import time
from typing import Final

_NS_A_MS: Final = 1_000_000


def now_ms() -> int:
    """Return the time, in ms since 1970."""
    return time.time_ns() // _NS_A_MS
