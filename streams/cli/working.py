"""`worker`."""

from __future__ import annotations

from typing import Annotated

import typer

from streams.cli import options
from streams.cli.exit_codes import ExitCode
from streams.cli.options import Common
from streams.cli.running import log_as_service, run

_STAGES = ("hide", "carry", "segment", "embed", "graft", "answer")


def _known(names: list[str]) -> list[str]:
    unknown = sorted(set(names).difference(_STAGES))
    if unknown:
        raise typer.BadParameter(f"no stage {', '.join(unknown)}: there are {', '.join(_STAGES)}")
    return names


def worker(
    stage: Annotated[
        list[str] | None,
        typer.Option(
            "--stage",
            metavar="STAGE",
            help=f"One of {', '.join(_STAGES)}; may be given again. Default: all.",
            callback=lambda names: _known(names or []),
            show_default=False,
        ),
    ] = None,
    port: Annotated[
        int,
        typer.Option(
            "--port", metavar="P", min=0, max=65535, help="Of its health; 0: any free one."
        ),
    ] = 0,
    home: options.HomeDir = None,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Index what comes into Kafka, and answer what is asked there, until stopped.

    Start as many as you like: they share the partitions. Its health is served on this machine:
    /health, /ready and /metrics (docs/operations.md). Ctrl-C or SIGTERM ends it when what it is
    at is done.

    Example: storygraft worker --stage graft --port 9100
    """
    common = Common(home, config, debug)

    async def command() -> ExitCode:
        import asyncio
        import tempfile
        from pathlib import Path

        from streams.cli.output import print_note
        from streams.owner.serving import stopped_by_signals
        from streams.stage_wiring import stages_opened
        from streams.worker import Worker
        from streams.worker_server import served

        log_as_service(debug=debug)
        settings = common.settings()
        stop = asyncio.Event()
        with tempfile.TemporaryDirectory(prefix="storygraft-worker-") as folder:
            working = Worker(
                settings.kafka_access(settings.kafka_url),
                lambda: stages_opened(settings, stage or ()),
                Path(folder),
            )
            async with served(working, port) as url:
                with stopped_by_signals(stop):
                    print_note(f"Health: {url}/health")
                    await working.run(stop)
        return ExitCode.OK

    run(command, common)
