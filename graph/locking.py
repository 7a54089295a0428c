"""A lock on a directory that no dead process can leave behind: the kernel lets go of it."""

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from contracts.errors import StorygraftError

_PAUSE_S = 0.05


class AlreadyInUse(StorygraftError):  # noqa: N818 - what happened, as a person would say it
    """Another living process holds the same directory."""


@contextmanager
def exclusive(lock: Path, wait_s: float = 0.0) -> Iterator[None]:
    """Hold `lock` against everybody else; raise `AlreadyInUse` if it is not free in `wait_s`."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    deadline = time.monotonic() + wait_s
    with lock.open("ab") as held:
        while not _locked(held.fileno()):
            if time.monotonic() > deadline:
                raise AlreadyInUse(f"{lock.parent} is in use by another process; end it first.")
            time.sleep(_PAUSE_S)
        yield


def _locked(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
