"""What positions become when a log is carried into another one; pure.

A position is an offset of the log in which an event first came, and decides between events of one
work. Offsets of two logs cannot be compared, nor can another log be made to go on above those of
the old one (Kafka gives offsets itself), so numbers do not travel: what travels is the order. An
event without a position header has its place by where it lies, and is appended in the old order.
One with a header, as a retried dead letter has, names the place of an event of its own work: it is
given the new place of that event. Where the log does not hold that event any more (retention), it
is the place of the next one of its work that is held: so what came after it still wins.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field

Line = tuple[int, bytes | None]
"""A partition of the old log and a key: offsets within it can be compared, and are one work's."""


@dataclass(slots=True)
class NamedPlaces:
    """The old places that headers name, and where these are in the new log, as far as is known."""

    _named: dict[Line, list[int]] = field(default_factory=dict)
    _at: dict[tuple[Line, int], int] = field(default_factory=dict)

    @classmethod
    def of(cls, named: Iterable[tuple[Line, int]]) -> NamedPlaces:
        """Return the places `named`, none of which has been met yet."""
        by_line: dict[Line, set[int]] = {}
        for line, position in named:
            by_line.setdefault(line, set()).add(position)
        return cls({line: sorted(positions) for line, positions in by_line.items()})

    def meets(self, line: Line, offset: int) -> bool:
        """Say whether the record at `offset` of the old log has a place that is named, or the next.

        Records of a line are met by rising offset.
        """
        return any((line, place) not in self._at for place in self._before(line, offset))

    def met(self, line: Line, offset: int, new_offset: int) -> None:
        """Take notice that the record at `offset` of the old log is at `new_offset` of the new."""
        for place in self._before(line, offset):
            self._at.setdefault((line, place), new_offset)

    def new_place(self, line: Line, position: int) -> int | None:
        """Return the new offset of what stood at `position`; None where it is not met yet."""
        return self._at.get((line, position))

    def _before(self, line: Line, offset: int) -> list[int]:
        """Return the named places up to `offset` that none before it has been met at."""
        named = self._named.get(line, [])
        upto = bisect_left(named, offset + 1)
        return [place for place in named[:upto] if (line, place) not in self._at]
