"""`tree`, `threads`, `thread`, `characters`, `character` and `export`: the tree as of a chapter."""

from __future__ import annotations

from typing import Annotated

import typer

from streams.cli import options
from streams.cli.exit_codes import ExitCode
from streams.cli.options import Common, told
from streams.cli.running import connected, run
from streams.cli.showing import show


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
    show(common, TREE, lambda: asked, lambda found: tree_shown(found, depth))


def threads(
    work: options.Work,
    as_of: options.AsOf = None,
    limit: options.Limit = options.PAGE,
    after: options.After = None,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """List the plot threads, oldest first.

    Example: storygraft threads treasure-island
    """
    from contracts.requests import Page
    from streams.cli.rendering import threads_shown
    from streams.operations import THREADS

    asked = Page(work_id=work, as_of=told(as_of), limit=limit, after=after)
    show(Common(home, config, debug, json), THREADS, lambda: asked, threads_shown)


def thread(
    work: options.Work,
    thread_id: Annotated[
        str,
        typer.Argument(metavar="ID", help="The thread's id, or its beginning.", show_default=False),
    ],
    as_of: options.AsOf = None,
    limit: options.Limit = options.PAGE,
    after: options.After = None,
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

    asked = OneThread(work_id=work, as_of=told(as_of), thread=thread_id, limit=limit, after=after)
    show(Common(home, config, debug, json), THREAD, lambda: asked, thread_shown)


def characters(
    work: options.Work,
    as_of: options.AsOf = None,
    limit: options.Limit = options.PAGE,
    after: options.After = None,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """List the characters, those of most scenes first, under the names known by then.

    Example: storygraft characters treasure-island --as-of 7
    """
    from contracts.requests import Page
    from streams.cli.rendering import characters_shown
    from streams.operations import CHARACTERS

    asked = Page(work_id=work, as_of=told(as_of), limit=limit, after=after)
    show(Common(home, config, debug, json), CHARACTERS, lambda: asked, characters_shown)


def character(
    work: options.Work,
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="A name, in any case of letters, or an id.", show_default=False
        ),
    ],
    as_of: options.AsOf = None,
    limit: options.Limit = options.PAGE,
    after: options.After = None,
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

    asked = OneCharacter(work_id=work, as_of=told(as_of), character=name, limit=limit, after=after)
    show(Common(home, config, debug, json), CHARACTER, lambda: asked, character_shown)


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
