"""Begins with messages before it is their turn, so that a model has several to think about.

For stages that ask a model and change nothing but its memo: what comes of a message is kept until
its turn, so the order of what they say stays. A message that came to nothing is begun anew then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from contracts.frozen import Frozen
from contracts.ports import Record

Outputs = Sequence[Frozen]
Work = Callable[[], Coroutine[Any, Any, Outputs]]


class _Place(NamedTuple):
    topic: str
    partition: int
    offset: int


@dataclass(slots=True)
class Ahead:
    """At most `most` messages that are begun, of all partitions; use it from one event loop."""

    most: int
    _begun: dict[_Place, asyncio.Task[Outputs]] = field(default_factory=dict)

    def has_room(self) -> bool:
        """Say whether one more may be begun."""
        return len(self._begun) < self.most

    def begin(self, record: Record, work: Work) -> None:
        """Begin with `record`, unless that was done."""
        place = _place_of(record)
        if place not in self._begun:
            task = asyncio.create_task(work())
            task.add_done_callback(_looked_at)
            self._begun[place] = task

    async def outputs(self, record: Record, work: Work) -> Outputs:
        """Return what comes of `record`, whose turn it is: what was begun, or else `work` now.

        Raises:
            Exception: as `work` raises it.
        """
        self._forget(record)
        begun = self._begun.pop(_place_of(record), None)
        if begun is None:
            return await work()
        try:
            return await begun
        except asyncio.CancelledError:  # the partition is another's now
            begun.cancel()
            self._forget(record, all_of_it=True)
            raise
        except Exception:  # noqa: BLE001 - whatever it met then, it may be over by now
            return await work()

    def _forget(self, record: Record, *, all_of_it: bool = False) -> None:
        """Let go of what of the partition comes before `record` and had no turn, or of all."""
        turn = _place_of(record)
        of_it = [each for each in self._begun if each[:2] == turn[:2]]
        for place in of_it:
            if all_of_it or place < turn:
                self._begun.pop(place).cancel()

    async def close(self) -> None:
        """End what is begun."""
        tasks = list(self._begun.values())
        self._begun.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _place_of(record: Record) -> _Place:
    return _Place(record.topic, record.partition, record.offset)


def _looked_at(task: asyncio.Task[Outputs]) -> None:
    """Take notice of how it ended, so that nobody complains that nobody did."""
    with suppress(asyncio.CancelledError):
        task.exception()
