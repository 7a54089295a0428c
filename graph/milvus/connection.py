"""A client of Milvus, opened at its first use, and opened anew after a write that failed."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from pymilvus import MilvusClient
from pymilvus.exceptions import ErrorCode, MilvusException

from graph.milvus.lite import LiteServer

_REMOTE: Final = ("http://", "https://", "tcp://")
_TIMEOUT_S: Final = 60.0  # of one call to a server; the client's own retries end with it
# Left to itself, the client pings every ten seconds, also where nothing is asked. A server with
# gRPC's defaults, as Milvus Lite's is, takes that for an attack: at the third ping it ends the
# connection, and the call that comes at that moment. It puts up with one in five minutes.
_CALM: Final = {"grpc.keepalive_time_ms": 300_000, "grpc.keepalive_permit_without_calls": 0}


class Connection:
    """The client of one store; use it from one thread only.

    `ready` are the collections that are known to be there and loaded, `unflushed` those that
    may hold rows which Milvus Lite keeps in memory. Both are forgotten when it is closed.
    """

    def __init__(self, uri: str) -> None:
        self.is_remote = uri.startswith(_REMOTE)
        # A call to Milvus Lite must not end before its work has: nothing else guards its writes.
        self.timeout = _TIMEOUT_S if self.is_remote else None
        self.ready: set[str] = set()
        self.unflushed: set[str] = set()
        self._uri = uri
        self._lite: LiteServer | None = None
        self._client: MilvusClient | None = None
        # They print every refused call, traceback and all; we raise, which is enough.
        logging.getLogger("pymilvus").setLevel(logging.CRITICAL)
        logging.getLogger("milvus_lite").setLevel(logging.CRITICAL)

    def client(self) -> MilvusClient:
        """Return the client, connecting first where that is still to be done."""
        if self._client is None:
            if not self.is_remote and self._lite is None:
                self._lite = LiteServer(Path(self._uri))
            uri = self._lite.uri if self._lite else self._uri
            self._client = MilvusClient(
                uri, dedicated=True, timeout=self.timeout, grpc_options=_CALM
            )
        return self._client

    def forget_unborn(self, collection: str) -> None:
        """Clear the way for a collection (see `LiteServer.forget_unborn`)."""
        if self._lite is not None:
            self._lite.forget_unborn(collection)

    @contextmanager
    def writing(self) -> Iterator[MilvusClient]:
        """Give the client for a write.

        Milvus Lite does not survive a write that fails half-way, on a full disk say: what it
        writes after that stands behind the torn record, and the next start drops both; a flush
        that failed leaves its rows on disk only, and the next one deletes them there. Opened
        anew it recovers all that was acknowledged. Of a server, see `reading`.
        """
        try:
            yield self.client()
        except MilvusException:
            self.close()
            raise

    @contextmanager
    def reading(self) -> Iterator[MilvusClient]:
        """Give the client for a read; a collection that somebody dropped is no longer ready.

        A server may have been started again: then it has loaded no collection, and a client that
        could not reach it for long would wait for minutes before it tries again.
        """
        try:
            yield self.client()
        except MilvusException as error:
            if self.is_remote:
                self.close()
            elif error.code == ErrorCode.COLLECTION_NOT_FOUND:
                self.ready.clear()
            raise

    def close(self) -> None:
        """Let go of the client and of the data directory; the next use opens them again."""
        if self._client is not None:
            self._client.close()
        if self._lite is not None:
            self._lite.close()
        self._client = self._lite = None
        self.ready.clear()
        self.unflushed.clear()
