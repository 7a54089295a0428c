"""A worker's health over HTTP on this machine: `/health`, `/ready`, `/metrics`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Final

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from contracts.reports import WorkerHealth
from streams.owner.listening import HOST, listening_on
from streams.worker import Worker

_JSON: Final = "application/json"
_PROMETHEUS: Final = "text/plain; version=0.0.4; charset=utf-8"


@asynccontextmanager
async def served(worker: Worker, port: int) -> AsyncIterator[str]:
    """Serve the worker's health on `port` (0: any free one) and yield the URL.

    Raises:
        TransientError: the port is taken.
    """
    with listening_on(port) as listener:
        server = _Server(
            uvicorn.Config(_application(worker), log_config=None, access_log=False, lifespan="off")
        )
        task = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            yield f"http://{HOST}:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            with suppress(asyncio.CancelledError):
                await task


def _application(worker: Worker) -> Starlette:
    async def health(_: Request) -> Response:
        told = worker.health()
        return _answer(told, fine=told.alive)

    async def ready(_: Request) -> Response:
        told = worker.health()
        return _answer(told, fine=told.ready)

    async def metrics(_: Request) -> Response:
        return Response(worker.metrics.text(), media_type=_PROMETHEUS)

    return Starlette(
        routes=[Route("/health", health), Route("/ready", ready), Route("/metrics", metrics)]
    )


def _answer(told: WorkerHealth, *, fine: bool) -> Response:
    return Response(told.to_json(), 200 if fine else 503, media_type=_JSON)


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to the worker, which has partitions to give back."""
        yield
