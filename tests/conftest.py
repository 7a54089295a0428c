"""Real servers for the tests that need them: each is started once, at the first use."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from deploy import neo4j_server
from deploy.maven import fetched_jars
from deploy.neo4j_server import Neo4jHome, Neo4jServer
from deploy.services import DEFAULT_DIR, jar_cache
from graph.arcade_process import ArcadeProcess
from graph.child_process import ChildProcess, ChildSpec
from graph.loopback import free_port, plain_environment, port_open
from tests.model_server import ModelServer


@dataclass(frozen=True, slots=True)
class BoltServer:
    """How to reach a graph server."""

    uri: str
    auth: tuple[str, str] | None
    database: str


@pytest.fixture(scope="session")
def neo4j_bolt(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoltServer]:
    jars = fetched_jars(neo4j_server.POM, jar_cache(DEFAULT_DIR, "neo4j"), print)
    # Many small statements once: the optimising compiler would cost more than it saves.
    flags = ("-XX:TieredStopAtLevel=1",)
    place = Neo4jHome(tmp_path_factory.mktemp("neo4j"), jars, password=None, jvm_flags=flags)
    server = Neo4jServer(place)
    try:
        yield BoltServer(server.start(), None, "neo4j")
    finally:
        server.stop()


@pytest.fixture(scope="session")
def arcade_bolt(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoltServer]:
    with ArcadeProcess(tmp_path_factory.mktemp("arcade")) as server:
        address = server.start()
        yield BoltServer(address.uri, (address.user, address.password), address.database)


@pytest.fixture(scope="session")
def model_server() -> Iterator[ModelServer]:
    """A model's HTTP interface; a test takes it over with `anew` and its script."""
    with ModelServer() as server:
        yield server


@pytest.fixture(scope="session")
def milvus_uri(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Milvus Lite as a server of its own: the vendor's wire, if not the vendor's large server."""
    home, port = tmp_path_factory.mktemp("milvus"), free_port()
    where = ("--data-dir", str(home / "data"), "--host", "127.0.0.1", "--port", str(port))
    child = ChildProcess.start(
        ChildSpec(
            name="Milvus Lite",
            command=(sys.executable, "-m", "milvus_lite.cmdline", "server", *where),
            cwd=home,
            log=home / "server.log",
            record=home / "server.pid.json",
            # Its memory is searched row by row: have it write out early, as one would on a server.
            env=plain_environment() | {"MILVUS_LITE_MEMTABLE_MEMORY_LIMIT_BYTES": "300000"},
        )
    )
    try:
        child.wait_ready(lambda: port_open(port), 60.0)
        yield f"http://127.0.0.1:{port}"
    finally:
        child.end()
