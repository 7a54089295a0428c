"""`ask` and `search`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from streams.cli import options
from streams.cli.exit_codes import ExitCode
from streams.cli.options import Common
from streams.cli.running import opened, run

if TYPE_CHECKING:
    from contracts.ordinals import Ordinal

Question = Annotated[
    str, typer.Argument(metavar="QUESTION", help="In plain words.", show_default=False)
]


def ask(
    work: options.Work,
    question: Question,
    as_of: options.AsOf = None,
    words: options.Words = None,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Answer a question from the story, with citations.

    What the story as of chapter N does not say is not answered, and nothing later is told.

    Example: storygraft ask treasure-island "Who gave Billy Bones the black spot?" --as-of 5
    """
    common = Common(home, config, debug, json)

    async def command() -> ExitCode:
        from streams.cli.output import out, print_json
        from streams.cli.rendering import answer_shown

        settings = common.settings(words=words)
        async with opened(settings, common) as opened_home:
            view = await opened_home.view(work, as_of)
            _say_as_of(as_of, view.as_of)
            gaps = await opened_home.gaps.as_of(view.work_id, view.as_of)
            answer = await opened_home.answerer.answer(view, question, settings.words, gaps)
        if json:
            print_json(answer)
        else:
            out.print(answer_shown(answer))
        return ExitCode.OK

    run(command, common)


def search(
    work: options.Work,
    question: Question,
    as_of: options.AsOf = None,
    words: options.Words = None,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Find the passages that bear on a question, best first, grouped by scene.

    Example: storygraft search treasure-island "the apple barrel" --words 500
    """
    common = Common(home, config, debug, json)

    async def command() -> ExitCode:
        from streams.cli.output import out, print_json
        from streams.cli.rendering import search_shown

        settings = common.settings(words=words)
        async with opened(settings, common) as opened_home:
            view = await opened_home.view(work, as_of)
            _say_as_of(as_of, view.as_of)
            gaps = await opened_home.gaps.as_of(view.work_id, view.as_of)
            result = await opened_home.retriever.search(view, question, settings.words, gaps)
        if json:
            print_json(result)
        else:
            out.print(search_shown(result))
        return ExitCode.OK

    run(command, common)


def _say_as_of(asked: Ordinal | None, bound: Ordinal) -> None:
    """Say what "now" is, since nobody said."""
    from streams.cli.output import print_note

    if asked is None:
        print_note(f"As of chapter {bound}, the newest; --as-of N asks as of an earlier one.")
