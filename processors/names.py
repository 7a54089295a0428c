"""Names of persons in a chapter, and where the text itself says that two are one person."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from contracts.scenes import ChapterText, Mention
from processors.background import primary
from processors.identity_statements import stated_identities
from processors.last_result import remembering_last
from processors.name_capitals import NamedSpot, named_by_capitals
from processors.name_cjk import named_in_chinese, named_in_japanese


def find_mentions(
    chapter: ChapterText, ranges: Sequence[tuple[int, int]]
) -> tuple[tuple[Mention, ...], ...]:
    """Return the names of persons in each range of sentences, most mentioned first.

    Ranges are sentence numbers from 1, both ends included. What is a name is decided by this
    chapter alone, whatever the ranges.
    """
    named = _named(chapter)
    return tuple(_mentions(_within(chapter, named, first, last)) for first, last in ranges)


def find_identities(
    chapter: ChapterText, ranges: Sequence[tuple[int, int]]
) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Return, for each range, the pairs of names that one sentence says are one person's.

    Each pair once, in the order of the text, the names as in `find_mentions`.
    """
    named = _named(chapter)
    return tuple(
        tuple(
            dict.fromkeys(
                pair
                for number in range(first, last + 1)
                for pair in _stated(chapter, named, number)
            )
        )
        for first, last in ranges
    )


@remembering_last
def _named(chapter: ChapterText) -> tuple[NamedSpot, ...]:
    language = primary(chapter.language)
    if language == "zh":
        return named_in_chinese(chapter)
    if language == "ja":
        return named_in_japanese(chapter)
    return named_by_capitals(chapter, language)


def _within(
    chapter: ChapterText, named: Sequence[NamedSpot], first: int, last: int
) -> Sequence[NamedSpot]:
    start, end = chapter.sentences[first - 1].start, chapter.sentences[last - 1].end
    low = bisect_left(named, start, key=lambda spot: spot.start)
    return named[low : bisect_left(named, end, key=lambda spot: spot.start)]


def _mentions(named: Sequence[NamedSpot]) -> tuple[Mention, ...]:
    counts = Counter(spot.name for spot in named)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Mention(name=name, count=count) for name, count in ordered)


def _stated(
    chapter: ChapterText, named: Sequence[NamedSpot], number: int
) -> tuple[tuple[str, str], ...]:
    here = _within(chapter, named, number, number)
    if len(here) < 2:
        return ()
    span = chapter.sentences[number - 1]
    return tuple(stated_identities(chapter.text, span.start, span.end, here))
