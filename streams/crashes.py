"""Crashes as values: a test gives the runner a list of them and sees what the next run makes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Moment(StrEnum):
    """Where between two stages a process may die."""

    BEFORE_HANDLING = "before_handling"
    BEFORE_COMMIT = "before_commit"
    AFTER_COMMIT = "after_commit"


@dataclass(frozen=True, slots=True)
class Crash:
    """Die at `moment` of the `nth` batch (from 0) of the stage named `stage`."""

    stage: str
    moment: Moment
    nth: int = 0


class SimulatedCrash(BaseException):
    """The process is gone: nothing may catch this but the test that asked for it."""
