"""Order tokens and registers: which of two events about a chapter is the later one.

Pure values; `apply` in `graph.registers` decides with them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from contracts.frozen import Frozen
from contracts.ordinals import Ordinal

NO_REVISION: Final = -1


class OrderToken(NamedTuple):
    """(revision, position): compared in that order; the higher one wins."""

    revision: int
    position: int


class Registers(Frozen):
    """What a chapter remembers of its events, known or not, present or not.

    `text`, `ordinal` and `presence` hold the highest token that set each; `revisions` holds, by
    position, each event that raised the highest revision, so that an event without one takes
    the revision in force *at its place in the log*, redelivered or not.
    """

    text: OrderToken | None = None
    ordinal: OrderToken | None = None
    presence: OrderToken | None = None
    present: bool = False
    place: Ordinal | None = None
    revisions: tuple[tuple[int, int], ...] = ()

    def token(self, revision: int | None, position: int) -> OrderToken:
        """Return the token of an event of this chapter."""
        if revision is not None:
            return OrderToken(revision, position)
        before = [known for at, known in self.revisions if at < position]
        return OrderToken(max(before, default=NO_REVISION), position)
