"""A log and a graph that are cut off at the n-th thing that is done to them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from contracts.ids import Generation, WorkId
from contracts.ports import EventLog, NewRecord, TreeStore, VectorStore


class CutOffError(Exception):
    """The process is gone."""


@dataclass
class Scissors:
    """Lets `left` deeds be done, and ends the process before the next; None: it lets all."""

    left: int | None = None
    done: int = 0

    def deed(self) -> None:
        if self.left is not None and self.done >= self.left:
            raise CutOffError
        self.done += 1


class _Through:
    def __init__(self, inner: Any, scissors: Scissors) -> None:
        self._inner, self._scissors = inner, scissors

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


class CutLog(_Through):
    async def append(self, records: Sequence[NewRecord]) -> int:
        self._scissors.deed()
        return int(await self._inner.append(records))

    async def begin(self, group: str, topic: str, positions: Mapping[int, int]) -> None:
        self._scissors.deed()
        await self._inner.begin(group, topic, positions)

    async def remove(self, topics: Collection[str], groups: Collection[str]) -> None:
        self._scissors.deed()
        await self._inner.remove(topics, groups)


class CutTree(_Through):
    async def point(self, generation: Generation, instead_of: Generation) -> bool:
        self._scissors.deed()
        return bool(await self._inner.point(generation, instead_of))

    async def erase(self, work_id: WorkId, generation: Generation, limit: int) -> bool:
        self._scissors.deed()
        return bool(await self._inner.erase(work_id, generation, limit))


class CutVectors(_Through):
    async def drop(self, work_id: WorkId, generation: Generation) -> None:
        self._scissors.deed()
        await self._inner.drop(work_id, generation)


def cut_log(log: EventLog, scissors: Scissors) -> EventLog:
    found: EventLog = CutLog(log, scissors)
    return found


def cut_tree(tree: TreeStore, scissors: Scissors) -> TreeStore:
    found: TreeStore = CutTree(tree, scissors)
    return found


def cut_vectors(vectors: VectorStore, scissors: Scissors) -> VectorStore:
    found: VectorStore = CutVectors(vectors, scissors)
    return found
