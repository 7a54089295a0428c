"""The process that is killed: it opens a home, says so, and indexes what lies in its log.

With a crash point and a number it kills itself the n-th time that the point is reached.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from pathlib import Path

import structlog

from replay.soak.killing import KillsItself, killing
from streams.settings import Settings
from streams.wiring import open_home

READY, IDLE = "ready", "idle"


async def _run(home: Path, reached: KillsItself) -> None:
    async with open_home(Settings(home=home), reached=reached) as opened:
        _say(READY)
        held = (await opened.runner().run_until_idle()).held
        _say(f"held {held}" if held else IDLE)
        await asyncio.to_thread(sys.stdin.readline)  # until it is killed, or told to end


def _say(what: str) -> None:
    sys.stdout.write(what + "\n")
    sys.stdout.flush()


def main() -> None:
    """Run on the home named by the first argument; the next two name the point to die at."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    home, *dies = sys.argv[1:]
    asyncio.run(_run(Path(home), killing(dies)))


if __name__ == "__main__":
    main()
