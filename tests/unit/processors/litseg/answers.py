"""Answers made by hand, and what the rules make of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from contracts.chat import ChatAnswer, Finish, Sampling
from contracts.scenes import ChapterText
from graph.memory import MemoryMemo
from processors.coverage import Covered, repair
from processors.litseg import Limits, LitSegLite
from processors.remembering import Payer
from tests.unit.processors.talker import Talker

CONTEXT = 32_768


def block(first: object, last: object, context: Sequence[object] = (), **more: Any) -> Any:
    return {
        "subtitle": f"{first}-{last}",
        "from_idx": first,
        "to_idx": last,
        "context_idx": list(context),
        "significance": "It turns.",
    } | more


def answer(*blocks: Any, **more: Any) -> dict[str, Any]:
    """Return an answer of these segments; a pair of numbers stands for a segment."""
    segments = [block(*each) if isinstance(each, tuple) else each for each in blocks]
    told = ("events", "identities", "threads", "turning_points")
    return {**{part: [] for part in told}, "segments": segments} | more


def papers(*blocks: Any) -> dict[str, Any]:
    """Return an answer in the form that the paper's own models were trained on."""
    return {
        "step1": {"step_1_events": "Somebody leaves; somebody comes back."},
        "step2": {"step_2_threads": "One thread."},
        "step3": {
            "chapter_title": "I",
            "step_3_turning_points": [{"type": "opportunity", "description": "A letter."}],
            "segments": [
                {"subtitle": "It begins", "from_idx": first, "to_idx": last, "context_idx": []}
                for first, last in blocks
            ],
        },
    }


def said(told: object) -> ChatAnswer:
    """Return what a model says: text as it is, anything else as JSON."""
    if isinstance(told, ChatAnswer):
        return told
    text = told if isinstance(told, str) else json.dumps(told)
    return ChatAnswer(text, Finish.STOP, input_tokens=100, output_tokens=10)


def unfit(finish: Finish, told: object = "") -> ChatAnswer:
    return ChatAnswer(said(told).text, finish, input_tokens=100, output_tokens=10)


def lite(answers: Sequence[object], attempts: int | None = None) -> LitSegLite:
    """Return LitSeg-Lite over a model that gives `answers`, all of which may be asked for."""
    talker = Talker([said(each) for each in answers])
    return LitSegLite(
        talker, Payer(MemoryMemo()), Sampling(), Limits(CONTEXT, attempts or len(answers))
    )


async def covered(chapter: ChapterText, answers: Sequence[object]) -> Covered:
    return repair(chapter, await lite(answers).segment(chapter))
