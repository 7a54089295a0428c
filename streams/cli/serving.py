"""`serve`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from streams.cli import options
from streams.cli.exit_codes import ExitCode
from streams.cli.options import Common
from streams.cli.running import run

if TYPE_CHECKING:
    from streams.settings import Settings


def serve(
    port: Annotated[
        int, typer.Option("--port", metavar="P", min=0, max=65535, help="0: any free one.")
    ] = 0,
    idle: Annotated[
        float | None,
        typer.Option(
            "--idle",
            metavar="S",
            min=0.0,
            help="End after so many seconds without being used. Default: never.",
            show_default=False,
        ),
    ] = None,
    stop: Annotated[bool, typer.Option("--stop", help="End the owner that serves now.")] = False,
    on_demand: Annotated[bool, typer.Option("--on-demand", hidden=True)] = False,
    home: options.HomeDir = None,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Own the home: index what comes into its log, and answer over HTTP on this machine.

    Other commands find it through owner.json in the home, and use it. They start one themselves
    where there is none; that one ends when it was not used for a while.

    Example: storygraft serve --port 7411
    """
    common = Common(home, config, debug)

    async def command() -> ExitCode:
        from streams.cli.output import print_note

        settings = common.settings()
        if stop:
            from streams.owner.connecting import stop_owner

            ended = await stop_owner(settings)
            print_note("The owner has ended." if ended else "Nobody owns the home.")
            return ExitCode.OK
        from streams.owner.serving import Serving
        from streams.owner.serving import serve as serve_home

        how = Serving(port, idle, on_demand, lambda url: print_note(_served(settings, url)))
        await serve_home(settings, how)
        return ExitCode.OK

    run(command, common)


def _served(settings: Settings, url: str) -> str:
    return (
        f"Serving {settings.home} at {url}, described at {url}/openapi.json; the token is in "
        "owner.json there. Ctrl-C ends it."
    )
