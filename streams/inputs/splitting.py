"""Cuts the text of a whole work at its chapter headings, past a table of contents.

Every part is a slice of the text, heading included: nothing is changed, nothing is left out
between two parts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from contracts.words import count_words
from streams.inputs.headings import Heading, HeadingKind, find_headings

_SUBSTANTIAL_WORDS: Final = 150  # of prose before the first heading: a preface, not a title page
_CONTENTS_GAP_WORDS: Final = 30  # between two lines of a table of contents; a chapter has more
_CONTENTS_MATCHED: Final = 0.75  # of its entries: some tables name a chapter unlike its heading
_DIVISION_GAP_WORDS: Final = 40  # a part's heading and motto, just before its first chapter
_LIST_ITEM_WORDS: Final = 60  # between "1. A thing" and "2. Another": less is a list in a story
_LONGEST_SUBTITLE: Final = 90
_LOOK_BACK: Final = 40  # characters before a bare number, to see that it stands alone

_PROJECT_START: Final = re.compile(
    r"^\*{3} ?START OF (?:THE|THIS) PROJECT [^\r\n]*[\r\n]+", re.MULTILINE
)
_PROJECT_END: Final = re.compile(r"^\*{3} ?END OF (?:THE|THIS) PROJECT ", re.MULTILINE)
_PARAGRAPH_END: Final = re.compile(r"[.!?…。！？][\"'”’」』)]*\s*$")
_BLANK_LINE: Final = re.compile(r"(?:\r?\n|\r)\s*(?:\r?\n|\r)$")
_PARAGRAPHS: Final = re.compile(r"(?:\r?\n|\r)\s*(?:\r?\n|\r)")
_SUBTITLE: Final = re.compile(
    r"(?:\r?\n|\r){1,3}[ \t\u3000]*([^\r\n]+)(?=(?:\r?\n|\r)[ \t\u3000]*(?:\r?\n|\r))"
)


@dataclass(frozen=True, slots=True)
class Part:
    """A chapter of the file: its text is `text[start:end]`."""

    start: int
    end: int
    title: str


@dataclass(frozen=True, slots=True)
class Split:
    """The chapters in order. `front` says that the first one is what stands before all headings.

    `contents` counts the lines of the table of contents that were not taken for chapters.
    """

    parts: tuple[Part, ...]
    front: bool = False
    contents: int = 0


def split(text: str) -> Split:
    """Cut `text` at its chapter headings; a text without any is one chapter."""
    begin, end = _story(text)
    headings = [h for h in find_headings(text) if begin <= h.start < end]
    chapters, contents = _without_contents(text, _chapter_headings(text, headings, begin))
    chapters = _without_titles(text, chapters)
    if not chapters:
        return Split((Part(begin, end, ""),))
    after_contents = contents[-1].end if contents else begin
    starts = _starts(text, headings, chapters, after_contents)
    parts = tuple(
        Part(start, stop, title_at(text, heading))
        for heading, (start, stop) in zip(chapters, pairwise([*starts, end]), strict=True)
    )
    front = _front(text, begin, contents, parts[0].start)
    return Split((front, *parts) if front else parts, front is not None, len(contents))


def _story(text: str) -> tuple[int, int]:
    """Return the span between the marks that digital libraries set around a book's own text."""
    opened = _PROJECT_START.search(text)
    closed = _PROJECT_END.search(text)
    begin = opened.end() if opened else 0
    return begin, closed.start() if closed and closed.start() > begin else len(text)


def _chapter_headings(text: str, headings: Sequence[Heading], begin: int) -> list[Heading]:
    """Return the headings that open chapters: worded ones, else divisions, else bare numbers."""
    worded = [h for h in headings if h.kind is HeadingKind.CHAPTER]
    if any(h.number is not None for h in worded):
        return [*worded, *_continued(text, headings, worded[-1], begin)]
    named_or_divided = [h for h in headings if h.kind is not HeadingKind.NUMBER]
    numbered = _numbered(text, headings, begin)
    if len(numbered) > 1:
        return sorted([*worded, *numbered], key=lambda h: h.start)
    divided = any(h.kind is HeadingKind.DIVISION for h in headings)
    return named_or_divided if divided else worded


def _continued(text: str, headings: Sequence[Heading], last: Heading, begin: int) -> list[Heading]:
    """Return the numbers with titles that count on from the last worded heading.

    Some books change the form of their headings half-way: "Adventure VI", then "VII. The …".
    """
    found: list[Heading] = []
    for heading in headings:
        before = found[-1] if found else last
        if (
            heading.start > before.start
            and before.number is not None
            and heading.number == before.number + 1
            and _has_title(heading)
            and _stands_alone(text, heading, begin)
            and count_words(text[before.end : heading.start]) >= _LIST_ITEM_WORDS
        ):
            found.append(heading)
    return found if len(found) > 1 else []


def _without_titles(text: str, headings: Sequence[Heading]) -> list[Heading]:
    """Leave out headings that are the title of the one just above them ("Chapter 10: Epilogue")."""
    return [
        heading
        for before, heading in pairwise([None, *headings])
        if heading is not None
        and not (before and heading.number is None and _is_just_below(text, before, heading))
    ]


def _is_just_below(text: str, above: Heading, below: Heading) -> bool:
    return above.number is not None and not text[above.end : below.start].strip()


def _numbered(text: str, headings: Sequence[Heading], begin: int) -> list[Heading]:
    """Return the numbers that count 1, 2, 3; a new part may begin at 1 again."""
    bare = _counting(text, [h for h in headings if not _has_title(h)], begin)
    titled = _counting(text, headings, begin)
    long_enough = all(
        count_words(text[one.end : two.start]) >= _LIST_ITEM_WORDS for one, two in pairwise(titled)
    )
    return titled if len(titled) > len(bare) and long_enough else bare


def _has_title(heading: Heading) -> bool:
    return heading.kind is HeadingKind.NUMBER and bool(heading.title)


def _counting(text: str, headings: Sequence[Heading], begin: int) -> list[Heading]:
    found: list[Heading] = []
    expected: set[float] = {0.0, 1.0}
    for heading, following in pairwise([*headings, None]):
        if heading is None:
            break
        if heading.kind is HeadingKind.DIVISION:
            expected |= {1.0}
        elif (
            heading.kind is HeadingKind.NUMBER
            and heading.number in expected
            and _stands_alone(text, heading, begin)
            and (following is None or text[heading.end : following.start].strip())
        ):
            found.append(heading)
            expected = {heading.number + 1}
    return found


def _stands_alone(text: str, heading: Heading, begin: int) -> bool:
    first = max(begin, heading.start - _LOOK_BACK)
    before = text[first : heading.start].rstrip(" \t\u3000")
    after = text[heading.end : heading.end + 4].lstrip(" \t\u3000")
    opens_text = first == begin and not before.strip()
    return (opens_text or _BLANK_LINE.search(before) is not None) and after[:1] in ("\r", "\n")


def _without_contents(text: str, headings: list[Heading]) -> tuple[list[Heading], list[Heading]]:
    """Part the headings of chapters from the lines of a table of contents before them."""
    size = _contents_size(text, headings)
    # "Epilogue" before chapter 1 is the end of a table whose other lines are no headings.
    while size + 1 < len(headings) and _is_listed(text, headings, size):
        size += 1
    return headings[size:], headings[:size]


def _contents_size(text: str, headings: Sequence[Heading]) -> int:
    """Return how many of the first headings are a table: close together, and all coming again."""
    dense = 1
    while dense < len(headings) and _words_after(text, headings, dense - 1) <= _CONTENTS_GAP_WORDS:
        dense += 1
    for size in range(min(dense, len(headings) // 2), 1, -1):
        listed, rest = headings[:size], headings[size:]
        if _same(listed[0], rest[0]) and _matched(listed, rest) >= _CONTENTS_MATCHED * size:
            return size
    return 0


def _is_listed(text: str, headings: Sequence[Heading], index: int) -> bool:
    entry = headings[index]
    return (
        entry.number is None
        and _words_after(text, headings, index) <= _CONTENTS_GAP_WORDS
        and any(_same(entry, later) for later in headings[index + 1 :])
    )


def _words_after(text: str, headings: Sequence[Heading], index: int) -> int:
    return count_words(text[headings[index].end : headings[index + 1].start])


def _matched(listed: Sequence[Heading], headings: Sequence[Heading]) -> int:
    """Count the entries of `listed` that come again in `headings`, in the same order."""
    matched = at = 0
    for entry in listed:
        for n in range(at, len(headings)):
            if _same(entry, headings[n]):
                matched, at = matched + 1, n + 1
                break
    return matched


def _same(entry: Heading, heading: Heading) -> bool:
    """Say whether a line of a table names this heading; either may lack the title."""
    if (entry.label, entry.number) != (heading.label, heading.number):
        return False
    listed, own = _letters(entry.title), _letters(heading.title)
    return not listed or not own or listed.startswith(own) or own.startswith(listed)


def _letters(title: str) -> str:
    """Return the letters of a title without dots that lead to a page number, and the number."""
    return re.sub(r"[\W_]+", "", re.sub(r"[\s.…·]*[0-9]*\s*$", "", title)).casefold()


def _starts(
    text: str, headings: Sequence[Heading], chapters: Sequence[Heading], after: int
) -> list[int]:
    """Return where each chapter begins: at its part's heading where that stands just before."""
    divisions = [
        h
        for h in headings
        if h.kind is HeadingKind.DIVISION and h.start >= after and h not in chapters
    ]
    starts: list[int] = []
    for chapter in chapters:
        floor = starts[-1] if starts else after
        start = chapter.start
        for division in reversed(divisions):
            near = floor < division.start < start or (not starts and division.start == floor)
            if near and count_words(text[division.end : start]) <= _DIVISION_GAP_WORDS:
                start = division.start
        starts.append(start)
    return starts


def _front(text: str, begin: int, contents: Sequence[Heading], stop: int) -> Part | None:
    """Return what stands before the first heading, outside the table, where it is real prose."""
    cuts = [(begin, contents[0].start), (contents[-1].end, stop)] if contents else [(begin, stop)]
    start, end = max(cuts, key=lambda cut: _prose_words(text[slice(*cut)]))
    return Part(start, end, "") if _prose_words(text[start:end]) >= _SUBSTANTIAL_WORDS else None


def _prose_words(text: str) -> int:
    paragraphs = _PARAGRAPHS.split(text)
    return sum(count_words(each) for each in paragraphs if _PARAGRAPH_END.search(each))


def title_at(text: str, heading: Heading) -> str:
    """Return the heading's line, with the short line below it that is its title."""
    line = text[heading.start : heading.end].strip(" \t\u3000#*_=~")
    below = _SUBTITLE.match(text, heading.end)
    if heading.title or below is None or not _is_subtitle(below[1].strip()):
        return line
    return f"{line} {below[1].strip()}"


def _is_subtitle(line: str) -> bool:
    starts_like_one = bool(line) and (
        line[0].isupper() or line[0].isdigit() or ord(line[0]) > 0x2FFF
    )
    return (
        starts_like_one
        and len(line) <= _LONGEST_SUBTITLE
        and not _PARAGRAPH_END.search(line)
        and all(heading.number is None for heading in find_headings(line))
    )
