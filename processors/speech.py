"""What stands in quotation marks."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate, pairwise
from typing import Final

from contracts.scenes import ChapterText

# Each part begins with its mark, which lets the search pass over all else at once.
_QUOTED: Final = re.compile(
    r"“[^”“»«„]*[”“»]?|„[^”“»«„]*[”“»]?|«[^”“»«„]*[”“»]?"
    r"|\"[^\"]*\"?|「[^」]*」?|『[^』]*』?|»[^«]*«?"
)
_OPENERS: Final = '“„«"「『»'
_OPENS_SPEECH: Final = re.compile(r"\s*[‘'—–―-]")


def quoted_spans(paragraph: str) -> list[tuple[int, int]]:
    """Return what is spoken in a paragraph: spans with their quotation marks, in order.

    An unclosed quotation runs to the end. A paragraph that opens with a dash or a single quote
    is spoken as a whole: elsewhere these are hyphens and apostrophes.
    """
    if _OPENS_SPEECH.match(paragraph):
        return [(0, len(paragraph))]
    if not any(mark in paragraph for mark in _OPENERS):
        return []
    return [match.span() for match in _QUOTED.finditer(paragraph)]


def speech_share(paragraph: str) -> float:
    """Return the share of a paragraph's code points that is spoken, 0 to 1."""
    return sum(end - start for start, end in quoted_spans(paragraph)) / max(1, len(paragraph))


def sentence_shares(chapter: ChapterText, first: int, last: int) -> list[float]:
    """Return which share of each of the sentences `first` to `last` is spoken, 0 to 1.

    Quotation marks are matched within paragraphs: most spoken sentences have none of their own.
    """
    starts = chapter.paragraph_starts
    inside = starts[bisect_right(starts, first) : bisect_right(starts, last)]
    return [
        share
        for start, after in pairwise([first, *inside, last + 1])
        for share in _paragraph_shares(chapter, start, after - 1)
    ]


def _paragraph_shares(chapter: ChapterText, first: int, last: int) -> list[float]:
    sentences = chapter.sentences[first - 1 : last]
    origin = sentences[0].start
    quoted = quoted_spans(chapter.text[origin : sentences[-1].end])
    opened = [start for start, _ in quoted]
    spoken = [0, *accumulate(end - start for start, end in quoted)]

    def spoken_before(offset: int) -> int:
        nth = bisect_right(opened, offset)
        return spoken[nth] - max(0, quoted[nth - 1][1] - offset) if nth else 0

    return [
        (spoken_before(span.end - origin) - spoken_before(span.start - origin))
        / max(1, span.end - span.start)
        for span in sentences
    ]
