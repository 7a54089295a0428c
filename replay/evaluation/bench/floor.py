"""The floor: embedding the same texts and writing the same rows, with nothing around it.

Rows are ready as the vendor wants them before its clock starts, and written in large batches
into a collection that is there; models are loaded, but no word is known to the embedder yet.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Final

from contracts.ids import FIRST_GENERATION, WorkId
from contracts.vectors import VectorRow
from graph.milvus import entities
from graph.milvus.connection import Connection
from graph.milvus.layout import Layout
from graph.milvus.schema import VECTOR_FIELDS, collection_schema, index_params
from processors.sif import SifEmbedder
from replay.evaluation.bench.figures import Floor

_LANGUAGE: Final = "en"
_AT_ONCE: Final = 256
_TIMES: Final = 3


async def floor_of(rows: Sequence[VectorRow]) -> Floor:
    """Measure the floor of rows that a work was indexed to: the middle of a few measurements."""
    embedding = [await _embed(rows) for _ in range(_TIMES)]
    writing = [await asyncio.to_thread(_write, rows) for _ in range(_TIMES)]
    return Floor(median(embedding), median(writing))


async def load_models() -> None:
    """Load what the embedder reads at its first use: no run should pay for it alone."""
    await SifEmbedder().embed(["a word"], _LANGUAGE)


async def _embed(rows: Sequence[VectorRow]) -> float:
    embedder = SifEmbedder()
    texts = [row.text for row in rows]
    started = time.perf_counter()
    for first in range(0, len(texts), _AT_ONCE):
        await embedder.embed(texts[first : first + _AT_ONCE], _LANGUAGE)
    return time.perf_counter() - started


def _write(rows: Sequence[VectorRow]) -> float:
    place = Layout(shared=False).place(WorkId("floor"), FIRST_GENERATION)
    ready = [[entities.entity_of(place, row) for row in batch] for batch in entities.batches(rows)]
    with tempfile.TemporaryDirectory() as folder:
        connection = Connection(str(Path(folder) / "floor.db"))
        try:
            client = connection.client()
            client.create_collection(place.collection, schema=collection_schema(shared=False))
            client.create_index(place.collection, index_params(*VECTOR_FIELDS), sync=False)
            client.load_collection(place.collection)
            started = time.perf_counter()
            for batch in ready:
                client.upsert(place.collection, batch)
            return time.perf_counter() - started
        finally:
            connection.close()
