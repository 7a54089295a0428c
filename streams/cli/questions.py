"""`ask` and `search`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from streams.cli import options
from streams.cli.options import Common, told
from streams.cli.showing import show

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contracts.ordinals import Ordinal
    from contracts.requests import Question

Limits: TypeAlias = "Mapping[str, int | float | None]"

Asked = Annotated[
    str, typer.Argument(metavar="QUESTION", help="In plain words.", show_default=False)
]


def ask(
    work: options.Work,
    question: Asked,
    as_of: options.AsOf = None,
    words: options.Words = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say too what was looked at, and why.")
    ] = False,
    rounds: options.Rounds = None,
    scenes: options.Scenes = None,
    map_tokens: options.MapTokens = None,
    model_calls: options.ModelCalls = None,
    tokens: options.Tokens = None,
    seconds: options.Seconds = None,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Answer a question from the story, with citations.

    What the story as of chapter N does not say is not answered, and nothing later is told. Where a
    language model is set, it reads the story's map and the passages that it chooses, within the
    limits given here.

    Example: storygraft ask treasure-island "Who gave Billy Bones the black spot?" --as-of 5
    """
    from streams.cli.explaining import explained_shown
    from streams.cli.rendering import answer_shown
    from streams.operations import ASK, EXPLAIN

    common = Common(home, config, debug, json)
    limits: Limits = {
        "rounds": rounds,
        "scenes": scenes,
        "map_tokens": map_tokens,
        "model_calls": model_calls,
        "tokens": tokens,
        "seconds": seconds,
    }

    def request() -> Question:
        return _request(common, work, question, as_of, words, limits)

    if explain:
        show(common, EXPLAIN, request, explained_shown)
    else:
        show(common, ASK, request, answer_shown)


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
    common: Common,
    work: str,
    question: str,
    as_of: Ordinal | None,
    words: int | None,
    limits: Limits | None = None,
) -> Question:
    from contracts.budgets import Budget
    from contracts.requests import Question

    given = {name: limit for name, limit in (limits or {}).items() if limit is not None}
    return Question(
        work_id=work,
        question=question,
        as_of=told(as_of),
        words=common.settings(words=words).words,
        budget=Budget.model_validate(given),
    )
