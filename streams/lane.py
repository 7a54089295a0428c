"""A lane: one partition of a stage's source, taken in order, one batch at a time.

It keeps what was fetched in a queue of its own. Whatever it waits for, a store that is down or a
long chapter, it never blocks whoever delivers: when it is full it has its partition paused, lets
go of what still comes, and asks for that again from the first record it let go of.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import islice
from typing import Final

import structlog

from contracts.crash_points import CrashPoint, Reached, go_on
from contracts.errors import StorygraftError, TransientError
from contracts.ports import Record
from streams.flow import Flow, Mark, Place, Process, Watcher
from streams.holds import hold_of
from streams.identity import NOBODY
from streams.retries import Retries
from streams.runner import Held, Processed
from streams.stage import MEGABYTE, BatchLimits

_log: Final = structlog.stdlib.get_logger()

QUEUE_MESSAGES: Final = 128  # a second or two of work, which is what a fetch takes to begin again
QUEUE_BYTES: Final = 16 * MEGABYTE
_CROWDED_BATCH: Final = 32  # while others wait, about as long as one of them must
_FIRST_PAUSE_S: Final = 0.5
_LONGEST_PAUSE_S: Final = 3.0  # a store that is back is used again within 15 s, its own retries in
_REOPEN_PAUSE_S: Final = 1.0
_LATE_S: Final = 5.0  # a record that is there comes within two seconds


class _Gate(Enum):
    """What becomes of a record that is delivered.

    Shut: it is let go of. Opening: too, since it may have been fetched before the partition was
    paused. Open: it passes if it is the next one of those that were fetched.
    """

    SHUT = auto()
    OPENING = auto()
    OPEN = auto()


@dataclass(frozen=True, slots=True)
class Holding:
    """Why a lane waits, and since when (seconds of the monotonic clock)."""

    held: Held
    since: float


@dataclass(slots=True)
class Lane:
    """Takes one partition's records through `process`; use it from one event loop.

    `position` is the offset up to which everything is done, outputs acknowledged: it may be
    committed. None while nothing is known of the partition. `crowded` says whether other lanes
    wait for the same processor: batches are short then. `retries` is shared with the lanes that
    do the same on the same stores.
    """

    place: Place
    flow: Flow
    process: Process
    limits: BatchLimits
    watcher: Watcher
    crowded: Callable[[], bool] = lambda: False
    reached: Reached = go_on
    retries: Retries = field(default_factory=Retries)
    position: int | None = None
    holding: Holding | None = None
    moved_at: float = field(default_factory=time.monotonic)
    _expected: int | None = None
    _gate: _Gate = _Gate.SHUT
    _fetched: deque[int] = field(default_factory=deque)
    _hole: int | None = None
    _came_at: float = field(default_factory=time.monotonic)
    _queue: deque[Record] = field(default_factory=deque)
    _bytes: int = 0
    _some: asyncio.Event = field(default_factory=asyncio.Event)
    _stop: asyncio.Event = field(default_factory=asyncio.Event)
    _unsent: Processed | None = None
    _reopening: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def waiting(self) -> int:
        """How many records are queued."""
        return len(self._queue)

    @property
    def mark(self) -> Mark | None:
        """How far it is, None while nothing is known of the partition."""
        if self.position is None:
            return None
        if self.holding is None:
            return Mark(self.position)
        return Mark(self.position, hold_of(self.holding.held))

    # --- what is delivered --------------------------------------------------------------------

    def fetched(self, offsets: Sequence[int]) -> None:
        """Take notice of the offsets (some, rising) that a fetch brought and that come next.

        That need not be the record that is expected: a log may have holes, and what is past its
        retention is gone. It is believed when fetching again from there says the same.
        """
        if self._gate is _Gate.OPENING and self._expected is not None:
            if offsets[0] > self._expected and self._hole != offsets[0]:
                self._hole = offsets[0]
                self._let_go()
                return
            self._gate, self._hole = _Gate.OPEN, None
        if self._gate is _Gate.OPEN:
            self._fetched.extend(offsets)

    def offer(self, record: Record) -> None:
        """Queue a delivered record, or let go of it (see `_Gate`)."""
        if self._gate is not _Gate.OPEN or record.offset < (self._expected or 0):
            return  # delivered before, or to be fetched again
        while self._fetched and self._fetched[0] < (self._expected or 0):
            self._fetched.popleft()
        if not self._fetched or record.offset != self._fetched[0]:
            return  # of an older fetch; if one before it was lost on its way, `mend` fetches again
        self._expected = record.offset + 1
        self._came_at = time.monotonic()
        self._queue.append(record)
        self._bytes += _size(record)
        self._some.set()
        if self._is_full():
            self._let_go()

    async def mend(self) -> None:
        """Fetch again what should have come long ago, or was let go of; call it now and then."""
        end = self.flow.end_of(self.place)
        waits = end is not None and self._expected is not None and end > self._expected
        if waits and not self._queue and time.monotonic() - self._came_at > _LATE_S:
            self._let_go()
        await self._reopen_if_low()

    def _let_go(self) -> None:
        self._gate = _Gate.SHUT
        self._fetched.clear()
        self.flow.pause(self.place)

    # --- what is done -------------------------------------------------------------------------

    async def run(self) -> None:
        """Process what is offered, until cancelled or told to stop; nothing is raised.

        What is held is tried again, ever more rarely, until it can be done.
        """
        await self._begin()
        pause_s = _FIRST_PAUSE_S
        while True:
            await self._some.wait()
            if self._stop.is_set():
                return
            held = await (self._turn() if self.holding is None else self._try_again())
            if held is None:
                pause_s = _FIRST_PAUSE_S
                await self._reopen_if_low()
                continue
            self._hold(held)
            if not self._stop.is_set():
                await self.retries.due(_jittered(pause_s))
            pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)

    async def _begin(self) -> None:
        while self._expected is None and not self._stop.is_set():
            try:
                self._expected = self.position = await self.flow.start_of(self.place)
            except TransientError as error:
                _log.warning("partition_not_begun", reason=str(error), **self.place._asdict())
                await asyncio.sleep(_REOPEN_PAUSE_S)
        await self._reopen_if_low()

    def stop(self) -> None:
        """Let the run end after the batch that it is at; what is held is not waited for."""
        self._stop.set()
        self._some.set()
        self.retries.all_now()

    async def _try_again(self) -> Held | None:
        """As `_turn`, of what was held, while no other lane tries."""
        with self.retries.turn():
            held = await self._turn()
            if held is None:
                self.retries.all_now()
            return held

    async def _turn(self) -> Held | None:
        """Process the head of the queue, if that is still to do, and send what came of it."""
        if self._unsent is None:
            began = time.monotonic()
            self.reached(CrashPoint.BEFORE_HANDLING)
            result = await self._attempt()
            if isinstance(result, Held):
                return result
            self._unsent = result
            self.watcher.done(self.place, result.steps, time.monotonic() - began)
        try:
            await self.flow.send(self._unsent.records)
        except TransientError as error:
            first = self._unsent.steps[0]
            return Held(self.place.stage, first.record, first.identity, str(error))
        self.reached(CrashPoint.BEFORE_ACK)
        self._count(self._unsent)
        self._unsent = None
        return None

    async def _attempt(self) -> Processed | Held:
        try:
            return await self.process(self._head())
        except Exception as error:  # noqa: BLE001 - a lane that ends in silence holds for ever
            _log.error("processor_failed", error=type(error).__name__, **self.place._asdict())
            reason = f"a defect of storygraft: {type(error).__name__}"
            return Held(self.place.stage, self._queue[0], NOBODY, reason)

    def _head(self) -> list[Record]:
        most = self.limits.messages
        if most > _CROWDED_BATCH and self.crowded():
            most = _CROWDED_BATCH
        return list(islice(self._queue, most + self.limits.ahead))

    def _count(self, result: Processed) -> None:
        """Count a batch as done."""
        for _ in result.steps:
            self._bytes -= _size(self._queue.popleft())
        if not self._queue and not self._stop.is_set():
            self._some.clear()
        self.position = result.steps[-1].record.offset + 1
        self.holding = None
        self.moved_at = time.monotonic()

    def _hold(self, held: Held) -> None:
        since = self.holding.since if self.holding else time.monotonic()
        self.holding = Holding(held, since)

    async def _reopen_if_low(self) -> None:
        """Have the partition fetched again when half of the queue is done."""
        if self._reopening.locked():
            return
        async with self._reopening:
            if self._gate is not _Gate.SHUT or not self._is_low() or self._expected is None:
                return
            try:
                await self.flow.resume(self.place, self._expected)
            except StorygraftError as error:  # `mend` tries again
                _log.warning("partition_not_resumed", reason=str(error), **self.place._asdict())
                return
            self._gate = _Gate.OPENING
            self._came_at = time.monotonic()

    def _is_full(self) -> bool:
        return len(self._queue) >= self._most_messages() or self._bytes >= self._most_bytes()

    def _is_low(self) -> bool:
        return (
            len(self._queue) <= self._most_messages() // 2
            and self._bytes <= self._most_bytes() // 2
        )

    def _most_messages(self) -> int:
        return max(QUEUE_MESSAGES, self.limits.messages)

    def _most_bytes(self) -> int:
        return QUEUE_BYTES if self.limits.messages == 1 else max(QUEUE_BYTES, self.limits.bytes)


def _size(record: Record) -> int:
    return len(record.value or b"")


def _jittered(seconds: float) -> float:
    return seconds * random.uniform(0.5, 1.0)  # noqa: S311 - so that workers do not come at once
