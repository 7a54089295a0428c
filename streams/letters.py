"""The dead letters of an index, by work: each is read once, however often somebody asks."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from contracts.ports import EventLog, Record
from contracts.reports import Settled
from streams.dead_letters import DeadLetter, read_back
from streams.logs.paging import records_from
from streams.settlements import Settlement, settled_by


@dataclass(slots=True)
class Letters:
    """The letters in `topics`, without their bytes, as they were at the last `refresh`."""

    log: EventLog
    topics: Sequence[str]
    _open: dict[str, dict[int, DeadLetter]] = field(default_factory=dict)
    _settled: dict[str, dict[int, tuple[DeadLetter, Settlement]]] = field(default_factory=dict)
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
        """Return every open letter, topic by topic, oldest first."""
        return tuple(
            letter for topic in self.topics for letter in self._open.get(topic, {}).values()
        )

    def of(self, work_id: str) -> tuple[DeadLetter, ...]:
        """Return the open letters under the key of a work, topic by topic, oldest first."""
        key = work_id.encode()
        return tuple(letter for letter in self.all() if letter.key == key)

    def given_up(self, work_id: str) -> tuple[DeadLetter, ...]:
        """Return the letters under the key of a work that were dropped: nobody will index them."""
        key = work_id.encode()
        return tuple(
            letter
            for letter, settlement in self.settled()
            if letter.key == key and settlement.how is Settled.DROPPED
        )

    def settled(self) -> tuple[tuple[DeadLetter, Settlement], ...]:
        """Return every letter that was retried or dropped, topic by topic, with what became of it.

        Their bytes are still in the log.
        """
        return tuple(
            pair for topic in self.topics for pair in self._settled.get(topic, {}).values()
        )

    def was_retried(self, letter: DeadLetter) -> bool:
        """Say whether the letter is known to have been sent again."""
        _, settlement = self._settled.get(letter.topic, {}).get(letter.at, (None, None))
        return settlement is not None and settlement.how is Settled.RETRIED

    async def _read(self, topic: str, end: int) -> None:
        start = self._read_to.get(topic, 0)
        async for record in records_from(self.log, topic, start, end):
            self._take(record)
            start = self._read_to[topic] = record.offset + 1
        self._read_to[topic] = max(start, end)

    def _take(self, record: Record) -> None:
        letters = self._open.setdefault(record.topic, {})
        settlement = settled_by(record)
        if settlement is None:
            letters[record.offset] = replace(read_back(record), value=None)
            return
        letter = letters.pop(settlement.letter, None)
        if letter is not None:  # else it was settled before, or retention has taken it
            self._settled.setdefault(record.topic, {})[letter.at] = (letter, settlement)
