"""A process that kills itself where it is told to."""

from __future__ import annotations

import os
import signal
from collections import Counter

from contracts.crash_points import CrashPoint


class KillsItself:
    """Ends the process at the n-th time a point is reached: nothing of it runs after that."""

    def __init__(self, point: CrashPoint | None, nth: int) -> None:
        self._point = point
        self._nth = nth
        self._reached: Counter[CrashPoint] = Counter()

    def __call__(self, point: CrashPoint) -> None:
        """Take notice that a point is reached."""
        self._reached[point] += 1
        if point is self._point and self._reached[point] == self._nth:
            os.kill(os.getpid(), signal.SIGKILL)


def killing(arguments: list[str]) -> KillsItself:
    """Read a point and a number from the command line; none: it does not kill itself."""
    point = CrashPoint(arguments[0]) if arguments else None
    return KillsItself(point, int(arguments[1]) if arguments else 1)
