"""`index`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from streams.cli import options
from streams.cli.exit_codes import ExitCode
from streams.cli.options import Common
from streams.cli.running import opened, run

if TYPE_CHECKING:
    from contracts.reports import IndexReport


Input = Annotated[
    Path,
    typer.Argument(
        metavar="INPUT",
        help="A folder of .txt, .md or .html chapters; one text file with chapter headings; a "
        "serial as .json; chapter events as .jsonl.",
        show_default=False,
    ),
]
WorkId = Annotated[
    str | None,
    typer.Option(
        "--work", metavar="ID", help="Work id. Default: made of the title.", show_default=False
    ),
]
Title = Annotated[
    str | None,
    typer.Option("--title", metavar="TEXT", help="The work's title.", show_default=False),
]
Language = Annotated[
    str | None,
    typer.Option(
        "--language",
        metavar="TAG",
        help="Such as en or zh. Default: seen from each chapter.",
        show_default=False,
    ),
]


def index(
    path: Input,
    work: WorkId = None,
    title: Title = None,
    language: Language = None,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Index an input: what of it is new or changed; the rest costs nothing.

    Chapters that are not in the input any more stay indexed. One bad chapter stops nobody: the
    exit code is 1, and `storygraft status` shows it.

    Example: storygraft index my-serial/ --work my-serial
    """
    common = Common(home, config, debug, json)

    async def command() -> ExitCode:
        from streams import indexing
        from streams.cli.output import out, print_json
        from streams.cli.progress import IndexProgress
        from streams.cli.standing import index_shown
        from streams.inputs import Naming, read_input

        settings = common.settings()
        given = read_input(path, Naming(work, title, language))
        async with opened(settings, common, must_exist=False) as opened_home:
            with IndexProgress(shown=not json) as progress:
                report = await indexing.index(opened_home, given, progress)
        if json:
            print_json(report)
        else:
            out.print(index_shown(report, progress.rate()))
        return _exit_code(report)

    run(command, common)


def _exit_code(report: IndexReport) -> ExitCode:
    if report.held:
        return ExitCode.HELD
    failed = report.problems or report.dead_letters or report.refused
    return ExitCode.FINDING if failed else ExitCode.OK
