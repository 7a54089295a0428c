"""`ask` and `search`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, TypeAlias, TypeVar

import typer

from streams.cli import options
from streams.cli.exit_codes import ExitCode
from streams.cli.options import Common
from streams.cli.running import opened, run

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from rich.console import RenderableType

    from contracts.answers import Gap
    from contracts.frozen import Frozen
    from contracts.ordinals import Ordinal
    from contracts.ports import StoryView
    from streams.session import Home

R = TypeVar("R", bound="Frozen")
Find: TypeAlias = "Callable[[StoryView, str, int, Sequence[Gap]], Awaitable[R]]"


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the command line asks."""

    work: str
    question: str
    as_of: Ordinal | None
    words: int | None


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
    from streams.cli.rendering import answer_shown

    common = Common(home, config, debug, json)
    asked = _Asked(work, question, as_of, words)
    _show(common, asked, lambda opened_home: opened_home.answerer.answer, answer_shown)


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
    from streams.cli.rendering import search_shown

    common = Common(home, config, debug, json)
    asked = _Asked(work, question, as_of, words)
    _show(common, asked, lambda opened_home: opened_home.retriever.search, search_shown)


def _show(
    common: Common,
    asked: _Asked,
    finder: Callable[[Home], Find[R]],
    shown: Callable[[R], RenderableType],
) -> None:
    """Print what is found in a work as of an ordinal."""

    async def command() -> ExitCode:
        from streams.cli.output import out, print_json

        settings = common.settings(words=asked.words)
        async with opened(settings, common) as opened_home:
            view = await opened_home.view(asked.work, asked.as_of)
            _say_as_of(asked.as_of, view.as_of)
            gaps = await opened_home.gaps.as_of(view.work_id, view.as_of)
            found = await finder(opened_home)(view, asked.question, settings.words, gaps)
        if common.json:
            print_json(found)
        else:
            out.print(shown(found))
        return ExitCode.OK

    run(command, common)


def _say_as_of(asked: Ordinal | None, bound: Ordinal) -> None:
    """Say what "now" is, since nobody said."""
    from streams.cli.output import print_note

    if asked is None:
        print_note(f"As of chapter {bound}, the newest; --as-of N asks as of an earlier one.")
