"""Lines that somebody else is still writing, read without keeping anybody waiting."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import TypeVar

_T = TypeVar("_T")


async def awaited(lines: Iterator[_T]) -> AsyncIterator[_T]:
    """Yield what `lines` yields, while others go on; two are read ahead at most.

    What `lines` raises is raised here. Whoever stops listening leaves a thread behind that waits
    for one more line, and does not keep the process alive.
    """
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[tuple[_T] | Exception | None] = asyncio.Queue(maxsize=1)

    def put(item: tuple[_T] | Exception | None) -> None:
        putting = queue.put(item)
        try:
            asyncio.run_coroutine_threadsafe(putting, loop).result()
        except RuntimeError:  # the loop is closed
            putting.close()
            raise

    def read() -> None:
        # The loop may be closed, or our listener gone, before the next line comes.
        with suppress(CancelledError, RuntimeError):
            try:
                for line in lines:
                    put((line,))
            except Exception as error:  # noqa: BLE001 - raised again where it is awaited
                put(error)
            else:
                put(None)

    threading.Thread(target=read, name="lines", daemon=True).start()
    while (item := await queue.get()) is not None:
        if isinstance(item, Exception):
            raise item
        yield item[0]
