"""`backup` and `restore`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from streams.cli import options
from streams.cli.exit_codes import ExitCode
from streams.cli.options import Common
from streams.cli.running import run

if TYPE_CHECKING:
    from contracts.reports import BackupReport


def backup(
    folder: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="A folder that is not there yet.", show_default=False),
    ],
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Write the whole index into a folder: log, memo, graph and vectors, each file checksummed.

    An owner of the home is ended first, and nobody can use the home meanwhile. Of an index on
    servers, which go on, it writes log and memo: of these all else is made again.

    Example: storygraft backup /backups/2026-11-30
    """
    common = Common(home, config, debug, json)

    async def command() -> ExitCode:
        from streams.backup.backing_up import back_up
        from streams.backup.places import is_embedded
        from streams.owner.connecting import stop_owner

        settings = common.settings()
        if is_embedded(settings):
            await stop_owner(settings)
        return _told(await back_up(settings, folder), "backed up", json=json)

    run(command, common)


def restore(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="What backup wrote.", show_default=False)
    ],
    force: Annotated[
        bool, typer.Option("--force", help="Replace the index that the home has.")
    ] = False,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Make the index what it was when the backup was made.

    All of it is read and found whole before anything is replaced. Cut off, it is ended by the same
    command, or by whoever opens the home next.

    Example: storygraft restore /backups/2026-11-30 --home new-home
    """
    common = Common(home, config, debug, json)

    async def command() -> ExitCode:
        from streams.backup.places import is_embedded
        from streams.backup.restoring import restore as restored
        from streams.owner.connecting import stop_owner

        settings = common.settings()
        if is_embedded(settings):
            await stop_owner(settings)
        return _told(await restored(settings, folder, force=force), "restored", json=json)

    run(command, common)


def _told(report: BackupReport, done: str, *, json: bool) -> ExitCode:
    from streams.cli.output import out, print_json

    if json:
        print_json(report)
    else:
        size = f"{report.files:,} files, {report.size / 1e6:,.1f} MB"
        out.print(
            f"{', '.join(report.stores)} {done}: {size}, as of {report.made_at:%Y-%m-%d %H:%M}Z."
        )
        if report.kind == "log":
            out.print("Graph and vectors are made again of it by the workers, or by `index`.")
    return ExitCode.OK
