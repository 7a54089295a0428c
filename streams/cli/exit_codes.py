"""What a script can trust: every exit code of `storygraft`."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """How a command ended."""

    OK = 0
    """Everything was done."""

    FINDING = 1
    """Done, but some inputs failed, or `doctor` found something."""

    USAGE = 2
    """The command line, a setting or the input cannot be used."""

    NOT_FOUND = 3
    """There is no such work, thread or character."""

    HELD = 4
    """A store or model cannot be reached now: nothing is lost, run it again later."""

    BUSY = 5
    """Another process uses the home."""

    UNUSABLE = 6
    """A store cannot be used at all: damaged, not writable, of a newer version."""

    INTERNAL = 70
    """A defect of storygraft."""

    INTERRUPTED = 130
    """Stopped by Ctrl-C."""
