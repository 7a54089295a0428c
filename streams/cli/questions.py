"""`ask` and `search`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from streams.cli import options
from streams.cli.options import Common, told
from streams.cli.showing import show

if TYPE_CHECKING:
    from contracts.ordinals import Ordinal
    from contracts.requests import Question

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
    show(common, ASK, lambda: _request(common, work, question, as_of, words), answer_shown)


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
    show(common, SEARCH, lambda: _request(common, work, question, as_of, words), search_shown)


def _request(
    common: Common, work: str, question: str, as_of: Ordinal | None, words: int | None
) -> Question:
    from contracts.requests import Question

    words = common.settings(words=words).words
    return Question(work_id=work, question=question, as_of=told(as_of), words=words)
