"""What breaks around us, made without any right that a user has not."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from graph import process_identity


def server_pid(home: Path) -> int:
    """Return the pid of the home's graph server."""
    identity = process_identity.read(home / "graph" / "server.pid.json")
    assert identity is not None
    return identity.pid


def kill_server(home: Path) -> None:
    """End the graph server as the kernel does when memory is short."""
    os.kill(server_pid(home), signal.SIGKILL)


@contextmanager
def largest_file(size: int, pid: int = 0) -> Iterator[None]:
    """Let no file of a process (0: ours) grow beyond `size` bytes: to it, the disk is full."""
    _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard))


def overwrite(path: Path, start: int, size: int) -> None:
    """Put garbage into a file, as a dying disk does."""
    with path.open("r+b") as file:
        file.seek(start)
        file.write(b"\xa5" * size)
