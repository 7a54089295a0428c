"""Which segmenter the settings choose.

As in `streams.wiring`, models are imported where they are made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from contracts.chat import Chat
from contracts.ports import Segmenter, TextEmbedder
from processors.remembering import Payer
from streams.caps import at_the_door
from streams.settings import Settings

if TYPE_CHECKING:
    from processors.litseg import LitSeg, LitSegLite


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
