"""Milvus Lite as a server in this process, reached through a socket that only we can open.

The vendor's own way opens a TCP port without a password, for everybody on the machine.
"""

from __future__ import annotations

import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import grpc
from milvus_lite import DataDirLockedError, MilvusLite
from milvus_lite.adapter.grpc.servicer import MilvusServicer
from pymilvus.grpc_gen import milvus_pb2_grpc

from contracts.errors import TransientError

_MESSAGE_BYTES: Final = 256 * 2**20  # the vendor's own limit
_THREADS: Final = 2  # one for us, one for its own health checks


class LiteServer:
    """One data directory, held against every other process until `close`."""

    def __init__(self, directory: Path) -> None:
        directory.parent.mkdir(parents=True, exist_ok=True)
        self._directory = directory
        self._database = _opened(directory)
        # A socket's path is short by law of the system: it cannot lie in the data directory.
        self._socket_dir = tempfile.TemporaryDirectory(prefix="storygraft-")
        self.uri = f"unix:{self._socket_dir.name}/milvus"
        options = [
            ("grpc.max_receive_message_length", _MESSAGE_BYTES),
            ("grpc.max_send_message_length", _MESSAGE_BYTES),
        ]
        self._server = grpc.server(ThreadPoolExecutor(_THREADS), options=options)
        servicer = MilvusServicer(self._database)
        milvus_pb2_grpc.add_MilvusServiceServicer_to_server(servicer, self._server)
        self._server.add_insecure_port(self.uri)
        self._server.start()

    def forget_unborn(self, collection: str) -> None:
        """Remove what a process that died while creating `collection` left of it.

        A directory without a schema is no collection, yet stands in the way of one.
        """
        home = self._directory / "collections" / collection
        if home.exists() and not (home / "schema.json").exists():
            shutil.rmtree(home)

    def close(self) -> None:
        """Write out what is in memory and let go of the directory."""
        self._server.stop(grace=None).wait()
        self._database.close()
        self._socket_dir.cleanup()


def _opened(directory: Path) -> MilvusLite:
    try:
        return MilvusLite(str(directory))
    except DataDirLockedError as error:
        raise TransientError(
            f"another process holds the vector store's data directory {directory}: end it first"
        ) from error
    except OSError as error:
        raise TransientError(f"cannot open the vector store in {directory}: {error}") from error
