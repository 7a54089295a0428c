"""Our errors on the wire: a status and a kind, and the same error again on the other side."""

from __future__ import annotations

from typing import Final

from contracts.errors import PermanentError, StorygraftError, TransientError
from contracts.frozen import Frozen
from graph.child_process import StartFailed
from graph.locking import AlreadyInUse
from streams.home_lock import HomeInUse
from streams.inputs.values import UnusableInput
from streams.not_found import Ambiguous, NotFound
from streams.settings import UnusableSettings


class Defect(StorygraftError):  # noqa: N818 - what happened, as a person would say it
    """The owner failed in a way that nobody foresaw."""


_KINDS: Final[dict[str, tuple[type[StorygraftError], int]]] = {
    "ambiguous": (Ambiguous, 409),
    "not_found": (NotFound, 404),
    "unusable_input": (UnusableInput, 422),
    "unusable_settings": (UnusableSettings, 422),
    "home_in_use": (HomeInUse, 409),
    "in_use": (AlreadyInUse, 409),
    "start_failed": (StartFailed, 503),
    "transient": (TransientError, 503),
    "permanent": (PermanentError, 500),
}
"""A subclass comes before what it derives from."""


class Failure(Frozen):
    """Why there is no answer: the text says what to do."""

    kind: str
    message: str

    def error(self) -> StorygraftError:
        """Return the error that the other side raised."""
        known = _KINDS.get(self.kind)
        return known[0](self.message) if known else Defect(self.message)


def failure_of(error: Exception) -> tuple[int, Failure]:
    """Return the HTTP status and the words for `error`; of a defect nothing but its name."""
    for kind, (of, status) in _KINDS.items():
        if isinstance(error, of):
            return status, Failure(kind=kind, message=str(error))
    text = f"A defect of storygraft: {type(error).__name__}; the log in the home says more."
    return 500, Failure(kind="defect", message=text)
