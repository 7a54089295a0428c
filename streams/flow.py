"""What a lane needs of the transport, and what is said of a lane."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple, Protocol

from contracts.ports import NewRecord, Record
from contracts.reports import Hold
from streams.runner import Held, Processed, Step

Process = Callable[[Sequence[Record]], Awaitable[Processed | Held]]


class Place(NamedTuple):
    """A partition of the source of a stage."""

    stage: str
    topic: str
    partition: int


class Mark(NamedTuple):
    """How far a lane is: what lies before `position` is done; `hold` says why the next waits."""

    position: int
    hold: Hold | None = None


class Flow(Protocol):
    """What a lane needs of the transport."""

    async def start_of(self, place: Place) -> int:
        """Return the offset from which the partition is to be read.

        Raises:
            TransientError: it cannot be had now.
        """

    def end_of(self, place: Place) -> int | None:
        """Return the offset after the partition's last record, None while it is not known."""

    def pause(self, place: Place) -> None:
        """Stop fetching; what is fetched already may still be delivered."""

    async def resume(self, place: Place, offset: int) -> None:
        """Fetch again, from `offset` on, after all that was fetched before is delivered.

        Raises:
            TransientError: it cannot be done now.
        """

    async def send(self, records: Sequence[NewRecord]) -> None:
        """Append `records`; when it returns they are acknowledged.

        Raises:
            TransientError: the broker does not take them now.
        """


class Watcher(Protocol):
    """Whoever counts what lanes do."""

    def done(self, place: Place, steps: Sequence[Step], seconds: float) -> None:
        """Take notice that a batch is done."""
