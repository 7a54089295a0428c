"""`tree`, `threads`, `thread`, `characters`, `character` and `export`: the tree as of a chapter."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from streams.cli import options
from streams.cli.exit_codes import ExitCode
from streams.cli.options import Common, told
from streams.cli.running import connected, run

if TYPE_CHECKING:
    from rich.console import RenderableType

    from contracts.frozen import Frozen
    from streams.operations import Operation

Q = TypeVar("Q", bound="Frozen")
A = TypeVar("A", bound="Frozen")


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
    from contracts.requests import Story
    from streams.cli.rendering import tree_shown
    from streams.operations import TREE

    common = Common(home, config, debug, json)
    asked = Story(work_id=work, as_of=told(as_of))
    _show(common, TREE, asked, lambda found: tree_shown(found, depth))


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
    from contracts.requests import Story
    from streams.cli.rendering import threads_shown
    from streams.operations import THREADS

    asked = Story(work_id=work, as_of=told(as_of))
    _show(Common(home, config, debug, json), THREADS, asked, threads_shown)


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
    from contracts.requests import OneThread
    from streams.cli.rendering import thread_shown
    from streams.operations import THREAD

    asked = OneThread(work_id=work, as_of=told(as_of), thread=thread_id)
    _show(Common(home, config, debug, json), THREAD, asked, thread_shown)


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
    from contracts.requests import Story
    from streams.cli.rendering import characters_shown
    from streams.operations import CHARACTERS

    asked = Story(work_id=work, as_of=told(as_of))
    _show(Common(home, config, debug, json), CHARACTERS, asked, characters_shown)


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
    from contracts.requests import OneCharacter
    from streams.cli.rendering import character_shown
    from streams.operations import CHARACTER

    asked = OneCharacter(work_id=work, as_of=told(as_of), character=name)
    _show(Common(home, config, debug, json), CHARACTER, asked, character_shown)


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
        from contracts.requests import WholeStory
        from streams.cli.output import print_json, print_plain
        from streams.operations import EXPORT

        asked = WholeStory(work_id=work, as_of=told(as_of), text=text)
        async with connected(common.settings(), common) as index:
            exported = await index.call(EXPORT, asked)
        if json:
            print_json(exported)
        else:
            print_plain(exported.model_dump_json(indent=2))
        return ExitCode.OK

    run(command, common)


def _show(
    common: Common,
    operation: Operation[Q, A],
    asked: Q,
    shown: Callable[[A], RenderableType],
) -> None:
    """Print what the index says of a work as of an ordinal."""

    async def command() -> ExitCode:
        from streams.cli.output import out, print_json

        async with connected(common.settings(), common) as index:
            result = await index.call(operation, asked)
        if common.json:
            print_json(result)
        else:
            out.print(shown(result))
        return ExitCode.OK

    run(command, common)
