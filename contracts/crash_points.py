"""Where a process may die, by name: a test says where, and sees what the next process makes."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum


class CrashPoint(StrEnum):
    """A moment on the path of a chapter between two effects."""

    BEFORE_HANDLING = "before_handling"
    AFTER_ROWS = "after_rows"
    BEFORE_COMMIT = "before_commit"
    AFTER_COMMIT = "after_commit"
    BEFORE_CLEANUP = "before_cleanup"
    BEFORE_ACK = "before_ack"
    AFTER_ACK = "after_ack"


Reached = Callable[[CrashPoint], None]
"""Told of every point that is reached; one that never returns ends the process there."""


def go_on(point: CrashPoint) -> None:
    """Do nothing: nobody wants the process to end at `point`."""
