"""Opens a home and serves it over loopback HTTP until it is told to stop, or idle for long."""

from __future__ import annotations

import asyncio
import secrets
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final

import uvicorn
from fastapi import FastAPI

from graph import process_identity
from streams.owner import record
from streams.owner.application import application
from streams.owner.listening import HOST, listening_on
from streams.owner.record import OwnerRecord
from streams.owner.service import Service
from streams.settings import Settings
from streams.wiring import open_home

_GRACE_S: Final = 10  # for answers under way when the owner is told to stop
_LOOK_S: Final = 0.25


@dataclass(frozen=True, slots=True)
class Serving:
    """How to serve: on which port (0: any free one), and for how long without being used.

    `idle_s` None serves until told to stop. `ready` is called with the owner's URL.
    """

    port: int = 0
    idle_s: float | None = None
    on_demand: bool = False
    ready: Callable[[str], None] = lambda _: None


async def serve(settings: Settings, how: Serving) -> None:
    """Hold the home of `settings` and serve it.

    Raises:
        HomeInUse: another process has it.
        TransientError: a store is down, or the port is taken.
        PermanentError: a store cannot be used.
    """
    with listening_on(how.port) as listening:
        async with open_home(settings) as home:
            await _serve(Service(home), settings, how, listening)


async def _serve(
    service: Service, settings: Settings, how: Serving, listening: socket.socket
) -> None:
    stop = asyncio.Event()
    told = _record(settings, how, listening)
    server = _Server(_config(application(service, told.token, stop.set)))
    beside = [
        asyncio.create_task(service.keep_up()),
        asyncio.create_task(service.keep_hidden()),
        asyncio.create_task(_stop_when_idle(service, stop, how.idle_s)),
        asyncio.create_task(_end(server, stop)),
    ]
    try:
        await service.home.hide()
        with stopped_by_signals(stop):
            record.write(settings.home, told)
            how.ready(told.url)
            await server.serve(sockets=[listening])
    finally:
        record.remove(settings.home, told)
        for task in beside:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await service.close()


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to `serve`, which has stores to close."""
        yield


def _config(app: FastAPI) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="off",
        timeout_graceful_shutdown=_GRACE_S,
        server_header=False,
    )


def _record(settings: Settings, how: Serving, listening: socket.socket) -> OwnerRecord:
    me = process_identity.me()
    return OwnerRecord(
        url=f"http://{HOST}:{listening.getsockname()[1]}",
        token=secrets.token_urlsafe(32),
        pid=me.pid,
        started=me.started,
        stamp=record.stamp_of(settings),
        on_demand=how.on_demand,
    )


async def _stop_when_idle(service: Service, stop: asyncio.Event, idle_s: float | None) -> None:
    if idle_s is None:
        return
    while not stop.is_set() and (left_s := service.idle_left(idle_s)) > 0:
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), max(left_s, _LOOK_S))
    stop.set()


async def _end(server: uvicorn.Server, stop: asyncio.Event) -> None:
    await stop.wait()
    server.should_exit = True


@contextmanager
def stopped_by_signals(stop: asyncio.Event) -> Iterator[None]:
    """Set `stop` at SIGTERM or SIGINT, within the block."""
    loop = asyncio.get_running_loop()
    numbers = (signal.SIGTERM, signal.SIGINT)
    for number in numbers:
        loop.add_signal_handler(number, stop.set)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)
