"""Starts the embedded graph server again when it dies while we need it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

import structlog

from contracts.errors import StorygraftError
from graph.arcade_process import ArcadeAddress, ArcadeProcess

_LOOK_S: Final = 0.25
_REST_S: Final = 5.0  # after a start that failed: a full disk is not emptied at once

_log: Final = structlog.stdlib.get_logger()


@asynccontextmanager
async def kept_running(server: ArcadeProcess) -> AsyncIterator[ArcadeAddress]:
    """Run `server` until the block ends, starting it again whenever it dies.

    Whoever talks to it meanwhile is out of reach of it for some seconds. A server that can have
    its old port no more stays out of reach until the home is opened again.

    Raises:
        StartFailed: it does not come up at first.
        AlreadyInUse: another process has its data.
    """
    address = await asyncio.to_thread(server.start)
    stop = asyncio.Event()
    watch = asyncio.create_task(_watch(server, stop))
    try:
        yield address
    finally:
        stop.set()
        await watch  # a start that is under way ends first: nobody else may call the server then
        await asyncio.to_thread(server.stop)


async def _watch(server: ArcadeProcess, stop: asyncio.Event) -> None:
    pause_s = _LOOK_S
    while not stop.is_set():
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), pause_s)
        if stop.is_set() or server.alive:
            continue
        _log.warning("graph_server_died")
        try:
            await asyncio.to_thread(server.start)
        except (StorygraftError, OSError) as error:
            _log.warning("graph_server_not_started", reason=str(error))
            pause_s = _REST_S
        else:
            _log.info("graph_server_started_again")
            pause_s = _LOOK_S
