"""What moves: the event log, and how far its readers are."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from contracts.reports import Hold


@dataclass(frozen=True, slots=True)
class Record:
    """One record of the event log. `key` and `value` are as they came.

    `offset` counts within `partition`, of which a local log has one only. All records of a key
    lie in one partition, so offsets of one work can be compared.
    """

    topic: str
    offset: int
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes], ...]
    timestamp_ms: int
    partition: int = 0


@dataclass(frozen=True, slots=True)
class NewRecord:
    """A record to append. `source` is a digest of where it came from, such as a line of a file."""

    topic: str
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes], ...] = ()
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a group is with one partition of a topic, and why its next record waits, if told."""

    partition: int
    position: int
    end: int
    hold: Hold | None = None

    @property
    def lag(self) -> int:
        """How many records it has before it, holes counted."""
        return max(0, self.end - self.position)


class EventLog(Protocol):
    """Topics of records, and how far each group has read them. Durable when a call returns."""

    async def append(self, records: Sequence[NewRecord]) -> int:
        """Append all of `records` or none; return how many were new.

        A record whose `source` the log has had already is left out, so that importing a file
        again, or a longer version of it, adds only what is new.
        """

    async def read(self, topic: str, start: int, limit: int, max_bytes: int) -> tuple[Record, ...]:
        """Return records of `topic` from offset `start` on, in order of offset.

        At most `limit`, and at most `max_bytes` of values, but at least one if there is one.
        Offsets rise within a topic and are never given again; they may have holes.
        """

    async def read_key(self, topic: str, key: bytes) -> tuple[Record, ...]:
        """Return every record of `topic` with this key, in order of offset."""

    async def record_at(self, topic: str, key: bytes, offset: int) -> Record | None:
        """Return the record of this key at `offset`, within the key's partition; None if gone."""

    def span(
        self, topic: str, partition: int, start: int, end: int
    ) -> AsyncGenerator[Record, None]:
        """Yield the records of a partition from offset `start` to before `end`, in order.

        Only as far as they are kept. Who does not read to the end closes it.
        """

    async def end(self, topic: str) -> int:
        """Return the offset that the next record of `topic` will not be below; 0 if empty."""

    async def ends(self, topic: str) -> tuple[int, ...]:
        """Return the end of each partition of `topic`, in their order; none if it is not there."""

    async def position(self, group: str, topic: str) -> int:
        """Return the offset from which `group` reads `topic` next; 0 if it never committed."""

    async def standing(self, group: str, topic: str) -> tuple[Standing, ...]:
        """Return how far `group` is with each partition of `topic`, in their order."""

    async def advance(
        self, group: str, topic: str, position: int, outputs: Sequence[NewRecord]
    ) -> None:
        """Append `outputs` and commit the group's position, both or neither.

        A position below the committed one changes nothing and appends nothing.
        """

    async def begin(self, group: str, topic: str, positions: Mapping[int, int]) -> None:
        """Set from where a group that never read `topic` reads it, by partition.

        A partition in which the group is further already stays as it is.

        Raises:
            TransientError: the log cannot be used now, or the group is reading.
        """

    async def remove(self, topics: Collection[str], groups: Collection[str]) -> None:
        """Delete topics with all their records, and the positions of groups, for ever.

        What is not there is no error.

        Raises:
            TransientError: a group still reads; nothing was deleted.
        """

    async def faults(self) -> tuple[str, ...]:
        """Return what is damaged in the log, each in a sentence; nothing if all can be read."""

    async def close(self) -> None:
        """Let go of the log; a second call does nothing."""
