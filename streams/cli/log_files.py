"""`replay export` and `replay import`: the event log as a file."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from streams.cli import options
from streams.cli.exit_codes import ExitCode
from streams.cli.options import Common
from streams.cli.running import run

if TYPE_CHECKING:
    from streams.settings import Settings

replay = typer.Typer(
    name="replay",
    no_args_is_help=True,
    help="Carry the event log into a file, and from there into another log.\n\n"
    "Example: storygraft replay export events.jsonl.gz",
)


@replay.command("export")
def export(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Where to write; compressed where the name ends in .gz; - is standard output.",
            show_default=False,
        ),
    ],
    work: Annotated[
        str | None,
        typer.Option("--work", metavar="ID", help="One work only.", show_default=False),
    ] = None,
    until: Annotated[
        datetime | None,
        typer.Option(
            "--until",
            metavar="TIME",
            parser=options.parse_instant,
            help="What came before a time, as 2026-11-30T12:00:00Z; UTC where no zone is told.",
            show_default=False,
        ),
    ] = None,
    to_offset: Annotated[
        int | None,
        typer.Option(
            "--to-offset",
            metavar="N",
            min=0,
            help="What lies at offsets up to N, in each partition.",
            show_default=False,
        ),
    ] = None,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Write the log of chapter events as JSON lines, each with a checksum.

    Run again, it goes on with a file that was cut off. The text of what is withdrawn is left out.

    Example: storygraft replay export events.jsonl.gz

    Example: storygraft replay export - --work treasure-island --until 2026-11-30
    """
    common = Common(home, config, debug, json)

    async def command() -> ExitCode:
        import sys

        from contracts.topics import CHAPTERS
        from streams.adapters import is_empty, open_log, require_topic
        from streams.cli.output import err, print_json, print_note
        from streams.cli.progress import SendProgress
        from streams.log_files.exporting import Selection, export_through, export_to
        from streams.not_found import nothing_indexed

        settings, selection = common.settings(), Selection(work, until, to_offset)
        if is_empty(settings):
            raise nothing_indexed(settings)
        await require_topic(settings, CHAPTERS)
        log = open_log(settings)
        is_pipe = str(path) == "-"
        try:
            with SendProgress(shown=not json, doing="Exporting") as progress:
                if is_pipe:
                    report = await export_through(log, sys.stdout.buffer, selection, progress.sent)
                else:
                    report = await export_to(log, path, selection, progress.sent)
        finally:
            await log.close()
        if json and is_pipe:
            err.print(report.to_json().decode(), soft_wrap=True)
        elif json:
            print_json(report)
        else:
            more = f", {report.resumed:,} of them before" if report.resumed else ""
            gone = f"; of {report.withheld:,} the text is withdrawn" if report.withheld else ""
            print_note(f"{report.records:,} events exported{more}{gone}.")
        return ExitCode.OK

    run(command, common)


@replay.command("import")
def import_(
    path: Annotated[
        Path, typer.Argument(metavar="FILE", help="What export wrote.", show_default=False)
    ],
    to: options.Brokers = None,
    skip_damaged: Annotated[
        bool, typer.Option("--skip-damaged", help="Import the lines that can be read.")
    ] = False,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Append what export wrote to the log, to be indexed like all that is published.

    The order within each work is kept, with however many partitions. Run again, it goes on where
    it was cut off. The file is checked first: where a line is damaged nothing is appended.

    Example: storygraft replay import events.jsonl.gz --to kafka://localhost:9092
    """
    common = Common(home, config, debug, json)

    async def command() -> ExitCode:
        from streams.adapters import open_log
        from streams.cli.output import out, print_json
        from streams.cli.progress import SendProgress
        from streams.log_files.importing import import_from

        settings = common.settings(log=to)
        await _require_log(settings)
        log = open_log(settings)
        try:
            with SendProgress(shown=not json, doing="Importing") as progress:
                report = await import_from(log, path, skip_damaged=skip_damaged, told=progress.sent)
        finally:
            await log.close()
        if json:
            print_json(report)
        else:
            out.print(f"{report.new:,} new, {report.known:,} known events.")
            for problem in report.problems:
                out.print(problem, style="yellow")
        return ExitCode.FINDING if report.problems else ExitCode.OK

    run(command, common)


async def _require_log(settings: Settings) -> None:
    """Make the home, or refuse brokers that have not our topics."""
    from contracts.topics import CHAPTERS
    from streams.adapters import require_topic
    from streams.home_lock import made

    await require_topic(settings, CHAPTERS)
    if not settings.on_kafka:
        made(settings.home)
