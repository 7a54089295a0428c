"""One process a home: its stores must not be opened twice."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from contracts.errors import PermanentError, StorygraftError
from graph.locking import AlreadyInUse, exclusive

LOCK: Final = "lock"
_OWNER: Final = "owner.pid"
_LOOKED_AT_S: Final = 1.0  # whoever looks whether it is free holds it for a moment


class HomeInUse(StorygraftError):  # noqa: N818 - what is wrong, as a person would say it
    """Another process has the home open."""


@contextmanager
def held(home: Path) -> Iterator[None]:
    """Hold `home`, made if it is not there, against every other process.

    Raises:
        HomeInUse: another process has it; the text names the process.
        PermanentError: the directory cannot be made or written.
    """
    with ExitStack() as stack:
        try:
            home.mkdir(mode=0o700, parents=True, exist_ok=True)
            stack.enter_context(exclusive(home / LOCK, _LOOKED_AT_S))
            (home / _OWNER).write_text(str(os.getpid()), "ascii")
        except AlreadyInUse as error:
            raise HomeInUse(
                f"The home {home} is in use by {holder(home)}: wait until it is done, or end it."
            ) from error
        except OSError as error:
            raise unusable(home, error) from error
        yield


def made(home: Path) -> None:
    """Make the directory if it is not there, for its owner alone.

    Raises:
        PermanentError: it cannot be made.
    """
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise unusable(home, error) from error


def unusable(home: Path, error: OSError) -> PermanentError:
    """Return the error of a home that cannot be made or written."""
    return PermanentError(
        f"The home {home} cannot be used: {error.strerror}; give a directory that you may write "
        "with --home."
    )


def holder(home: Path) -> str:
    """Say who holds `home`, as far as it is known."""
    try:
        pid = (home / _OWNER).read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return "another process"
    return f"process {pid}" if pid.isdigit() else "another process"
