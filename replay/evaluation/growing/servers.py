"""The graph servers that are started for a measurement."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from deploy import neo4j_server
from deploy.maven import fetched_jars
from deploy.neo4j_server import Neo4jHome, Neo4jServer
from deploy.services import DEFAULT_DIR, jar_cache
from graph.arcade_process import ArcadeProcess
from replay.evaluation.growing.stores import CountingTree

_ARCADE: Final = "ArcadeDB"
_NEO4J: Final = "Neo4j"
GRAPHS: Final = {"arcade": _ARCADE, "neo4j": _NEO4J}
"""The servers by what they are called on a command line."""


@contextmanager
def graph_server(name: str, folder: Path) -> Iterator[CountingTree]:
    """Start the server called `name` in `folder`, for as long as the context lasts."""
    if name == _ARCADE:
        with ArcadeProcess(folder) as arcade:
            at = arcade.start()
            yield CountingTree(at.uri, (at.user, at.password), at.database)
        return
    jars = fetched_jars(neo4j_server.POM, jar_cache(DEFAULT_DIR, "neo4j"), print)
    server = Neo4jServer(Neo4jHome(folder, jars, password=None))
    try:
        yield CountingTree(server.start(), None, "neo4j")
    finally:
        server.stop()
