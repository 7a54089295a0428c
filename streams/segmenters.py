"""Which segmenter the settings choose, and what it would cost.

As in `streams.wiring`, models are imported where they are made.
"""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from contracts.chat import Chat
from contracts.ports import Segmenter, TextEmbedder
from processors.remembering import Payer
from streams.caps import at_the_door
from streams.settings import Settings

if TYPE_CHECKING:
    from contracts.reports import EstimateReport
    from processors.litseg import LitSeg, LitSegLite
    from streams.inputs.values import ChapterInput, EventInput


def open_segmenter(
    settings: Settings, embedder: TextEmbedder, payer: Payer, chat: Chat | None
) -> Segmenter:
    """Return the segmenter that the settings choose; those that ask a model need `chat`."""
    if chat is None or settings.chosen_segmenter == "cohesion":
        from processors.cohesion import CohesionSegmenter

        return at_the_door(CohesionSegmenter(embedder), payer)
    if settings.chosen_segmenter == "litseg":
        return open_teacher(settings, payer, chat)
    return open_student(settings, payer, chat)


def open_student(settings: Settings, payer: Payer, chat: Chat) -> LitSegLite:
    """Return LitSeg-Lite."""
    from processors.litseg import Limits, LitSegLite

    limits = Limits(settings.model_context, settings.segment_attempts)
    return LitSegLite(chat, payer, settings.sampling, limits)


def open_teacher(settings: Settings, payer: Payer, chat: Chat) -> LitSeg:
    """Return LitSeg."""
    from processors.litseg import Limits, LitSeg

    limits = Limits(settings.model_context, settings.segment_attempts)
    return LitSeg(chat, payer, settings.teacher_sampling, limits)


async def estimated(settings: Settings, given: ChapterInput | EventInput) -> EstimateReport:
    """Return what segmenting `given` will cost under `settings`.

    Raises:
        UnusableInput: an event file cannot be read to its end.
        TransientError: the memo cannot be reached, or the model's context is too small.
    """
    from processors.sif import SifEmbedder
    from streams.estimating import Estimator, no_count, published_of
    from streams.wiring import open_chat, open_memo

    async with AsyncExitStack() as stack:
        memo = open_memo(settings)
        stack.push_async_callback(memo.close)
        chat = open_chat(settings)
        if chat is not None:
            stack.push_async_callback(chat.close)
        segmenter = open_segmenter(settings, SifEmbedder(), Payer(memo), chat)
        count = no_count if chat is None else chat.count_tokens
        estimator = Estimator(segmenter, settings.model_name, memo, count)
        return await estimator.estimate(published_of(given))
