"""On real servers: a store goes down and comes back, and nothing is lost, dead or told by hand."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path

import pytest

from deploy.milvus_server import MilvusHome, MilvusServer
from tests.e2e.kafka.cluster import corner, home_in, until, working
from tests.unit.streams.stand_ins import published

pytestmark = [pytest.mark.real, pytest.mark.timeout(400)]

_DOWN_S = 12.0
_BACK_S = 15.0


async def test_a_store_that_was_down_is_used_again_by_itself(
    kafka_url: str, tmp_path: Path
) -> None:
    place = MilvusHome(tmp_path / "milvus")
    server = MilvusServer(place)
    uri = server.start()
    back = MilvusServer(MilvusHome(place.home, preferred_port=int(uri.rpartition(":")[2])))
    try:
        async with corner(kafka_url, "down.") as where, home_in(where, tmp_path, uri) as home:
            async with working(where, home.stages, tmp_path / "worker") as worker:

                async def grafted(events: int) -> bool:
                    return await where.done("graft.g1", "embedded.g1") == events

                await where.tell(published("1", "It rained.", "w0"))
                await until(lambda: grafted(1))
                assert server.pid is not None
                os.kill(server.pid, signal.SIGKILL)
                await where.tell(
                    *(published(str(n), f"It rained {n} times.", "w0") for n in range(2, 6))
                )
                began = time.monotonic()
                await until(lambda: any(lane.reason for lane in worker.progress()))
                (held,) = [lane for lane in worker.progress() if lane.reason]
                assert held.stage == "embed"
                await asyncio.sleep(max(0.0, _DOWN_S - (time.monotonic() - began)))
                server.stop()
                assert await asyncio.to_thread(back.start) == uri
                took = await until(lambda: grafted(5))
                assert took < _BACK_S
                assert not any(lane.reason for lane in worker.progress())
            for topic in ("chapters.dlq", "scenes.g1.dlq", "embedded.g1.dlq"):
                assert await where.letters(topic) == ()
    finally:
        server.stop()
        back.stop()
