"""What is kept of the works last asked about, and forgotten of the others."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Recent(Generic[T]):
    """Keeps an entry a work, of the `most` works last asked about; `make` makes a new one."""

    def __init__(self, make: Callable[[], T], most: int) -> None:
        self._make, self._most = make, most
        self._entries: OrderedDict[str, T] = OrderedDict()

    def of(self, key: str) -> T:
        """Return the entry of the work with this key."""
        if key not in self._entries:
            self._entries[key] = self._make()
        self._entries.move_to_end(key)
        while len(self._entries) > self._most:
            self._entries.popitem(last=False)
        return self._entries[key]
