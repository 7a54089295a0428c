"""Sentences of a passage, found again in its chapter's text at the time of a question."""

from __future__ import annotations

import re
from typing import Final

from contracts.frozen import Span
from processors.background import primary
from processors.sentences import Bounds, sentence_bounds

_BLANK_LINE: Final = re.compile(r"\n[^\S\n]*\n")


def sentences_within(text: str, start: int, end: int, language: str) -> tuple[Span, ...]:
    """Return the spans of the sentences of `text[start:end]`, counted in `text`.

    A passage is whole sentences of its chapter, so these are the chapter's own, but where a
    sentence's cut hangs on what stands before or after the passage.
    """
    return tuple(
        Span(start=first, end=after)
        for part in paragraphs_within(text, start, end)
        for first, after in bounds_in(text, part, language)
    )


def paragraphs_within(text: str, start: int, end: int) -> list[Bounds]:
    """Return what blank lines part `text[start:end]` into, untrimmed."""
    parts = []
    for blank in _BLANK_LINE.finditer(text, start, end):
        parts.append((start, blank.start()))
        start = blank.end()
    return [*parts, (start, end)]


def bounds_in(text: str, paragraph: Bounds, language: str) -> list[Bounds]:
    """Return the sentences of one of `paragraphs_within`, none if it is white."""
    start, end = paragraph
    piece = text[start:end].lstrip()
    trimmed = piece.rstrip()
    if not trimmed:
        return []
    left = end - len(piece)
    return sentence_bounds(text, (left, left + len(trimmed)), primary(language))
