"""An event loop in a thread of its own, for what computes.

To cut a long chapter or fold a batch takes seconds in which nothing else runs in its loop. What
talks to the broker must not wait for that: partitions would not be paused, nothing committed, and
nobody told how the worker is.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class WorkLoop:
    """Runs coroutines of other loops; `close` it after the last of them has ended."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="work", daemon=True)
        self._thread.start()

    async def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` there and return its result; to cancel this is to cancel that."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    def close(self) -> None:
        """End the loop and its thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
