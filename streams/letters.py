"""The dead letters of an index, by work: each is read once, however often somebody asks."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from contracts.ports import EventLog
from streams.dead_letters import DeadLetter, read_back
from streams.logs.paging import records_from


@dataclass(slots=True)
class Letters:
    """The letters in `topics`, without their bytes, as they were at the last `refresh`."""

    log: EventLog
    topics: Sequence[str]
    _found: dict[str, list[DeadLetter]] = field(default_factory=dict)
    _read_to: dict[str, int] = field(default_factory=dict)
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def refresh(self) -> None:
        """Read those that are new.

        Raises:
            TransientError: the log cannot be used now.
            PermanentError: it is damaged.
        """
        async with self._reading:
            for topic in self.topics:
                await self._read(topic, await self.log.end(topic))

    def all(self) -> tuple[DeadLetter, ...]:
        """Return every letter, topic by topic, oldest first."""
        return tuple(letter for topic in self.topics for letter in self._found.get(topic, ()))

    def of(self, work_id: str) -> tuple[DeadLetter, ...]:
        """Return the letters that came under the key of a work, topic by topic, oldest first."""
        key = work_id.encode()
        return tuple(letter for letter in self.all() if letter.key == key)

    async def _read(self, topic: str, end: int) -> None:
        start = self._read_to.get(topic, 0)
        async for record in records_from(self.log, topic, start, end):
            letter = replace(read_back(record), value=None)
            self._found.setdefault(topic, []).append(letter)
            start = self._read_to[topic] = record.offset + 1
        self._read_to[topic] = max(start, end)
