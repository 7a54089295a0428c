"""What led to an answer, as a person reads it: `ask --explain`."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from contracts.explanations import ExplainedAnswer, Explanation, ModelCall, Round
from streams.cli.rendering import answer_shown


def explained_shown(explained: ExplainedAnswer) -> RenderableType:
    """Show an answer, then the rounds that led to it, one line a fact."""
    lines = [Text(line) for line in _lines(explained.explanation, explained)]
    return Group(
        answer_shown(explained.answer),
        Text("\nHow it was found", style="bold"),
        Padding(Group(*lines), (0, 0, 0, 2)),
    )


def _lines(told: Explanation, explained: ExplainedAnswer) -> Iterator[str]:
    yield f"strategy {told.strategy}, {f'model {told.model}' if told.model else 'no model'}"
    if told.map is not None:
        shown = "whole" if told.map.whole else f"{told.map.shown} of its scenes shown"
        yield f"map of {told.map.scenes} scenes, {shown}, at most {told.map.tokens} tokens"
    for number, each in enumerate(told.rounds, start=1):
        yield from _round(number, each)
    yield from (f"last question: {_call(call)}" for call in told.concluding)
    channels = dict.fromkeys(passage.channel for passage in told.evidence)
    spent = explained.answer.spent
    yield (
        f"evidence: {len(told.evidence)} passages, {spent.evidence_words} words, "
        f"found by {', '.join(channels) or 'nothing'}"
    )
    if told.dropped_quotes:
        yield f"quotes that stand nowhere in it, and were dropped: {told.dropped_quotes}"
    yield f"ended: {told.ended}"
    if told.fell_back:
        yield f"answered without the model, since: {told.fell_back}"
    yield (
        f"spent: {spent.rounds} rounds, {spent.searches} searches, {spent.model_calls} calls, "
        f"{spent.tokens} tokens, {told.timing.seconds:.1f} s"
    )


def _round(number: int, told: Round) -> Iterator[str]:
    query = f" for “{told.query}”" if told.query else ""
    yield f"round {number}, by {told.by}{query}"
    for call in told.calls:
        yield f"  {_call(call)}"
    for scene in told.scenes:
        yield f"  scene {scene.number}, chapter {scene.ordinal}: {scene.title}"
    for storyline in told.opened:
        yield f"  opened {storyline.name}: {storyline.title}"
    if told.dropped:
        yield f"  named, but not on the map: {told.dropped}"


def _call(call: ModelCall) -> str:
    return (
        f"{call.purpose}: map {call.map_tokens}, rest {call.other_tokens} tokens at most; "
        f"read {call.input_tokens}, written {call.output_tokens}; {call.outcome}"
    )
