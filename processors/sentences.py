"""Sentences of a chapter: spans that hold every code point of the story but white space."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

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


Bounds: TypeAlias = tuple[int, int]
"""Code points `[start, end)` of a text."""


@dataclass(frozen=True, slots=True)
class Sentences:
    """Sentences in order, and the numbers (from 1) of those that open a paragraph."""

    spans: tuple[Span, ...]
    paragraph_starts: tuple[int, ...]


def find_sentences(text: str, paragraphs: Iterable[Bounds], language: str) -> Sentences:
    """Cut paragraphs (code points `[start, end)`, not empty, trimmed) into sentences.

    The spans are trimmed of white space, lie in order, do not overlap and hold every other
    code point of the paragraphs. `language` is a primary subtag; `und` is read like English.
    """
    bounds: list[Bounds] = []
    opens: list[int] = []
    for paragraph in paragraphs:
        opens.append(len(bounds) + 1)
        bounds += sentence_bounds(text, paragraph, language)
    return Sentences(tuple(Span(start=start, end=end) for start, end in bounds), tuple(opens))


def sentence_bounds(text: str, paragraph: Bounds, language: str) -> list[Bounds]:
    """Cut one paragraph as `find_sentences` does."""
    start, end = paragraph
    bounds: list[Bounds] = []
    cuts = _merged(text, start, end, sentence_ends(text, start, end, full_stops(language)))
    for cut in cuts:
        if cut - start > _MAX_LENGTH:
            bounds += _parts(text, start, cut)
        else:
            bounds += _trimmed(text, start, cut)
        start = cut
    return bounds


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


def _parts(text: str, start: int, end: int) -> Iterator[Bounds]:
    """Yield a sentence that is too long in parts."""
    while end - start > _MAX_LENGTH:
        cut = _clause_cut(text, start, end)
        yield from _trimmed(text, start, cut)
        start = cut
    yield from _trimmed(text, start, end)


def _trimmed(text: str, start: int, end: int) -> tuple[Bounds, ...]:
    """Return `[start, end)` without the white space at its ends, nothing if it is all white."""
    piece = text[start:end].lstrip()
    trimmed = piece.rstrip()
    left = end - len(piece)
    return ((left, left + len(trimmed)),) if trimmed else ()


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
