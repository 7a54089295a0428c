"""The fields and indexes of a collection."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pymilvus import CollectionSchema, DataType, MilvusClient
from pymilvus.milvus_client.index import IndexParams

from contracts.vectors import DIMENSIONS, MAX_ID_BYTES, MAX_TEXT_BYTES
from graph.milvus import row_format

_KEY_BYTES: Final = 64  # a digest of the work, and one of the row
VECTOR_FIELDS: Final = ("dense", "sparse")


def collection_schema(*, shared: bool) -> CollectionSchema:
    """Return the schema; in a `shared` collection the rows of a work lie under its name."""
    schema = MilvusClient.create_schema(auto_id=False, enable_dynamic_field=False)
    schema.add_field("key", DataType.VARCHAR, max_length=_KEY_BYTES, is_primary=True)
    if shared:
        schema.add_field(
            "partition", DataType.VARCHAR, max_length=_KEY_BYTES, is_partition_key=True
        )
    schema.add_field("level", DataType.INT8)
    for name in ("item_id", "scene_id", "chapter_id"):
        schema.add_field(name, DataType.VARCHAR, max_length=MAX_ID_BYTES)
    for name in ("position", "ordinal", "start", "end"):
        schema.add_field(name, DataType.INT64)
    schema.add_field("text", DataType.VARCHAR, max_length=MAX_TEXT_BYTES)
    schema.add_field("dense", DataType.FLOAT_VECTOR, dim=DIMENSIONS)
    schema.add_field("sparse", DataType.SPARSE_FLOAT_VECTOR)
    return schema


def refuse_another(described: Mapping[str, Any], *, shared: bool) -> None:
    """Return if a collection is as `collection_schema` makes it.

    Raises:
        PermanentError: it is of another format; the text says what to do.
    """
    fields = [field.name for field in collection_schema(shared=shared).fields]
    row_format.refuse_another(described, fields, shared=shared)


def index_params(*names: str) -> IndexParams:
    """Return exact indexes for those of the vector fields: no approximation, nothing dropped."""
    params = MilvusClient.prepare_index_params()
    kinds = {"dense": "FLAT", "sparse": "SPARSE_INVERTED_INDEX"}
    for name in names:
        params.add_index(name, index_type=kinds[name], metric_type="IP")
    return params
