"""Sentences of a passage, found again in its chapter's text at the time of a question."""

from __future__ import annotations

import re
from typing import Final

from contracts.frozen import Span
from processors.background import primary
from processors.sentences import find_sentences

_BLANK_LINE: Final = re.compile(r"\n[^\S\n]*\n")


def sentences_within(text: str, start: int, end: int, language: str) -> tuple[Span, ...]:
    """Return the spans of the sentences of `text[start:end]`, counted in `text`.

    A passage is whole sentences of its chapter, so these are the chapter's own, but where a
    sentence's cut hangs on what stands before or after the passage.
    """
    paragraphs = []
    for part in _parts(text, start, end):
        piece = text[part.start : part.end]
        if piece.strip():
            left = part.start + len(piece) - len(piece.lstrip())
            paragraphs.append((left, left + len(piece.strip())))
    return find_sentences(text, paragraphs, primary(language)).spans


def _parts(text: str, start: int, end: int) -> list[Span]:
    parts = []
    for blank in _BLANK_LINE.finditer(text, start, end):
        parts.append(Span(start=start, end=blank.start()))
        start = blank.end()
    return [*parts, Span(start=start, end=end)]
