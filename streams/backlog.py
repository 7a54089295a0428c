"""What waits before the stages of a chapter's path, by work.

Each record is read once as long as it waits, however many works or questions ask: from the log
come only those that are new since the last look.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from contracts.ids import WorkId
from contracts.ports import EventLog, Record, Standing
from streams.dead_letters import position_of
from streams.identity import Identity, guessed, identity_of
from streams.intakes import Intake


@dataclass(frozen=True, slots=True)
class Waiting:
    """A record that a stage has not done: whose it is, and the position of its event."""

    offset: int
    identity: Identity
    position: int


@dataclass(slots=True)
class _Line:
    """What waits in one partition before one stage, by key, in order of offset."""

    begins: int = 0
    read_to: int = 0
    waits: dict[bytes, deque[Waiting]] = field(default_factory=dict)

    def begin(self, position: int) -> None:
        """Forget what lies before `position`; where that went back, all is read again."""
        if position < self.begins:
            self.waits.clear()
            self.read_to = position
        self.begins = position
        self.read_to = max(self.read_to, position)
        for key, waits in list(self.waits.items()):
            while waits and waits[0].offset < position:
                waits.popleft()
            if not waits:
                del self.waits[key]

    def add(self, intake: Intake[Any], record: Record) -> None:
        identity = _identity(intake, record.value)
        position = position_of(record) if identity.position is None else identity.position
        waiting = Waiting(record.offset, identity, position)
        self.waits.setdefault(record.key or b"", deque()).append(waiting)
        self.read_to = record.offset + 1


@dataclass(slots=True)
class Backlog:
    """What waits in `log` before each of `intakes`, as it was at the last `refresh`."""

    log: EventLog
    intakes: Sequence[Intake[Any]]
    _lines: dict[tuple[str, int], _Line] = field(default_factory=dict)
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def refresh(self) -> None:
        """Look what waits now.

        In the order of the path: what moves on meanwhile is met at one stage at least.

        Raises:
            TransientError: the log cannot be used now.
            PermanentError: it is damaged.
        """
        async with self._reading:
            for intake in self.intakes:
                for standing in await self.log.standing(intake.group, intake.source):
                    await self._read(intake, standing)

    def of(self, work_id: WorkId) -> Iterator[Waiting]:
        """Yield what waits of a work, stage by stage; what is on its way may be there twice."""
        key = work_id.encode()
        for line in self._lines.values():
            yield from line.waits.get(key, ())

    async def _read(self, intake: Intake[Any], standing: Standing) -> None:
        line = self._lines.setdefault((intake.group, standing.partition), _Line())
        line.begin(standing.position)
        if line.read_to >= standing.end:
            return
        span = self.log.span(intake.source, standing.partition, line.read_to, standing.end)
        async for record in span:
            line.add(intake, record)
        line.read_to = max(line.read_to, standing.end)


def _identity(intake: Intake[Any], value: bytes | None) -> Identity:
    try:
        return identity_of(intake.decode.validate_json(value or b""))
    except ValidationError:
        return guessed(value)
