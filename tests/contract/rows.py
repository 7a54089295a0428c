"""Vector rows for the suites, and the arithmetic of their scores in whole numbers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import numpy as np

from contracts.ids import FIRST_GENERATION, Generation, WorkId, row_key
from contracts.ordinals import Ordinal
from contracts.ports import SearchScope, VectorStore
from contracts.vectors import (
    DENSE_SCALE,
    DIMENSIONS,
    SPARSE_DOCUMENT_SCALE,
    SPARSE_QUERY_SCALE,
    Dense,
    Hit,
    Level,
    Sparse,
    VectorRow,
)
from tests.contract.story import new_work

ZERO: Dense = bytes(2 * DIMENSIONS)


def unit(seed: int, spread: int = DIMENSIONS) -> Dense:
    """Return a quantised unit vector with `spread` components that are not zero."""
    floats = np.random.default_rng(seed).normal(size=DIMENSIONS)
    floats[spread:] = 0.0
    whole = np.rint(floats / np.linalg.norm(floats) * DENSE_SCALE)
    return bytes(whole.astype("<i2").tobytes())


def axis(component: int, length: int = DENSE_SCALE) -> Dense:
    """Return a vector along one axis."""
    whole = np.zeros(DIMENSIONS, dtype="<i2")
    whole[component] = length
    return whole.tobytes()


def words(seed: int, count: int = 40, vocabulary: int = 300) -> Sparse:
    """Return a lexical vector of up to `count` terms out of few, so that many are shared."""
    numbers = np.random.default_rng(seed)
    terms = sorted({int(n) for n in numbers.integers(0, vocabulary, count)})
    return tuple((term, int(numbers.integers(1, 257))) for term in terms)


def a_row(
    item: str,
    *,
    level: Level = Level.PASSAGE,
    ordinal: int = 1,
    position: int = 0,
    dense: Dense = ZERO,
    sparse: Sparse = (),
) -> VectorRow:
    """Return a row; `item` may be any text."""
    item_id = hashlib.blake2b(item.encode(), digest_size=16).hexdigest()
    return VectorRow(
        key=row_key("g1", item_id, position),
        level=level,
        item_id=item_id,
        scene_id=f"scene of {item}",
        chapter_id="chapter",
        position=position,
        ordinal=ordinal,
        start=3,
        end=14,
        text=f"The text of {item}.",
        dense=dense,
        sparse=sparse,
    )


def a_book(size: int) -> list[VectorRow]:
    """Return rows of both levels at ordinals 1 to 10, each with vectors of its own."""
    return [
        a_row(
            f"item {n}",
            level=Level.SCENE if n % 3 == 0 else Level.PASSAGE,
            ordinal=n % 10 + 1,
            position=n,
            dense=unit(n),
            sparse=words(n),
        )
        for n in range(size)
    ]


def a_scope(
    work_id: WorkId,
    as_of: int = 10**18 - 1,
    *,
    level: Level = Level.PASSAGE,
    generation: Generation = FIRST_GENERATION,
) -> SearchScope:
    return SearchScope(work_id, generation, Ordinal(as_of), level)


def expected_dense(
    rows: Iterable[VectorRow], scope: SearchScope, query: Dense, limit: int
) -> list[Hit]:
    """Return what a search must find, computed in whole numbers."""
    asked = np.frombuffer(query, dtype="<i2").astype(int).tolist()

    def score(row: VectorRow) -> float:
        held = np.frombuffer(row.dense, dtype="<i2").astype(int).tolist()
        whole: int = sum(a * b for a, b in zip(asked, held, strict=True))
        return whole / DENSE_SCALE**2

    return _best(rows, scope, [score(row) for row in rows], limit)


def expected_sparse(
    rows: Iterable[VectorRow], scope: SearchScope, query: Sparse, limit: int
) -> list[Hit]:
    """Return what a search must find, computed in whole numbers."""
    asked = dict(query)
    scale = SPARSE_DOCUMENT_SCALE * SPARSE_QUERY_SCALE
    scores = [sum(asked.get(t, 0) * weight for t, weight in row.sparse) / scale for row in rows]
    return _best(rows, scope, scores, limit)


def _best(
    rows: Iterable[VectorRow], scope: SearchScope, scores: Sequence[float], limit: int
) -> list[Hit]:
    hits = [
        Hit.of(row, score)
        for row, score in zip(rows, scores, strict=True)
        if score > 0 and row.level == scope.level and row.ordinal <= scope.as_of
    ]
    return sorted(hits, key=lambda hit: (-hit.score, hit.item_id, hit.key))[:limit]


async def written(store: VectorStore, *rows: VectorRow) -> WorkId:
    work = new_work()
    await store.upsert(work, FIRST_GENERATION, rows)
    return work
