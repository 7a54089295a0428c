"""`path` and `timeline`: who is linked with whom, and what comes when."""

from __future__ import annotations

from typing import Annotated

import typer

from contracts.ordinals import Ordinal
from streams.cli import options
from streams.cli.options import Common, parse_ordinal, told
from streams.cli.showing import show


def path(
    work: options.Work,
    a: Annotated[str, typer.Argument(metavar="A", help="A name or id.", show_default=False)],
    b: Annotated[str, typer.Argument(metavar="B", help="Another.", show_default=False)],
    as_of: options.AsOf = None,
    scenes: Annotated[
        int,
        typer.Option(
            "--scenes", metavar="S", min=1, max=100, help="How many scenes to show of each link."
        ),
    ] = 3,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Show how two characters are linked: the shortest chain of people who are together.

    Who is revealed to be somebody else is linked with that one, from the revealing chapter on.

    Example: storygraft path treasure-island "Black Dog" "Ben Gunn" --as-of 15
    """
    from contracts.requests import TwoCharacters
    from streams.cli.following_shown import path_shown
    from streams.operations import PATH

    asked = TwoCharacters(work_id=work, as_of=told(as_of), one=a, other=b, scenes=scenes)
    show(Common(home, config, debug, json), PATH, lambda: asked, path_shown)


def timeline(
    work: options.Work,
    as_of: options.AsOf = None,
    character: Annotated[
        str | None,
        typer.Option("--character", metavar="NAME", help="Only scenes with this character."),
    ] = None,
    thread: Annotated[
        str | None,
        typer.Option("--thread", metavar="ID", help="Only scenes of this thread."),
    ] = None,
    first: Annotated[
        Ordinal | None,
        typer.Option("--from", metavar="N", parser=parse_ordinal, help="From chapter N on."),
    ] = None,
    last: Annotated[
        Ordinal | None,
        typer.Option("--to", metavar="N", parser=parse_ordinal, help="Up to chapter N."),
    ] = None,
    limit: options.Limit = options.PAGE,
    after: options.After = None,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """List chapters and scenes in story order: who is there, whose thread, who is new.

    Example: storygraft timeline treasure-island --character "Ben Gunn" --to 20
    """
    if character is not None and thread is not None:
        raise typer.BadParameter("give --character or --thread, not both")
    from contracts.requests import Timeline
    from streams.cli.following_shown import timeline_shown
    from streams.operations import TIMELINE

    asked = Timeline(
        work_id=work,
        as_of=told(as_of),
        character=character,
        thread=thread,
        first=first,
        last=last,
        limit=limit,
        after=after,
    )
    show(Common(home, config, debug, json), TIMELINE, lambda: asked, timeline_shown)
