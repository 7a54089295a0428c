"""The lanes of one stage in this process: made as partitions are assigned, closed as revoked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from contracts.crash_points import CrashPoint, Reached, go_on
from contracts.ports import Record
from streams.flow import Flow, Mark, Place, Process, Watcher
from streams.lane import Lane
from streams.retries import Retries
from streams.stage import Stage

_COMMIT_S: Final = 1.0  # what a crash has done again at most, beside the batch it fell into

Commit = Callable[[Mapping[Place, Mark]], Awaitable[bool]]


@dataclass(slots=True)
class Lanes:
    """Runs `stage` on every partition that is assigned, each in a task of its own.

    Marks are committed by `commit` (False: it could not be done now), every
    second and as a lane closes, and never before the work up to them is done.
    """

    stage: Stage[Any]
    flow: Flow
    process: Process
    commit: Commit
    watcher: Watcher
    crowded: Callable[[], bool] = lambda: False
    reached: Reached = go_on
    ready: bool = False
    _retries: Retries = field(default_factory=Retries)
    _lanes: dict[int, Lane] = field(default_factory=dict)
    _tasks: dict[int, asyncio.Task[None]] = field(default_factory=dict)
    _committed: dict[int, Mark] = field(default_factory=dict)

    @property
    def lanes(self) -> Sequence[Lane]:
        """The lanes there are now, by partition."""
        return [lane for _, lane in sorted(self._lanes.items())]

    @property
    def waiting(self) -> int:
        """How many records are queued in all lanes."""
        return sum(lane.waiting for lane in self._lanes.values())

    def assign(self, partitions: Iterable[int]) -> None:
        """Open a lane for each of `partitions` that has none."""
        for partition in sorted(partitions):
            if partition not in self._lanes:
                lane = self._lane(partition)
                self._lanes[partition] = lane
                self._tasks[partition] = asyncio.create_task(lane.run())
        self.ready = True

    async def revoke(self, partitions: Iterable[int]) -> None:
        """Cancel what the lanes of `partitions` do, commit what they have done, close them."""
        gone = [partition for partition in partitions if partition in self._lanes]
        tasks = [self._tasks.pop(partition) for partition in gone]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.commit_done()
        for partition in gone:
            del self._lanes[partition]
            self._committed.pop(partition, None)

    async def drain(self, seconds: float) -> None:
        """Let each lane finish the batch that it is at, for so long; then close all."""
        for lane in self._lanes.values():
            lane.stop()
        if self._tasks:
            await asyncio.wait(self._tasks.values(), timeout=seconds)
        await self.revoke(list(self._lanes))

    def fetched(self, offsets: Mapping[int, Sequence[int]]) -> None:
        """Take notice of the offsets that a fetch brought, by partition."""
        for partition, found in offsets.items():
            if partition in self._lanes:
                self._lanes[partition].fetched(found)

    def offer(self, record: Record) -> None:
        """Give a record that was delivered to its lane, if that is still ours."""
        lane = self._lanes.get(record.partition)
        if lane is not None:
            lane.offer(record)

    async def keep_going(self) -> None:
        """Commit what is done, and see that every lane is delivered to, until cancelled."""
        while True:
            await asyncio.sleep(_COMMIT_S)
            await self.commit_done()
            for lane in self.lanes:
                await lane.mend()

    async def commit_done(self) -> None:
        """Commit the mark of every lane that moved, or began to wait, since the last time."""
        done = {
            lane.place: mark
            for lane in self._lanes.values()
            if (mark := lane.mark) is not None and mark != self._committed.get(lane.place.partition)
        }
        if done and await self.commit(done):
            self._committed.update({place.partition: mark for place, mark in done.items()})
            self.reached(CrashPoint.AFTER_ACK)

    async def close(self) -> None:
        """End all that runs, committing nothing."""
        tasks = list(self._tasks.values())
        self._tasks.clear()
        self._lanes.clear()
        for task in tasks:
            task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*tasks, return_exceptions=True)

    def _lane(self, partition: int) -> Lane:
        intake = self.stage.intake
        return Lane(
            place=Place(intake.name, intake.source, partition),
            flow=self.flow,
            process=self.process,
            limits=self.stage.limits,
            watcher=self.watcher,
            crowded=self.crowded,
            reached=self.reached,
            retries=self._retries,
        )
