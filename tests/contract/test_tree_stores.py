"""Every tree store, under one suite."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from contracts.ports import TreeStore
from graph.bolt import BoltTreeStore
from graph.memory import MemoryTreeStore
from tests.conftest import BoltServer
from tests.contract.tree_store import TreeStoreContract


class TestMemoryTreeStore(TreeStoreContract):
    @pytest.fixture
    def store(self) -> TreeStore:
        return MemoryTreeStore()


_PREPARED: set[str] = set()  # a server needs it once, and its suite has a test of doing it again


async def _prepared(server: BoltServer) -> AsyncIterator[TreeStore]:
    store = BoltTreeStore(server.uri, server.auth, server.database)
    try:
        if server.uri not in _PREPARED:
            await store.prepare()
            _PREPARED.add(server.uri)
        yield store
    finally:
        await store.close()


@pytest.mark.real
class TestArcadeTreeStore(TreeStoreContract):
    @pytest.fixture
    async def store(self, arcade_bolt: BoltServer) -> AsyncIterator[TreeStore]:
        async for store in _prepared(arcade_bolt):
            yield store


@pytest.mark.real
class TestNeo4jTreeStore(TreeStoreContract):
    @pytest.fixture
    async def store(self, neo4j_bolt: BoltServer) -> AsyncIterator[TreeStore]:
        async for store in _prepared(neo4j_bolt):
            yield store
