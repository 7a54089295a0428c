"""`tree`, `threads`, `thread`, `characters`, `character` and `export`: the tree as of a chapter."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from streams.cli import options
from streams.cli.exit_codes import ExitCode
from streams.cli.options import Common
from streams.cli.running import opened, run

if TYPE_CHECKING:
    from rich.console import RenderableType

    from contracts.answers import Export
    from contracts.frozen import Frozen
    from contracts.ordinals import Ordinal

R = TypeVar("R", bound="Frozen")


def tree(
    work: options.Work,
    as_of: options.AsOf = None,
    depth: Annotated[
        int, typer.Option("--depth", metavar="D", min=1, help="Levels to show below the root.")
    ] = 3,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Show the storyline tree: groups, threads and arcs, with how many scenes each holds.

    Example: storygraft tree treasure-island --as-of 12 --depth 2
    """
    from streams import reading
    from streams.cli.rendering import tree_shown

    common = Common(home, config, debug, json)
    _show(common, (work, as_of), reading.tree, lambda found: tree_shown(found, depth))


def threads(
    work: options.Work,
    as_of: options.AsOf = None,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """List the plot threads, oldest first.

    Example: storygraft threads treasure-island
    """
    from streams import reading
    from streams.cli.rendering import threads_shown

    _show(Common(home, config, debug, json), (work, as_of), reading.threads, threads_shown)


def thread(
    work: options.Work,
    thread_id: Annotated[
        str,
        typer.Argument(metavar="ID", help="The thread's id, or its beginning.", show_default=False),
    ],
    as_of: options.AsOf = None,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Follow one plot thread, scene by scene.

    Example: storygraft thread treasure-island 3f2a
    """
    from streams import reading
    from streams.cli.rendering import thread_shown

    _show(
        Common(home, config, debug, json),
        (work, as_of),
        lambda export: reading.thread(export, thread_id),
        thread_shown,
    )


def characters(
    work: options.Work,
    as_of: options.AsOf = None,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """List the characters, those of most scenes first, under the names known by then.

    Example: storygraft characters treasure-island --as-of 7
    """
    from streams import reading
    from streams.cli.rendering import characters_shown

    _show(Common(home, config, debug, json), (work, as_of), reading.characters, characters_shown)


def character(
    work: options.Work,
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="A name, in any case of letters, or an id.", show_default=False
        ),
    ],
    as_of: options.AsOf = None,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Show one character: names, first and last chapter, companions, scenes.

    Example: storygraft character treasure-island "long john"
    """
    from streams import reading
    from streams.cli.rendering import character_shown

    _show(
        Common(home, config, debug, json),
        (work, as_of),
        lambda export: reading.character(export, name),
        character_shown,
    )


def export(
    work: options.Work,
    as_of: options.AsOf = None,
    text: Annotated[
        bool, typer.Option("--text", help="With the text that all spans count in.")
    ] = False,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Write the whole work as JSON: chapters, scenes, storylines, characters.

    Without --json it is indented, for reading.

    Example: storygraft export treasure-island --as-of 12 --text --json > island.json
    """
    common = Common(home, config, debug, json)

    async def command() -> ExitCode:
        from streams.cli.output import print_json, print_plain

        exported = await _export(common, work, as_of, with_text=text)
        if json:
            print_json(exported)
        else:
            print_plain(exported.model_dump_json(indent=2))
        return ExitCode.OK

    run(command, common)


def _show(
    common: Common,
    asked: tuple[str, Ordinal | None],
    cut: Callable[[Export], R],
    shown: Callable[[R], RenderableType],
) -> None:
    """Print what `cut` takes out of the export of a work as of an ordinal."""

    async def command() -> ExitCode:
        from streams.cli.output import out, print_json

        result = cut(await _export(common, *asked, with_text=False))
        if common.json:
            print_json(result)
        else:
            out.print(shown(result))
        return ExitCode.OK

    run(command, common)


async def _export(common: Common, work: str, as_of: Ordinal | None, *, with_text: bool) -> Export:
    from graph.exporting import export as exported

    async with opened(common.settings(), common) as opened_home:
        return await exported(await opened_home.view(work, as_of), with_text)
