"""Crashes as inputs: a test says where the process dies, and sees what the next one makes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from contracts.crash_points import CrashPoint


class SimulatedCrash(BaseException):
    """The process is gone: nothing may catch this but the test that asked for it."""


@dataclass
class Dies:
    """Dies the `nth` time (from 1) that `point` is reached; counts what was reached."""

    point: CrashPoint | None = None
    nth: int = 1
    reached: Counter[CrashPoint] = field(default_factory=Counter)

    def __call__(self, point: CrashPoint) -> None:
        self.reached[point] += 1
        if point is self.point and self.reached[point] == self.nth:
            raise SimulatedCrash(f"{point.value}, time {self.nth}")
