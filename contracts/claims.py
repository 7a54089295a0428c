"""Claims within one process: who is to do what, until when."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple


class _Claim(NamedTuple):
    by: str
    until: float


@dataclass(slots=True)
class Claims:
    """Claims to keys, one a key. `monotonic` tells seconds. No method awaits: each is atomic."""

    monotonic: Callable[[], float] = time.monotonic
    _claims: dict[str, _Claim] = field(default_factory=dict)

    def claim(self, key: str, by: str, seconds: float) -> bool:
        """Claim `key` for `by` for so long, unless another's claim stands; say whether it is so."""
        now = self.monotonic()
        standing = self._claims.get(key)
        if standing is not None and standing.by != by and standing.until > now:
            return False
        self._claims[key] = _Claim(by, now + seconds)
        return True

    def release(self, key: str, by: str) -> None:
        """End the claim of `by` to `key`, if it is its own."""
        standing = self._claims.get(key)
        if standing is not None and standing.by == by:
            del self._claims[key]
