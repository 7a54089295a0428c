"""A passage taken apart into its sentences: what every question wants to know of it anew.

Passages that were read lately are remembered by their text, so that the next question on the same
story need not cut them again. A passage says nothing but itself: nothing can leak this way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from contracts.words import counts_within
from processors.background import primary
from processors.passage_sentences import bounds_in, paragraphs_within
from processors.sentences import Bounds
from processors.sif import units_within
from processors.speech import quoted_spans

_REMEMBERED: Final = 4_096  # passages of some 10 kB each: four long novels
_CLOSING_MARKS: Final = "\"”’'»」』)） "
_QUESTION_MARKS: Final = ("?", "？")


class ReadSentence(NamedTuple):
    """A sentence, `[start, end)` of its passage's text.

    `units` are its words as the static vectors know them, repeats too. `spoken` is the share
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
    paragraphs = paragraphs_within(passage, 0, len(passage))
    quoted = [quote for each in paragraphs for quote in _quoted(passage, each)]
    bounds = [sentence for each in paragraphs for sentence in bounds_in(passage, each, language)]
    units = units_within(passage, bounds, primary(language))
    counts = counts_within(passage, bounds)
    return tuple(
        ReadSentence(
            start,
            end,
            words,
            tuple(spoken),
            _share_within(quoted, start, end),
            passage[start:end].rstrip(_CLOSING_MARKS).endswith(_QUESTION_MARKS),
        )
        for (start, end), words, spoken in zip(bounds, counts, units, strict=True)
    )


def _share_within(quoted: Sequence[Bounds], start: int, end: int) -> float:
    inside = [
        min(after, end) - max(at, start) for at, after in quoted if at < end and after > start
    ]
    return sum(inside) / (end - start)


def _quoted(passage: str, paragraph: Bounds) -> Iterator[Bounds]:
    """Yield what is spoken in a paragraph, as code points of its passage."""
    start, end = paragraph
    for first, after in quoted_spans(passage[start:end]):
        yield start + first, start + after
