"""What is done with rows, in Milvus's terms; one call after the other, from one thread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import stamina
from pymilvus import MilvusClient
from pymilvus.exceptions import MilvusException

from contracts.ids import RowKey
from contracts.ports import SearchScope
from contracts.vectors import Hit, VectorRow
from graph.exact_search import exact_best
from graph.milvus import entities, row_format
from graph.milvus.connection import Connection
from graph.milvus.layout import Layout, Place
from graph.milvus.schema import VECTOR_FIELDS, collection_schema, index_params, refuse_another

_MOST: Final = 16_384  # what a server gives at most in one answer
_KEYS_AT_ONCE: Final = 256  # rows of 60 kB each still fit one message
_RACES: Final = 5  # it takes one of them a second, at most, to make a collection
_STRONG: Final = "Strong"  # a server's word for: reads see every write that was acknowledged


class Collections:
    """The collections of one store. A collection that is not there is one without rows."""

    def __init__(self, connection: Connection) -> None:
        self.layout = Layout(shared=connection.is_remote)
        self._connection = connection

    def upsert(self, place: Place, rows: Sequence[VectorRow]) -> None:
        """Write rows; an error may leave some of them written."""
        if not rows:
            return
        self._create(place.collection)
        for batch in entities.batches(rows):
            data = [entities.entity_of(place, row) for row in batch]
            with self._connection.writing() as client:
                client.upsert(place.collection, data, timeout=self._connection.timeout)
            self._connection.unflushed.add(place.collection)

    def fetch(self, place: Place, keys: Sequence[RowKey]) -> dict[RowKey, VectorRow]:
        """Return the rows that are there."""
        found: list[VectorRow] = []
        if self._is_there(place.collection):
            for some in _chunks(keys):
                wanted = ", ".join(f'"{place.primary(key)}"' for key in some)
                with self._connection.reading() as client:
                    answer = client.query(
                        place.collection,
                        filter=f"key in [{wanted}]",
                        output_fields=list(entities.ROW_FIELDS),
                        consistency_level=_STRONG,
                        timeout=self._connection.timeout,
                    )
                found.extend(entities.row_of(place, entity) for entity in answer)
        return {row.key: row for row in found}

    def delete(self, place: Place, keys: Sequence[RowKey]) -> None:
        """Delete rows by key."""
        if not self._is_there(place.collection):
            return
        for some in _chunks(keys):
            ids = [place.primary(key) for key in some]
            with self._connection.writing() as client:
                client.delete(place.collection, ids=ids, timeout=self._connection.timeout)

    def drop(self, place: Place) -> None:
        """Delete every row of a work."""
        if not self._is_there(place.collection):
            return
        with self._connection.writing() as client:
            if place.partition:
                client.delete(
                    place.collection, filter=place.rows(), timeout=self._connection.timeout
                )
                return
            client.drop_collection(place.collection)
        self._connection.ready.discard(place.collection)
        self._connection.unflushed.discard(place.collection)

    def keys(self, place: Place) -> frozenset[RowKey]:
        """Return the keys of all rows of a work."""
        if not self._is_there(place.collection):
            return frozenset()
        found: set[RowKey] = set()
        with self._connection.reading() as client:
            pages = client.query_iterator(
                place.collection,
                batch_size=_MOST,
                filter=place.rows(),
                output_fields=["key"],
                consistency_level=_STRONG,
                timeout=self._connection.timeout,
            )
            while page := pages.next():
                found.update(place.row_key(entity["key"]) for entity in page)
            pages.close()
        return frozenset(found)

    def holds(self, place: Place) -> bool:
        """Say whether there is a place for rows of a work, without loading it."""
        if place.collection not in self._connection.ready:
            with self._connection.reading() as client:
                if not client.has_collection(place.collection, timeout=self._connection.timeout):
                    return False
        if not place.partition:
            return True
        self._is_there(place.collection)
        with self._connection.reading() as client:
            found = client.query(
                place.collection,
                filter=place.rows(),
                limit=1,
                output_fields=["key"],
                consistency_level=_STRONG,
                timeout=self._connection.timeout,
            )
        return bool(found)

    def search(
        self, place: Place, scope: SearchScope, query: entities.Query, limit: int
    ) -> tuple[Hit, ...]:
        """Return the best `limit` rows in scope, exactly (see `VectorStore.search_dense`)."""
        if not self._is_there(place.collection):
            return ()
        self._flush(place.collection)

        def fetch(prefix: str, size: int) -> list[Hit]:
            with self._connection.reading() as client:
                answer: list[list[dict[str, Any]]] = client.search(
                    place.collection,
                    data=[query.vector],
                    anns_field=query.field,
                    filter=place.seen(scope, prefix),
                    limit=size,
                    output_fields=entities.HIT_FIELDS,
                    search_params={"metric_type": "IP"},
                    consistency_level=_STRONG,
                    timeout=self._connection.timeout,
                )
            return [entities.hit_of(place, found) for found in answer[0]]

        return exact_best(fetch, limit, query.least, _MOST)

    def _is_there(self, name: str) -> bool:
        """Say whether the collection exists; if so it is loaded and has its indexes."""
        if name in self._connection.ready:
            return True
        with self._connection.reading() as client:
            if not client.has_collection(name, timeout=self._connection.timeout):
                return False
            described = client.describe_collection(name, timeout=self._connection.timeout)
            refuse_another(described, shared=self.layout.shared)
            self._make_ready(client, name)
        # Another process may have left rows in memory, which are read back from its journal.
        self._connection.unflushed.add(name)
        return True

    def _create(self, name: str) -> None:
        # On a server somebody else may be making it at this moment, which is an error to us.
        attempts = _RACES if self._connection.is_remote else 1
        for attempt in stamina.retry_context(on=MilvusException, attempts=attempts):
            with attempt:
                if not self._is_there(name):
                    self._make(name)

    def _make(self, name: str) -> None:
        with self._connection.writing() as client:
            self._connection.forget_unborn(name)
            client.create_collection(
                name,
                schema=collection_schema(shared=self.layout.shared),
                properties=row_format.properties(),
                consistency_level=_STRONG,
                timeout=self._connection.timeout,
            )
            self._make_ready(client, name)

    def _make_ready(self, client: MilvusClient, name: str) -> None:
        """Index and load; whoever made the collection may have died before that."""
        known = client.list_indexes(name, timeout=self._connection.timeout)
        missing = [field for field in VECTOR_FIELDS if field not in known]
        if missing:
            # Milvus Lite has the index when the call returns; the client would look half a
            # second later, twice.
            waits = self._connection.is_remote
            params = index_params(*missing)
            client.create_index(name, params, timeout=self._connection.timeout, sync=waits)
        client.load_collection(name, timeout=self._connection.timeout)
        self._connection.ready.add(name)

    def _flush(self, name: str) -> None:
        """Have Milvus Lite write out what it holds in memory, which it would search row by row.

        A server searches its memory well, and would not like to be told to flush so often.
        """
        if self._connection.is_remote or name not in self._connection.unflushed:
            return
        with self._connection.writing() as client:
            client.flush(name)
        self._connection.unflushed.discard(name)


def _chunks(keys: Sequence[RowKey]) -> Iterator[Sequence[RowKey]]:
    for start in range(0, len(keys), _KEYS_AT_ONCE):
        yield keys[start : start + _KEYS_AT_ONCE]
