"""Seconds of processor that a measurement takes: what a clock cannot tell on a shared machine."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_PROC: Final = Path("/proc")
_PARENT, _USER, _SYSTEM = 1, 11, 12  # fields of /proc/*/stat, counted from the one after the name


@dataclass(frozen=True, slots=True)
class ProcessorTime:
    """Seconds that this process and its living children have taken since they began."""

    own: float
    children: float

    @classmethod
    def now(cls) -> ProcessorTime:
        """Read the clocks; children's are told in hundredths of a second, and on Linux only."""
        ticks = sum(map(_ticks_of_child, _PROC.glob("[0-9]*")))
        return cls(time.process_time(), ticks / os.sysconf("SC_CLK_TCK"))

    def __sub__(self, before: ProcessorTime) -> ProcessorTime:
        return ProcessorTime(self.own - before.own, self.children - before.children)


def _ticks_of_child(process: Path) -> int:
    try:
        told = (process / "stat").read_text("utf-8", errors="replace")
    except OSError:  # it has ended
        return 0
    fields = told.rpartition(")")[2].split()
    mine = int(fields[_PARENT]) == os.getpid()
    return int(fields[_USER]) + int(fields[_SYSTEM]) if mine else 0
