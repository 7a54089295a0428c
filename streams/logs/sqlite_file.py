"""One SQLite file behind one thread: how every local store of ours calls its database."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from contracts.errors import PermanentError, StorygraftError
from streams.logs.sqlite_database import FileKind, open_database
from streams.logs.sqlite_errors import translated

T = TypeVar("T")


class SqliteFile:
    """The database of `kind` at `path`, opened, and made if need be, at the first call.

    Every call runs on one thread that owns the connection, so calls never interleave; other
    processes are kept apart by SQLite's own locks.
    """

    def __init__(self, path: Path, kind: FileKind) -> None:
        self._path = path
        self._kind = kind
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=path.stem)
        self._connection: sqlite3.Connection | None = None
        self._closed = False

    @property
    def exists(self) -> bool:
        """Whether there is anything to read."""
        return self._connection is not None or self._path.exists()

    async def call(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work` on the connection.

        Raises:
            TransientError: the file cannot be used now.
            PermanentError: it cannot be used at all, or was closed.
        """
        if self._closed:
            raise PermanentError(f"The {self._kind.name} is closed already.")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._run, work)

    async def closed_for(self, work: Callable[[Path], T]) -> T:
        """Run `work` on the path while nothing of ours has the file open; it opens again after.

        Raises:
            OSError: as `work` does; errors of SQLite come as those of `call`.
        """
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._run_closed, work)

    async def close(self) -> None:
        """Let go of the file; a second call does nothing."""
        if self._closed:
            return
        self._closed = True
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._thread, self._close)
        self._thread.shutdown(wait=False)

    def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        with translated(self._kind.name, self._path):
            if self._connection is None:
                self._connection = open_database(self._path, self._kind)
            return work(self._connection)

    def _run_closed(self, work: Callable[[Path], T]) -> T:
        with suppress(StorygraftError):  # a damaged file may not close well
            self._close()
        self._connection = None
        with translated(self._kind.name, self._path):
            return work(self._path)

    def _close(self) -> None:
        if self._connection is not None:
            with translated(self._kind.name, self._path):
                self._connection.close()
            self._connection = None
