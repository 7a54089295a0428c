"""`status` and `doctor`."""

from __future__ import annotations

from typing import Annotated

import typer

from streams.cli import options
from streams.cli.exit_codes import ExitCode
from streams.cli.options import Common
from streams.cli.running import opened, run

OneWork = Annotated[
    str | None,
    typer.Argument(metavar="[WORK]", help="One work only. Default: all.", show_default=False),
]


def status(
    work: OneWork = None,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Show what is indexed, what waits, what is held, and what could not be read.

    Example: storygraft status treasure-island
    """
    common = Common(home, config, debug, json)

    async def command() -> ExitCode:
        from streams import operating
        from streams.cli.output import out, print_json
        from streams.cli.standing import status_shown

        async with opened(common.settings(), common) as opened_home:
            report = await operating.status(opened_home, work)
        if json:
            print_json(report)
        else:
            out.print(status_shown(report))
        return ExitCode.OK

    run(command, common)


def doctor(
    work: Annotated[
        str | None,
        typer.Option("--work", metavar="WORK", help="One work only.", show_default=False),
    ] = None,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Check that what is stored is sound: the tree's invariants, rows that match the graph.

    Ends with exit code 1 if anything is found.

    Example: storygraft doctor --work treasure-island
    """
    common = Common(home, config, debug, json)

    async def command() -> ExitCode:
        from streams.checking import check
        from streams.cli.output import out, print_json
        from streams.cli.standing import doctor_shown

        async with opened(common.settings(), common) as opened_home:
            report = await check(opened_home, work)
        if json:
            print_json(report)
        else:
            out.print(doctor_shown(report))
        found = any(each.findings for each in report.works)
        return ExitCode.FINDING if found else ExitCode.OK

    run(command, common)
