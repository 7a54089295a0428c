"""Rows as Milvus entities, and back, without losing a bit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from contracts.vectors import (
    DENSE_SCALE,
    SPARSE_DOCUMENT_SCALE,
    SPARSE_QUERY_SCALE,
    Dense,
    Hit,
    Level,
    Sparse,
    VectorRow,
)
from graph.milvus.layout import Place

Entity = dict[str, Any]
"""A row in the vendor's terms, by field name."""

ROW_FIELDS: Final = (
    "key", "level", "item_id", "scene_id", "chapter_id", "position", "ordinal", "start", "end",
    "text", "dense", "sparse",
)  # fmt: skip
HIT_FIELDS: Final = ["key", "item_id", "scene_id", "chapter_id", "position", "start", "end"]

# What one component, or one term, of the least weights scores.
_LEAST_DENSE_SCORE: Final = 1.0 / DENSE_SCALE**2
_LEAST_SPARSE_SCORE: Final = 1.0 / (SPARSE_DOCUMENT_SCALE * SPARSE_QUERY_SCALE)

# Milvus takes no empty sparse vector. This one scores so little with any query (the weights of
# one sum to 2**9 at most) that it stays below every true score, and is told from them by that.
_NO_TERMS: Final = {0: 2.0**-40}

_BATCH_BYTES: Final = 8 * 2**20  # far below what a server takes in one message
_VECTOR_BYTES: Final = 1_500  # of a row: dense floats and its numbers
_TERM_BYTES: Final = 8


def entity_of(place: Place, row: VectorRow) -> Entity:
    """Return `row` as an entity."""
    entity: Entity = {
        "key": place.primary(row.key),
        "level": int(row.level),
        "item_id": row.item_id,
        "scene_id": row.scene_id,
        "chapter_id": row.chapter_id,
        "position": int(row.position),
        "ordinal": int(row.ordinal),
        "start": int(row.start),
        "end": int(row.end),
        "text": row.text,
        "dense": _floats(row.dense),
        "sparse": _weights(row.sparse, SPARSE_DOCUMENT_SCALE) or _NO_TERMS,
    }
    return entity | ({"partition": place.partition} if place.partition else {})


def row_of(place: Place, entity: Mapping[str, Any]) -> VectorRow:
    """Return the row that `entity_of` made `entity` of."""
    steps = np.rint(np.asarray(entity["dense"], dtype=np.float64) * DENSE_SCALE)
    sparse = dict(entity["sparse"])
    return VectorRow(
        key=place.row_key(entity["key"]),
        level=Level(entity["level"]),
        item_id=entity["item_id"],
        scene_id=entity["scene_id"],
        chapter_id=entity["chapter_id"],
        position=int(entity["position"]),
        ordinal=int(entity["ordinal"]),
        start=int(entity["start"]),
        end=int(entity["end"]),
        text=entity["text"],
        dense=steps.astype("<i2").tobytes(),
        sparse=() if sparse == _NO_TERMS else _steps(sparse),
    )


def hit_of(place: Place, found: Mapping[str, Any]) -> Hit:
    """Return one found entity as a hit."""
    entity = found["entity"]
    return Hit(
        key=place.row_key(found["key"]),
        item_id=entity["item_id"],
        scene_id=entity["scene_id"],
        chapter_id=entity["chapter_id"],
        position=int(entity["position"]),
        start=int(entity["start"]),
        end=int(entity["end"]),
        score=float(found["distance"]),
    )


@dataclass(frozen=True, slots=True)
class Query:
    """What is searched for: in which field, with which vector, and the least score that counts."""

    field: str
    vector: Any
    least: float


def dense_query(query: Dense) -> Query:
    """Return a search by meaning."""
    return Query("dense", _floats(query), _LEAST_DENSE_SCORE)


def sparse_query(query: Sparse) -> Query:
    """Return a search by words."""
    return Query("sparse", _weights(query, SPARSE_QUERY_SCALE), _LEAST_SPARSE_SCORE)


def _floats(dense: Dense) -> npt.NDArray[np.float32]:
    """Return a dense vector as float32: exactly its steps times 2**-11."""
    return np.frombuffer(dense, dtype="<i2").astype(np.float32) / np.float32(DENSE_SCALE)


def batches(rows: Sequence[VectorRow]) -> Iterator[list[VectorRow]]:
    """Yield `rows` in order, in batches of about 8 MiB."""
    batch: list[VectorRow] = []
    size = 0
    for row in rows:
        weight = _VECTOR_BYTES + len(row.text.encode()) + _TERM_BYTES * len(row.sparse)
        if batch and size + weight > _BATCH_BYTES:
            yield batch
            batch, size = [], 0
        batch.append(row)
        size += weight
    if batch:
        yield batch


def _weights(sparse: Sparse, scale: int) -> dict[int, float]:
    return {number: weight / scale for number, weight in sparse}


def _steps(weights: Mapping[int, float]) -> Sparse:
    scaled = ((int(n), round(weight * SPARSE_DOCUMENT_SCALE)) for n, weight in weights.items())
    return tuple(sorted(scaled))
