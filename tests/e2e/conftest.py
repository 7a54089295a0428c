"""What end-to-end tests share beside servers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.arcade_process import ArcadeAddress, ArcadeProcess
from streams import adapters


@pytest.fixture
def servers_live_on(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have homes leave their graph servers running, so that opening one again costs no start.

    A server whose files are gone is started anew.
    """
    servers: dict[Path, ArcadeProcess] = {}

    def running(folder: Path) -> ArcadeAddress:
        if folder in servers and not folder.exists():
            servers[folder].stop()
        server = servers.setdefault(
            folder, ArcadeProcess(folder, startup_cache=adapters.startup_cache_folder())
        )
        return server.start()

    async def started(folder: Path, _: object) -> ArcadeAddress:
        return await asyncio.to_thread(running, folder)

    monkeypatch.setattr(adapters, "_start_server", started)
    yield
    for server in servers.values():
        server.stop()
