"""`ask` and `search`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import typer

from streams.cli import options
from streams.cli.exit_codes import ExitCode
from streams.cli.options import Common, told
from streams.cli.running import connected, run

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import RenderableType

    from contracts.answers import Answer, SearchResult
    from contracts.ordinals import Ordinal
    from contracts.requests import Question
    from streams.operations import Operation

A = TypeVar("A", "Answer", "SearchResult")

Asked = Annotated[
    str, typer.Argument(metavar="QUESTION", help="In plain words.", show_default=False)
]


def ask(
    work: options.Work,
    question: Asked,
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
    from streams.cli.rendering import answer_shown
    from streams.operations import ASK

    common = Common(home, config, debug, json)
    _show(common, ASK, lambda: _request(common, work, question, as_of, words), answer_shown)


def search(
    work: options.Work,
    question: Asked,
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
    from streams.cli.rendering import search_shown
    from streams.operations import SEARCH

    common = Common(home, config, debug, json)
    _show(common, SEARCH, lambda: _request(common, work, question, as_of, words), search_shown)


def _request(
    common: Common, work: str, question: str, as_of: Ordinal | None, words: int | None
) -> Question:
    from contracts.requests import Question

    words = common.settings(words=words).words
    return Question(work_id=work, question=question, as_of=told(as_of), words=words)


def _show(
    common: Common,
    operation: Operation[Question, A],
    request: Callable[[], Question],
    shown: Callable[[A], RenderableType],
) -> None:
    """Print what is found in a work as of an ordinal."""

    async def command() -> ExitCode:
        from streams.cli.output import out, print_json

        asked = request()
        async with connected(common.settings(), common) as index:
            found = await index.call(operation, asked)
        _say_as_of(asked.as_of, found.as_of)
        if common.json:
            print_json(found)
        else:
            out.print(shown(found))
        return ExitCode.OK

    run(command, common)


def _say_as_of(asked: Ordinal | Literal["head"], bound: Ordinal) -> None:
    """Say what "now" is, since nobody said."""
    from streams.cli.output import print_note

    if asked == "head":
        print_note(f"As of chapter {bound}, the newest; --as-of N asks as of an earlier one.")
