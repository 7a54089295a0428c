"""`status` and `doctor`."""

from __future__ import annotations

from typing import Annotated

import typer

from streams.cli import options
from streams.cli.exit_codes import ExitCode
from streams.cli.options import Common
from streams.cli.running import connected, run

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
        from contracts.requests import Standing
        from streams.cli.output import print_result
        from streams.cli.standing import status_shown
        from streams.operations import STATUS

        async with connected(common.settings(), common) as index:
            report = await index.call(STATUS, Standing(work_id=work))
        print_result(report, status_shown, json=json)
        return ExitCode.OK

    run(command, common)


def doctor(
    work: Annotated[
        str | None,
        typer.Option("--work", metavar="WORK", help="One work only.", show_default=False),
    ] = None,
    repair: Annotated[
        bool, typer.Option("--repair", help="Mend what is found, from the texts or the log.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="With --repair: say what would be done, do nothing.")
    ] = False,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Check that what is stored is sound: texts, rows, records and tree agree, invariants hold.

    Ends with exit code 1 if anything is found, or is still wrong after --repair.

    Example: storygraft doctor --work treasure-island --repair
    """
    common = Common(home, config, debug, json)
    if dry_run and not repair:
        raise typer.BadParameter("--dry-run says what --repair would do: give both")

    async def command() -> ExitCode:
        from contracts.reports import DoctorReport, RepairReport
        from contracts.requests import Repair, Standing
        from streams.cli.output import out, print_json
        from streams.cli.standing import doctor_shown, repaired_shown
        from streams.operations import DOCTOR, REPAIR

        async with connected(common.settings(), common, repairing=True) as index:
            report: DoctorReport | RepairReport
            if repair:
                report = await index.call(REPAIR, Repair(work_id=work, dry_run=dry_run))
            else:
                report = await index.call(DOCTOR, Standing(work_id=work))
        if json:
            print_json(report)
        else:
            out.print(
                repaired_shown(report) if isinstance(report, RepairReport) else doctor_shown(report)
            )
        return ExitCode.OK if report.sound else ExitCode.FINDING

    run(command, common)
