"""On real servers: one goes down and comes back, and nothing is lost, dead or told by hand.

The graph server is the one that starts soonest; `make soak-outage` takes Neo4j away.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from deploy.kafka_server import KafkaHome, KafkaServer
from deploy.local_server import LocalServer
from deploy.milvus_server import MilvusHome, MilvusServer
from graph.arcade_process import ArcadeProcess
from replay.soak.servers import Server
from streams.adapters import startup_cache_folder
from streams.settings import Settings
from tests.conftest import SHORT_LIVED
from tests.e2e.kafka.cluster import Corner, corner, until, working_on
from tests.unit.streams.stand_ins import published

pytestmark = [pytest.mark.real, pytest.mark.timeout(400)]

_DOWN_S = 8.0  # longer than an adapter tries by itself
_SOON_S = 15.0
_COLD_S = 60.0  # a Java server that has just started, where other tests use the processors


@dataclass(frozen=True, slots=True)
class Fallible:
    """A server that can be killed, and started again at its address."""

    kill: Callable[[], object]
    start: Callable[[], object]


@contextmanager
def running(name: str, make: Callable[[int], LocalServer]) -> Iterator[Server]:
    server = Server(name, make)
    try:
        server.start()
        yield server
    finally:
        server.stop()


async def grafted(where: Corner, events: int) -> bool:
    return await where.done("graft.g1", "embedded.g1") == events


async def tell_more(where: Corner) -> None:
    await where.tell(*(published(str(n), f"It rained {n} times.", "w0") for n in range(2, 6)))


async def assert_all_is_grafted(where: Corner, within_s: float) -> None:
    assert await until(lambda: grafted(where, 5)) < within_s
    for topic in ("chapters.dlq", "scenes.g1.dlq", "embedded.g1.dlq"):
        assert await where.letters(topic) == ()


def settings_of(where: Corner, folder: Path, **stores: str) -> Settings:
    """Settings of an index on the corner's topics, in memory but for `stores`."""
    memory = {"graph": "memory:", "vectors": "memory:", "memo": "memory:"}
    log = {"log": "kafka://" + ",".join(where.access.brokers), "topic_prefix": where.access.prefix}
    return Settings.model_validate({"home": folder, **memory, **log, **stores})


async def outlive(
    where: Corner, settings: Settings, server: Fallible, stage: str, within_s: float
) -> None:
    """Take a store away from a worker that has something to do, at `stage`, and bring it back."""
    async with working_on(settings, settings.home / "worker") as worker:
        await where.tell(published("1", "It rained.", "w0"))
        await until(lambda: grafted(where, 1))
        server.kill()
        await tell_more(where)
        await until(lambda: any(lane.reason for lane in worker.progress()))
        assert [lane.stage for lane in worker.progress() if lane.reason] == [stage]
        await asyncio.sleep(_DOWN_S)
        await asyncio.to_thread(server.start)
        await assert_all_is_grafted(where, within_s)
        assert not any(lane.reason for lane in worker.progress())


async def test_a_vector_store_that_was_down_is_used_again_by_itself(
    kafka_url: str, tmp_path: Path
) -> None:
    def milvus(port: int) -> LocalServer:
        return MilvusServer(MilvusHome(tmp_path / "milvus", port))

    with running("Milvus", milvus) as server:
        async with corner(kafka_url, "rows.") as where:
            settings = settings_of(where, tmp_path, vectors=server.address)
            store = Fallible(server.kill, server.start)
            await outlive(where, settings, store, "embed", _SOON_S)


async def test_a_graph_that_was_down_is_used_again_by_itself(
    kafka_url: str, tmp_path: Path
) -> None:
    folder = tmp_path / "graph"
    with ArcadeProcess(folder, startup_cache=startup_cache_folder()) as server:
        told = server.start()
        graph = {
            "graph": told.uri,
            "graph_user": told.user,
            "graph_password": told.password,
            "graph_database": told.database,
        }

        def kill() -> None:
            assert server.pid is not None
            os.kill(server.pid, signal.SIGKILL)

        async with corner(kafka_url, "graph.") as where:
            settings = settings_of(where, tmp_path, **graph)
            await outlive(where, settings, Fallible(kill, server.start), "graft", _COLD_S)


async def test_a_broker_that_was_down_is_used_again_by_itself(
    kafka_jars: Path, tmp_path: Path
) -> None:
    def kafka(port: int) -> LocalServer:
        return KafkaServer(KafkaHome(tmp_path / "kafka", kafka_jars, port, jvm_flags=SHORT_LIVED))

    with running("Kafka", kafka) as server:
        async with (
            corner(server.address, "log.") as where,
            working_on(settings_of(where, tmp_path), tmp_path / "worker") as worker,
        ):
            await where.tell(published("1", "It rained.", "w0"))
            await until(lambda: grafted(where, 1))
            server.kill()
            await asyncio.to_thread(server.start)  # takes some seconds
            await tell_more(where)
            await assert_all_is_grafted(where, _COLD_S)
            assert worker.health().ready
