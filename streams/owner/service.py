"""The owner's work: it answers what is asked, and takes what lies in the log through the stages.

One thing at a time is written, in the order asked for; reading goes on beside it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final

import structlog

from contracts.errors import StorygraftError
from contracts.frozen import Frozen
from contracts.requests import Begun, Passed
from streams.lags import waiting
from streams.operations import NOBODY, A, Operation, Q, Watcher
from streams.performing import perform
from streams.session import Home

_log: Final = structlog.stdlib.get_logger()
_LOOK_S: Final = 0.5  # how often the log is looked into for what other processes appended
_LONGEST_PAUSE_S: Final = 30.0  # between two tries of what is held


@dataclass(slots=True)
class Service:
    """Serves one opened home. `clock` gives seconds; idle time is measured with it."""

    home: Home
    clock: Callable[[], float] = time.monotonic
    _writing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _under_way: int = 0
    _last_used: float = 0.0
    _tasks: set[asyncio.Task[Any]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._last_used = self.clock()

    def idle_left(self, idle_s: float) -> float:
        """Return for how many seconds at least it will not have been unused for `idle_s`.

        It is in use while it answers or writes; then all of `idle_s` is left.
        """
        if self._under_way or self._writing.locked():
            return idle_s
        return self._last_used + idle_s - self.clock()

    async def answer(self, operation: Operation[Q, A], request: Q) -> A:
        """Return the answer; what writes waits for its turn, and goes on if nobody listens."""
        with self._in_use():
            if not operation.writes:
                return await perform(self.home, operation, request)
            return await asyncio.shield(self._start(self._written(operation, request, NOBODY)))

    async def progress(
        self, operation: Operation[Q, A], request: Q
    ) -> AsyncGenerator[Frozen, None]:
        """Yield how far the operation is, then its answer; it goes on if nobody listens.

        Raises:
            StorygraftError: what the operation raises.
        """
        with self._in_use():
            told = _Told()
            doing = self._written if operation.writes else self._done
            task = self._start(doing(operation, request, told))
            task.add_done_callback(lambda _: told.end())
            async for line in told:
                yield line
            yield await asyncio.shield(task)

    async def keep_up(self) -> None:
        """Take what others append to the log through the stages, until cancelled."""
        pause_s = _LOOK_S
        while True:
            held = False
            try:
                held = await self._catch_up()
            except StorygraftError as error:
                _log.warning("log_unusable", reason=str(error))
                held = True
            pause_s = min(2 * pause_s, _LONGEST_PAUSE_S) if held else _LOOK_S
            await asyncio.sleep(pause_s)

    async def keep_hidden(self) -> None:
        """Hide what others withdraw, however long something else is being written."""
        while True:
            try:
                await self.home.hide()
            except StorygraftError as error:
                _log.warning("log_unusable", reason=str(error))
            await asyncio.sleep(_LOOK_S)

    async def close(self) -> None:
        """End what is under way, as a crash would: the log knows where to go on."""
        for task in tuple(self._tasks):
            task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await task

    async def _catch_up(self) -> bool:
        async with self._writing:
            lags = await waiting(self.home.log, self.home.intakes)
            await self.home.parking.look()
            if not any(lag.waiting for lag in lags) and not self.home.parking.going_on():
                return False
            return bool((await self.home.runner().run_until_idle()).held)

    async def _written(self, operation: Operation[Q, A], request: Q, watcher: Watcher) -> A:
        async with self._writing:
            return await self._done(operation, request, watcher)

    async def _done(self, operation: Operation[Q, A], request: Q, watcher: Watcher) -> A:
        return await perform(self.home, operation, request, watcher)

    def _start(self, work: Coroutine[Any, Any, A]) -> asyncio.Task[A]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    @contextmanager
    def _in_use(self) -> Iterator[None]:
        self._under_way += 1
        try:
            yield
        finally:
            self._under_way -= 1
            self._last_used = self.clock()


class _Told:
    """A watcher that can be listened to."""

    def __init__(self) -> None:
        self._lines: asyncio.Queue[Frozen | None] = asyncio.Queue()

    def begin(self, total: int) -> None:
        self._lines.put_nowait(Begun(begun=total))

    def passed(self, stage: str, words: int) -> None:
        self._lines.put_nowait(Passed(stage=stage, words=words))

    def end(self) -> None:
        self._lines.put_nowait(None)

    async def __aiter__(self) -> AsyncIterator[Frozen]:
        while (line := await self._lines.get()) is not None:
            yield line
