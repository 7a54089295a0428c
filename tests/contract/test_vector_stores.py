"""Every vector store, under one suite."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from contracts.ports import VectorStore
from graph.hot_vectors import HotVectorStore
from graph.memory import MemoryVectorStore
from graph.milvus import MilvusVectorStore
from tests.contract.vector_store import VectorStoreContract


class TestMemoryVectorStore(VectorStoreContract):
    @pytest.fixture
    def store(self) -> VectorStore:
        return MemoryVectorStore()


@pytest.mark.real
class TestMilvusLiteVectorStore(VectorStoreContract):
    @pytest.fixture
    async def store(self, tmp_path: Path) -> AsyncIterator[VectorStore]:
        store = MilvusVectorStore(str(tmp_path / "vectors"))
        try:
            yield store
        finally:
            await store.close()


class TestHotVectorStore(VectorStoreContract):
    @pytest.fixture
    def store(self) -> VectorStore:
        return HotVectorStore(MemoryVectorStore())


class TestHotVectorStoreOfLargeWorks(VectorStoreContract):
    @pytest.fixture
    def store(self) -> VectorStore:
        return HotVectorStore(MemoryVectorStore(), most_works=1, most_rows=1)


@pytest.mark.real
class TestMilvusServerVectorStore(VectorStoreContract):
    @pytest.fixture
    async def store(self, milvus_uri: str) -> AsyncIterator[VectorStore]:
        store = MilvusVectorStore(milvus_uri)
        try:
            yield store
        finally:
            await store.close()
