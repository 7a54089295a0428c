"""The servers of a distributed index, each of which can be killed and comes back as it was."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from deploy import kafka_server, neo4j_server
from deploy.kafka_server import KafkaHome, KafkaServer
from deploy.local_server import LocalServer
from deploy.maven import fetched_jars
from deploy.milvus_server import MilvusHome, MilvusServer
from deploy.neo4j_server import Neo4jHome, Neo4jServer
from deploy.services import DEFAULT_DIR, jar_cache
from graph.loopback import free_port

_SHORT_LIVED: Final = ("-XX:TieredStopAtLevel=1",)
"""Many different small requests, for minutes: on a machine that others use, too, the optimising
compiler takes more time than it spares."""

Making = Callable[[int], LocalServer | Neo4jServer]
"""Makes a server that prefers a port."""


@dataclass(slots=True)
class Server:
    """A server at a port of its own, which it keeps."""

    name: str
    make: Making
    address: str = ""
    _port: int = field(default_factory=free_port)
    _running: LocalServer | Neo4jServer | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        self._running = self.make(self._port)
        self.address = self._running.start()

    def kill(self) -> None:
        """End it as a power cut would, data on the disk apart."""
        if self._running is not None and self._running.pid is not None:
            os.kill(self._running.pid, signal.SIGKILL)
            self._running.stop()

    def stop(self) -> None:
        """End it in peace."""
        if self._running is not None:
            self._running.stop()


@dataclass(frozen=True, slots=True)
class Servers:
    """All three."""

    kafka: Server
    neo4j: Server
    milvus: Server

    def __iter__(self) -> Iterator[Server]:
        return iter((self.kafka, self.neo4j, self.milvus))

    def settings(self, home: Path) -> dict[str, str]:
        """Return the settings of an index on them."""
        return {
            "home": str(home),
            "log": self.kafka.address,
            "graph": self.neo4j.address,
            "memo": self.neo4j.address,
            "vectors": self.milvus.address,
        }


@contextmanager
def started(folder: Path, *, short_lived: bool = False) -> Iterator[Servers]:
    """Start all three with their data in `folder`, and end them with the block.

    Servers that are `short_lived` are quick at once, and never as quick as the others.
    """
    flags = _SHORT_LIVED if short_lived else ()
    kafka_jars = fetched_jars(kafka_server.POM, jar_cache(DEFAULT_DIR, "kafka"), print)
    neo4j_jars = fetched_jars(neo4j_server.POM, jar_cache(DEFAULT_DIR, "neo4j"), print)

    def kafka(port: int) -> KafkaServer:
        return KafkaServer(KafkaHome(folder / "kafka", kafka_jars, port, jvm_flags=flags))

    def neo4j(port: int) -> Neo4jServer:
        return Neo4jServer(Neo4jHome(folder / "neo4j", neo4j_jars, None, port, jvm_flags=flags))

    def milvus(port: int) -> MilvusServer:
        return MilvusServer(MilvusHome(folder / "milvus", port))

    servers = Servers(Server("Kafka", kafka), Server("Neo4j", neo4j), Server("Milvus", milvus))
    with ExitStack() as stack:
        for server in servers:
            stack.callback(server.stop)
            server.start()
        yield servers
