"""A map that is a value: an update makes a new one and shares what did not change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Final, Generic, TypeVar
from zlib import crc32

_Key = TypeVar("_Key", bound=str)
_Value = TypeVar("_Value")

_BOXES: Final = 1024
"""An update copies the boxes that it touches: a thousandth of the map for each key."""


@dataclass(frozen=True, slots=True)
class Shelf(Generic[_Key, _Value]):
    """A map from texts to values, in a fixed number of boxes."""

    boxes: tuple[Mapping[_Key, _Value], ...] = ({},) * _BOXES

    def get(self, key: _Key) -> _Value | None:
        """Return the value at `key`, if there is one."""
        return self.boxes[_box(key)].get(key)

    def updated(self, changes: Mapping[_Key, _Value]) -> Shelf[_Key, _Value]:
        """Return a shelf that holds `changes` too, in place of what had their keys."""
        if not changes:
            return self
        touched: dict[int, dict[_Key, _Value]] = defaultdict(dict)
        for key, value in changes.items():
            touched[_box(key)][key] = value
        boxes = list(self.boxes)
        for number, fresh in touched.items():
            boxes[number] = {**boxes[number], **fresh}
        return Shelf(tuple(boxes))

    def sorted(self) -> list[tuple[_Key, _Value]]:
        """Return every key with its value, by key."""
        return sorted((pair for box in self.boxes for pair in box.items()), key=itemgetter(0))


def _box(key: str) -> int:
    return crc32(key.encode("utf-8", "surrogatepass")) % _BOXES
