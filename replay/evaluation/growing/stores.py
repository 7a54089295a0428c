"""The graph of the measurement: as it is, but that it says what was written and how long."""

from __future__ import annotations

import time
from dataclasses import dataclass

from contracts.works import Commit
from graph.bolt import BoltTreeStore
from graph.bolt.packing import batches
from graph.bolt.planning import steps

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
