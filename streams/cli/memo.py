"""`memo`: what models have said, carried to another home, and what it has cost."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streams.cli import options
from streams.cli.exit_codes import ExitCode
from streams.cli.options import Common
from streams.cli.running import run

memo = typer.Typer(
    name="memo",
    no_args_is_help=True,
    help="Carry what models have said to another home, so that nothing is paid for twice, and tell "
    "what it has cost.\n\n"
    "Example: storygraft memo export treasure-island > island.memo.jsonl",
)


@memo.command("export")
def export(
    work: options.Work,
    home: options.HomeDir = None,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Write the answers that a work's chapters went into, one a line.

    Example: storygraft memo export treasure-island > island.memo.jsonl
    """
    common = Common(home, config, debug)

    async def command() -> ExitCode:
        import sys

        from contracts.ids import WorkId
        from streams.adapters import open_memo
        from streams.cli.output import print_note
        from streams.logs.memo_files import export_entries

        opened = open_memo(common.settings())
        try:
            count = await export_entries(opened, WorkId(work), sys.stdout.buffer)
        finally:
            await opened.close()
        print_note(f"{count} entries.")
        return ExitCode.OK

    run(command, common)


@memo.command("import")
def import_(
    path: Annotated[
        Path, typer.Argument(metavar="FILE", help="What export wrote.", show_default=False)
    ],
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Put entries where the memo has no answer yet; what it has stays.

    Example: storygraft memo import island.memo.jsonl
    """
    common = Common(home, config, debug, json)

    async def command() -> ExitCode:
        from streams.adapters import open_memo
        from streams.cli.output import print_result
        from streams.inputs.values import UnusableInput
        from streams.logs.memo_files import import_entries

        opened = open_memo(common.settings())
        try:
            with path.open("rb") as lines:
                report = await import_entries(opened, lines)
        except OSError as error:
            raise UnusableInput(f"{path} cannot be read: {error.strerror}.") from error
        finally:
            await opened.close()
        print_result(report, lambda r: f"{r.new} new, {r.known} known entries.", json=json)
        return ExitCode.OK

    run(command, common)


@memo.command("spent")
def spent(
    generation: Annotated[
        str | None,
        typer.Option("--generation", help="Only for this one.", show_default=False),
    ] = None,
    work: Annotated[
        str | None, typer.Option("--work", metavar="ID", help="Only this work.", show_default=False)
    ] = None,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Say what calls of models have cost: by generation, purpose and day, or of one work.

    Only what building the index costs; what questions cost stands in their answers.

    Example: storygraft memo spent --generation g2
    """
    common = Common(home, config, debug, json)

    async def command() -> ExitCode:
        from contracts.ids import Generation, WorkId
        from streams.adapters import open_memo
        from streams.cli.costs import spending_shown
        from streams.cli.output import print_result
        from streams.spending import spending

        opened = open_memo(common.settings())
        try:
            report = await spending(
                opened,
                Generation(generation) if generation else None,
                WorkId(work) if work else None,
            )
        finally:
            await opened.close()
        print_result(report, spending_shown, json=json)
        return ExitCode.OK

    run(command, common)
