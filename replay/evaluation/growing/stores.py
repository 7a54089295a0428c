"""The stores of the measurement: as they are, but that they say what was written and how long."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from contracts.ids import Generation, RowKey, WorkId
from contracts.vectors import VectorRow
from contracts.works import Commit
from graph.bolt import BoltTreeStore
from graph.bolt.packing import batches
from graph.bolt.planning import steps
from graph.milvus import MilvusVectorStore

_LOCK_AND_NUMBER = 2  # statements that every transaction begins with


@dataclass(frozen=True, slots=True)
class Cost:
    """What one commit wrote for how many new scenes, and how many seconds that took."""

    scenes: int
    rows: int
    statements: int
    seconds: float


class CountingTree(BoltTreeStore):
    """A graph that counts what each commit writes."""

    def __init__(self, uri: str, auth: tuple[str, str] | None, database: str | None) -> None:
        super().__init__(uri, auth, database)
        self.costs: list[Cost] = []

    async def commit(self, commit: Commit) -> bool:
        """Write, and note what was written."""
        began = time.perf_counter()
        done = await super().commit(commit)
        seconds = time.perf_counter() - began
        sent = sum(1 for step in steps(commit, "") for _ in batches(step.rows))
        self.costs.append(
            Cost(
                scenes=sum(len(content.scenes) for content in commit.contents_put),
                rows=len(commit.rows.puts) + len(commit.rows.deletes),
                statements=_LOCK_AND_NUMBER + sent,
                seconds=seconds,
            )
        )
        return done


class TimedVectors(MilvusVectorStore):
    """A vector store that adds up the `seconds` which its caller waits for it."""

    def __init__(self, uri: str) -> None:
        super().__init__(uri)
        self.seconds = 0.0

    async def upsert(
        self, work_id: WorkId, generation: Generation, rows: Sequence[VectorRow]
    ) -> None:
        """Write rows (see `VectorStore.upsert`)."""
        began = time.perf_counter()
        await super().upsert(work_id, generation, rows)
        self.seconds += time.perf_counter() - began

    async def fetch(
        self, work_id: WorkId, generation: Generation, keys: Collection[RowKey]
    ) -> Mapping[RowKey, VectorRow]:
        """Return the rows that are there (see `VectorStore.fetch`)."""
        began = time.perf_counter()
        found = await super().fetch(work_id, generation, keys)
        self.seconds += time.perf_counter() - began
        return found

    async def delete(
        self, work_id: WorkId, generation: Generation, keys: Collection[RowKey]
    ) -> None:
        """Delete rows by key (see `VectorStore.delete`)."""
        began = time.perf_counter()
        await super().delete(work_id, generation, keys)
        self.seconds += time.perf_counter() - began
