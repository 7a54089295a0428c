"""The worker that is killed: as `storygraft worker`, but it may kill itself at a crash point.

Settings come from the environment; the arguments name a point and how often it is reached before.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import tempfile
from pathlib import Path

import structlog

from contracts.errors import TransientError
from replay.soak.killing import killing
from streams.owner.serving import stopped_by_signals
from streams.settings import load_settings
from streams.stage_wiring import stages_opened
from streams.worker import Worker

CANNOT_START = 4


async def _run() -> None:
    settings, reached = load_settings(), killing(sys.argv[1:])
    stop = asyncio.Event()
    with tempfile.TemporaryDirectory(prefix="soak-worker-") as folder, stopped_by_signals(stop):
        worker = Worker(
            settings.kafka_access(settings.kafka_url),
            lambda: stages_opened(settings, reached=reached),
            Path(folder),
            reached,
        )
        await worker.run(stop)


def main() -> int:
    """Work until killed, or told to end."""
    logging.basicConfig(level=logging.ERROR)  # Kafka's client says hundreds of times what is away
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
    )
    try:
        asyncio.run(_run())
    except TransientError as error:  # a server is down: whoever starts it tries again
        sys.stderr.write(f"{error}\n")
        return CANNOT_START
    return 0


if __name__ == "__main__":
    sys.exit(main())
