"""`compare`: are two trees the same?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from streams.cli import options
from streams.cli.exit_codes import ExitCode
from streams.cli.options import Common, told
from streams.cli.running import connected, run

if TYPE_CHECKING:
    from contracts.reports import CompareReport
    from contracts.requests import ExportFile, Story

_TREE = "WORK, WORK@N as of chapter N, or a file that `export --json` wrote."


def compare(
    a: Annotated[str, typer.Argument(metavar="A", help=_TREE, show_default=False)],
    b: Annotated[str, typer.Argument(metavar="B", help="The same.", show_default=False)],
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Say whether two trees are the same, and what only one has or has otherwise.

    Within a work things are matched by id, between two works by their place in the story. Ends
    with exit code 1 if they differ.

    Example: storygraft compare treasure-island@12 old-island.json
    """
    common = Common(home, config, debug, json)

    async def command() -> ExitCode:
        from streams.cli.comparing_shown import compared_shown
        from streams.cli.output import print_result

        report = await _compared(common, tree_named(a), tree_named(b))
        print_result(report, compared_shown, json=json)
        return ExitCode.OK if report.same else ExitCode.FINDING

    run(command, common)


def tree_named(name: str) -> Story | ExportFile:
    """Return which tree `name` is: a file if there is one, else a work; `@N` is its as-of.

    What follows the last `@` and is no ordinal belongs to the work's id; `@head` ends the id of
    a work that itself ends so.
    """
    from contracts.ordinals import Ordinal
    from contracts.requests import HEAD, ExportFile, Story

    if Path(name).is_file():
        return ExportFile(export=Path(name).absolute())
    work, at, after = name.rpartition("@")
    if work and at and after == HEAD:
        return Story(work_id=work, as_of=HEAD)
    try:
        return Story(work_id=work, as_of=Ordinal.parse(after)) if work else _head(name)
    except ValueError:
        return _head(name)


def _head(work: str) -> Story:
    from contracts.requests import Story

    return Story(work_id=work, as_of=told(None))


async def _compared(common: Common, a: Story | ExportFile, b: Story | ExportFile) -> CompareReport:
    """Ask the home, unless both are files."""
    from contracts.requests import ExportFile, TwoTrees

    if isinstance(a, ExportFile) and isinstance(b, ExportFile):
        from streams import comparing_trees
        from streams.export_file import read_export

        return comparing_trees.compare(read_export(a.export), read_export(b.export))

    from streams.operations import COMPARE

    async with connected(common.settings(), common) as index:
        return await index.call(COMPARE, TwoTrees(a=a, b=b))
