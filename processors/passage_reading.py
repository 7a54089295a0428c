"""A passage taken apart into its sentences: what every question wants to know of it anew.

Passages that were read lately are remembered by their text, so that the next question on the same
story need not cut them again. A passage says nothing but itself: nothing can leak this way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from sys import intern
from typing import Final

from contracts.words import count_words
from processors.background import primary
from processors.passage_sentences import sentences_within
from processors.sif import units_of
from processors.speech import quoted_spans

_REMEMBERED: Final = 4_096  # passages of some 4 kB each: four long novels
_CLOSING_MARKS: Final = "\"”’'»」』)） "
_QUESTION_MARKS: Final = ("?", "？")
_BLANK_LINE: Final = re.compile(r"\n[^\S\n]*\n")


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """A sentence, `[start, end)` of its passage's text.

    `units` are its words as the static vectors know them, repeats together. `spoken` is the share
    of it that stands in quotation marks; `asks` says whether it ends as a question.
    """

    start: int
    end: int
    words: int
    units: tuple[str, ...]
    spoken: float
    asks: bool


@lru_cache(maxsize=_REMEMBERED)
def read_passage(passage: str, language: str) -> tuple[ReadSentence, ...]:
    """Return the sentences of a passage's text, in order."""
    quoted = list(_quoted(passage))
    sentences = []
    for span in sentences_within(passage, 0, len(passage), language):
        text = passage[span.start : span.end]
        inside = sum(max(0, min(end, span.end) - max(at, span.start)) for at, end in quoted)
        sentences.append(
            ReadSentence(
                start=span.start,
                end=span.end,
                words=count_words(text),
                units=tuple(map(intern, units_of(text, primary(language)).elements())),
                spoken=inside / (span.end - span.start),
                asks=text.rstrip(_CLOSING_MARKS).endswith(_QUESTION_MARKS),
            )
        )
    return tuple(sentences)


def _quoted(passage: str) -> Iterator[tuple[int, int]]:
    """Yield what is spoken, read paragraph by paragraph."""
    start = 0
    for blank in _BLANK_LINE.finditer(passage):
        yield from _quoted_within(passage, start, blank.start())
        start = blank.end()
    yield from _quoted_within(passage, start, len(passage))


def _quoted_within(passage: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for first, after in quoted_spans(passage[start:end]):
        yield start + first, start + after
