"""The vector store in memory: for replays, tests, and works that need not outlive a process."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from contracts.ids import Generation, RowKey, WorkId
from contracts.ports import SearchScope
from contracts.vectors import (
    DENSE_SCALE,
    DIMENSIONS,
    SPARSE_DOCUMENT_SCALE,
    SPARSE_QUERY_SCALE,
    Dense,
    Hit,
    Sparse,
    VectorRow,
)
from graph import vector_rules

_Floats = npt.NDArray[np.float64]
_Ints = npt.NDArray[np.int64]
_DENSE_UNIT: Final = 1.0 / DENSE_SCALE**2
_SPARSE_UNIT: Final = 1.0 / (SPARSE_DOCUMENT_SCALE * SPARSE_QUERY_SCALE)


@dataclass(frozen=True, slots=True)
class _Index:
    """Rows laid out for searching; made anew at the first search after a write.

    `dense` is (rows, DIMENSIONS) of whole numbers: in float64 every product and sum is exact.
    `terms` holds the term numbers of all rows, rising; `holders` and `weights`, beside it, the
    number of the row and the term's weight there.
    """

    rows: tuple[VectorRow, ...]
    levels: _Ints
    ordinals: _Ints
    dense: _Floats
    terms: _Ints
    holders: _Ints
    weights: _Ints


@dataclass(slots=True)
class _Rows:
    by_key: dict[RowKey, VectorRow] = field(default_factory=dict)
    index: _Index | None = None


class MemoryVectorStore:
    """Implements `VectorStore`. No method awaits anything, so each is atomic."""

    def __init__(self) -> None:
        self._works: dict[tuple[WorkId, Generation], _Rows] = {}

    async def upsert(
        self, work_id: WorkId, generation: Generation, rows: Sequence[VectorRow]
    ) -> None:
        """Write rows (see `VectorStore.upsert`)."""
        vector_rules.check_generation(generation)
        vector_rules.check(rows)
        kept = self._works.setdefault((work_id, generation), _Rows())
        kept.by_key.update((row.key, row) for row in rows)
        kept.index = None

    async def fetch(
        self, work_id: WorkId, generation: Generation, keys: Collection[RowKey]
    ) -> Mapping[RowKey, VectorRow]:
        """Return the rows that are there (see `VectorStore.fetch`)."""
        by_key = self._kept(work_id, generation).by_key
        return {key: by_key[key] for key in keys if key in by_key}

    async def delete(
        self, work_id: WorkId, generation: Generation, keys: Collection[RowKey]
    ) -> None:
        """Delete rows by key (see `VectorStore.delete`)."""
        kept = self._kept(work_id, generation)
        for key in keys:
            kept.by_key.pop(key, None)
        kept.index = None

    async def drop(self, work_id: WorkId, generation: Generation) -> None:
        """Delete every row of the work in this generation."""
        self._works.pop((work_id, generation), None)

    async def keys(self, work_id: WorkId, generation: Generation) -> frozenset[RowKey]:
        """Return the keys of all rows of the work in this generation."""
        return frozenset(self._kept(work_id, generation).by_key)

    async def holds(self, work_id: WorkId, generation: Generation) -> bool:
        """Say whether there is a place for rows of the work (see `VectorStore.holds`)."""
        return bool(self._kept(work_id, generation).by_key)

    async def search_dense(self, scope: SearchScope, query: Dense, limit: int) -> tuple[Hit, ...]:
        """Return the best rows by meaning (see `VectorStore.search_dense`)."""
        index = self._index(scope)
        return _best(index, index.dense @ _whole(query) * _DENSE_UNIT, scope, limit)

    async def search_sparse(self, scope: SearchScope, query: Sparse, limit: int) -> tuple[Hit, ...]:
        """Return the best rows by words (see `VectorStore.search_sparse`)."""
        index = self._index(scope)
        scores = np.zeros(len(index.rows))
        for number, weight in query:
            first, end = np.searchsorted(index.terms, (number, number + 1))
            # A row holds a term once, so no row comes twice here.
            scores[index.holders[first:end]] += index.weights[first:end] * (weight * _SPARSE_UNIT)
        return _best(index, scores, scope, limit)

    async def close(self) -> None:
        """Nothing to let go of: the rows go with the object."""

    def _kept(self, work_id: WorkId, generation: Generation) -> _Rows:
        return self._works.get((work_id, generation), _Rows())

    def _index(self, scope: SearchScope) -> _Index:
        kept = self._kept(scope.work_id, scope.generation)
        if kept.index is None:
            kept.index = _indexed(tuple(kept.by_key.values()))
        return kept.index


def _indexed(rows: tuple[VectorRow, ...]) -> _Index:
    pairs = np.array([pair for row in rows for pair in row.sparse], dtype=np.int64).reshape(-1, 2)
    holders = np.repeat(np.arange(len(rows)), [len(row.sparse) for row in rows])
    order = np.argsort(pairs[:, 0], kind="stable")
    dense = _whole(b"".join(row.dense for row in rows)).reshape(len(rows), DIMENSIONS)
    return _Index(
        rows=rows,
        levels=np.array([row.level for row in rows], dtype=np.int64),
        ordinals=np.array([row.ordinal for row in rows], dtype=np.int64),
        dense=dense,
        terms=pairs[order, 0],
        holders=holders[order],
        weights=pairs[order, 1],
    )


def _whole(dense: bytes) -> _Floats:
    return np.frombuffer(dense, dtype="<i2").astype(np.float64)


def _best(index: _Index, scores: _Floats, scope: SearchScope, limit: int) -> tuple[Hit, ...]:
    seen = (index.levels == int(scope.level)) & (index.ordinals <= int(scope.as_of)) & (scores > 0)
    found = np.flatnonzero(seen)
    if 0 < limit < len(found):
        # All rows as good as the last one wanted stay, since ties are broken by id.
        worst = -np.partition(-scores[found], limit - 1)[limit - 1]
        found = found[scores[found] >= worst]
    hits = (Hit.of(index.rows[number], float(scores[number])) for number in found.tolist())
    return vector_rules.ranked(hits, limit)
