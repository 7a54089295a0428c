"""Sentences of a chapter: spans that hold every code point of the story but white space."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from contracts.frozen import Span
from processors.full_stops import full_stops
from processors.sentence_ends import sentence_ends

# A sentence this long is no unit a model or a reader can point at. Of 167,000 sentences in 32
# novels four are longer.
_MAX_LENGTH: Final = 1_500
_MIN_PART: Final = 400
_CLAUSE_END: Final = re.compile(r"(?:[;:]|--)[\"'”’)]*\s+|[；：——、，]+|,[\"'”’)]*\s+")
_SPACE: Final = re.compile(r"\s+")
_WORD: Final = re.compile(r"\w")
# Code points that belong to the one before them: no cut stands before these.
_JOINED: Final = re.compile(r"[\u0300-\u036f\u200d\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]")


@dataclass(frozen=True, slots=True)
class Sentences:
    """Sentences in order, and the numbers (from 1) of those that open a paragraph."""

    spans: tuple[Span, ...]
    paragraph_starts: tuple[int, ...]


def find_sentences(text: str, paragraphs: Iterable[tuple[int, int]], language: str) -> Sentences:
    """Cut paragraphs (code points `[start, end)`, not empty, trimmed) into sentences.

    The spans are trimmed of white space, lie in order, do not overlap and hold every other
    code point of the paragraphs. `language` is a primary subtag; `und` is read like English.
    """
    stops = full_stops(language)
    spans: list[Span] = []
    opens: list[int] = []
    for start, end in paragraphs:
        opens.append(len(spans) + 1)
        cuts = _merged(text, start, end, sentence_ends(text, start, end, stops))
        for first, cut in pairwise([start, *cuts]):
            spans.extend(_spans(text, first, cut))
    return Sentences(tuple(spans), tuple(opens))


def _merged(text: str, start: int, end: int, cuts: Iterable[int]) -> Sequence[int]:
    """Return the ends of pieces that hold a word each; the last is `end`.

    A piece of marks alone goes with the one before it, the first with the one after it.
    """
    kept: list[int] = []
    for cut in cuts:
        if _WORD.search(text, start, cut):
            kept.append(cut)
            start = cut
        elif kept:
            kept[-1] = start = cut
    if kept and not _WORD.search(text, start, end):
        kept.pop()
    kept.append(end)
    return kept


def _spans(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the sentence `[start, end)` trimmed, in parts if it is too long."""
    while end - start > _MAX_LENGTH:
        cut = _clause_cut(text, start, end)
        yield from _trimmed(text, start, cut)
        start = cut
    yield from _trimmed(text, start, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    right = len(piece.rstrip())
    if left < right:
        yield Span(start=start + left, end=start + right)


def _clause_cut(text: str, start: int, end: int) -> int:
    """Return where to cut a sentence that is too long: a clause mark, a space, or anywhere."""
    parts = -(-(end - start) // _MAX_LENGTH)
    high = start + max((end - start) // parts, _MIN_PART)
    low = start + _MIN_PART // 2
    for pattern in (_CLAUSE_END, _SPACE):
        ends = [match.end() for match in pattern.finditer(text, low, high)]
        if ends:
            return ends[-1]
    cut = high
    while cut > low and _JOINED.match(text, cut):
        cut -= 1
    return cut if cut > low else high
