"""Real servers for the tests that need them: each is started once, at the first use."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import structlog
from xdist.remote import Producer

from deploy import kafka_server, neo4j_server
from deploy.kafka_server import KafkaHome, KafkaServer
from deploy.maven import fetched_jars
from deploy.milvus_server import MilvusHome, MilvusServer
from deploy.neo4j_server import Neo4jHome, Neo4jServer
from deploy.services import DEFAULT_DIR, jar_cache
from graph.arcade_process import ArcadeProcess
from streams.adapters import startup_cache_folder
from tests.model_server import ModelServer
from tests.scheduling import SharedServersScheduling

# Many small requests once: the optimising compiler would cost more than it saves.
SHORT_LIVED = ("-XX:TieredStopAtLevel=1",)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(
    config: pytest.Config, log: Producer
) -> SharedServersScheduling | None:
    """Distribute tests over processes, where that is by scope."""
    by_scope = config.getoption("dist") == "loadscope"
    return SharedServersScheduling(config, log) if by_scope else None


@pytest.fixture(autouse=True)
def _logging_as_before() -> Iterator[None]:
    """A command sets up logging for its process; here the process goes on with other tests."""
    yield
    structlog.reset_defaults()
    logging.disable(logging.NOTSET)


@dataclass(frozen=True, slots=True)
class BoltServer:
    """How to reach a graph server."""

    uri: str
    auth: tuple[str, str] | None
    database: str


@pytest.fixture(scope="session")
def neo4j_bolt(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoltServer]:
    jars = fetched_jars(neo4j_server.POM, jar_cache(DEFAULT_DIR, "neo4j"), print)
    place = Neo4jHome(tmp_path_factory.mktemp("neo4j"), jars, password=None, jvm_flags=SHORT_LIVED)
    server = Neo4jServer(place)
    try:
        yield BoltServer(server.start(), None, "neo4j")
    finally:
        server.stop()


@pytest.fixture(scope="session")
def kafka_jars() -> Path:
    """The folder of the broker's jars, fetched at the first use."""
    return fetched_jars(kafka_server.POM, jar_cache(DEFAULT_DIR, "kafka"), print)


@pytest.fixture(scope="session")
def kafka_url(tmp_path_factory: pytest.TempPathFactory, kafka_jars: Path) -> Iterator[str]:
    """The `kafka://` URL of a broker without topics: each test makes its own, with a prefix."""
    place = KafkaHome(tmp_path_factory.mktemp("kafka"), kafka_jars, jvm_flags=SHORT_LIVED)
    server = KafkaServer(place)
    try:
        yield server.start()
    finally:
        server.stop()


@pytest.fixture(scope="session")
def arcade_bolt(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoltServer]:
    folder = tmp_path_factory.mktemp("arcade")
    with ArcadeProcess(folder, startup_cache=startup_cache_folder()) as server:
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
    server = MilvusServer(MilvusHome(tmp_path_factory.mktemp("milvus")))
    try:
        yield server.start()
    finally:
        server.stop()
