"""What of a chapter is not story: separators, headings at its head, notes to the readers.

Story marked as paratext is lost to every reader's question, a missed note costs a few words:
so a note counts only at the head or the end of a chapter, or in a bracket of its own, and a
chapter that would have no story left keeps its notes as story.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from contracts.scenes import Paratext, ParatextReason
from processors.author_notes import (
    is_aside,
    is_bare_marker,
    is_closing_line,
    is_theft_protest,
    note_bracket,
    opens_note,
    opens_with_speech,
)
from processors.headings import has_heading_shape, section_number
from processors.paragraphs import Paragraph

Roles = list[ParatextReason | None]

# Volume, number, title, part: more lines of that shape are a list.
_MAX_HEADINGS: Final = 4
# "§ XXVIII." and the like.
_SECTION_LIMIT: Final = 12
# A note at the head goes on to a separator or a heading only as far as short notes do.
_HEAD_NOTE: Final = 800
_HEAD_NOTE_PARAGRAPHS: Final = 3
# Between a note and a heading there is nothing but the note.
_NOTE_BEFORE_HEADING: Final = 3_000
_NOTE_BEFORE_HEADING_PARAGRAPHS: Final = 15
# A note at the end fills at most so much of the chapter, whichever is more, but never beyond.
_END_NOTE_SHARE: Final = 0.4
_END_NOTE: Final = 600
_END_NOTE_LIMIT: Final = 6_000
# Thanks and requests for votes stand among the very last paragraphs.
_END_ASIDE: Final = 1_200
_END_ASIDE_PARAGRAPHS: Final = 5
_BRACKETED_PARAGRAPHS: Final = 5
_PROTEST_WORDS: Final = re.compile(
    r"(?i)stolen|unauthorized|unlawfully|illicitly|pilfered|purloined|misappropriated|"
    r"without\s+(?:the\s+)?(?:author|permission|consent)"
)


def find_roles(text: str, paragraphs: Sequence[Paragraph]) -> Roles:
    """Say of each paragraph why it is not story; None where it is."""
    roles: Roles = [
        ParatextReason.SEPARATOR if p.separator else ParatextReason.AUTHOR_NOTE if p.note else None
        for p in paragraphs
    ]
    head = _mark_head(text, paragraphs, roles)
    _mark_sections(text, paragraphs, roles)
    _mark_brackets(text, paragraphs, roles)
    _mark_protests(text, paragraphs, roles)
    _mark_end(text, paragraphs, roles, head)
    if None not in roles:
        _give_back(text, paragraphs, roles)
    return roles


def paratext_spans(paragraphs: Sequence[Paragraph], roles: Roles) -> tuple[Paratext, ...]:
    """Return the paratext in order; neighbouring paragraphs of one reason are one span."""
    spans: list[Paratext] = []
    last: ParatextReason | None = None
    for paragraph, role in zip(paragraphs, roles, strict=True):
        if role is not None:
            start = spans.pop().start if role == last else paragraph.start
            spans.append(Paratext(start=start, end=paragraph.end, reason=role))
        last = role
    return tuple(spans)


def _mark_head(text: str, paragraphs: Sequence[Paragraph], roles: Roles) -> int:
    """Mark headings and notes before the story; return the number of its first paragraph."""
    number = headings = 0
    while number < len(paragraphs):
        paragraph = paragraphs[number]
        shown = text[paragraph.start : paragraph.end]
        if paragraph.heading and headings < _MAX_HEADINGS:
            roles[number] = ParatextReason.HEADING
            headings += 1
        elif roles[number] is None and opens_note(shown):
            last = _end_of_head_note(text, paragraphs, number)
            _mark(roles, number, last + 1)
            number = last
        elif roles[number] is None and is_aside(shown):
            _mark(roles, number, number + 1)
        elif roles[number] is None:
            break
        number += 1
    return number


def _end_of_head_note(text: str, paragraphs: Sequence[Paragraph], first: int) -> int:
    """Return the number of the last paragraph of the note that `first` begins."""
    last = first
    start, following = paragraphs[first].start, first + 1
    if is_bare_marker(text[start : paragraphs[first].end]) and following < len(paragraphs):
        parted = paragraphs[following].separator or paragraphs[following].heading
        last = first if parted else following
    for number in range(following, len(paragraphs)):
        length = paragraphs[number].start - start
        apart = number - first
        if paragraphs[number].heading:
            close = length <= _NOTE_BEFORE_HEADING and apart <= _NOTE_BEFORE_HEADING_PARAGRAPHS
            return number - 1 if close else last
        if paragraphs[number].separator and last < number:
            close = length <= _HEAD_NOTE and apart <= _HEAD_NOTE_PARAGRAPHS
            return number - 1 if close else last
        if apart > _NOTE_BEFORE_HEADING_PARAGRAPHS:
            break
    return last


def _mark_sections(text: str, paragraphs: Sequence[Paragraph], roles: Roles) -> None:
    """Mark numbers that stand alone as headings if they count the chapter's sections: 1, 2, 3.

    Story stands between them; numbers that do not count upwards are somebody's words.
    """
    found: list[tuple[int, int]] = []
    for number, (start, end, *_) in enumerate(paragraphs):
        if end - start <= _SECTION_LIMIT and roles[number] in {None, ParatextReason.HEADING}:
            value = section_number(text[start:end])
            if value is not None:
                found.append((number, value))
    counts = [value for _, value in found]
    upwards = counts in (list(range(1, len(counts) + 1)), list(range(2, len(counts) + 2)))
    apart = all(None in roles[first + 1 : then] for (first, _), (then, _) in pairwise(found))
    if len(found) > 1 and upwards and apart:
        for number, _ in found:
            roles[number] = ParatextReason.HEADING


def _mark_brackets(text: str, paragraphs: Sequence[Paragraph], roles: Roles) -> None:
    """Mark notes that a bracket encloses, wherever they stand."""
    for number, paragraph in enumerate(paragraphs):
        closer = note_bracket(text[paragraph.start : min(paragraph.end, paragraph.start + 80)])
        if closer is None or roles[number] is not None:
            continue
        limit = min(number + _BRACKETED_PARAGRAPHS, len(paragraphs))
        for last in range(number, limit):
            if text[paragraphs[last].start : paragraphs[last].end].rstrip("*_ ").endswith(closer):
                _mark(roles, number, last + 1)
                break


def _mark_protests(text: str, paragraphs: Sequence[Paragraph], roles: Roles) -> None:
    """Mark what sites write into chapters against thieves, wherever it stands."""
    if not _PROTEST_WORDS.search(text):
        return
    for number, paragraph in enumerate(paragraphs):
        if roles[number] is None and is_theft_protest(text[paragraph.start : paragraph.end]):
            roles[number] = ParatextReason.NOTICE


def _mark_end(text: str, paragraphs: Sequence[Paragraph], roles: Roles, head: int) -> None:
    """Mark notes, requests and closing lines after the story, which begins at `head`."""
    if not paragraphs:
        return
    end = paragraphs[-1].end
    limit = min(max(_END_NOTE_SHARE * (end - paragraphs[0].start), _END_NOTE), _END_NOTE_LIMIT)
    asides_from = len(paragraphs) - _END_ASIDE_PARAGRAPHS
    for number in _numbers_from(paragraphs, head + 1, end - limit):
        if roles[number] is not None:
            continue
        paragraph = paragraphs[number]
        shown = text[paragraph.start : paragraph.end]
        late = number >= asides_from and end - paragraph.start <= _END_ASIDE
        if opens_note(shown) or (late and is_aside(shown)):
            _mark(roles, number, _end_of_note(text, paragraphs, roles, number))
    for number in range(len(paragraphs) - 1, head, -1):
        if roles[number] is None:
            if not is_closing_line(text[paragraphs[number].start : paragraphs[number].end]):
                break
            roles[number] = ParatextReason.NOTICE


def _numbers_from(paragraphs: Sequence[Paragraph], first: int, start: float) -> Iterator[int]:
    return (n for n in range(first, len(paragraphs)) if paragraphs[n].start >= start)


def _end_of_note(text: str, paragraphs: Sequence[Paragraph], roles: Roles, first: int) -> int:
    """Return the number after the note's last paragraph: a separator, or the chapter's end.

    Where somebody speaks on the way, story follows: then the note is its first paragraph.
    """
    for number in range(first + 1, len(paragraphs)):
        if roles[number] is not None:
            return number
        if opens_with_speech(text[paragraphs[number].start : paragraphs[number].end]):
            return first + 1
    return len(paragraphs)


def _mark(roles: Roles, first: int, after: int) -> None:
    """Mark story paragraphs from `first` up to `after` as a note."""
    for number in range(first, after):
        if roles[number] is None:
            roles[number] = ParatextReason.AUTHOR_NOTE


def _give_back(text: str, paragraphs: Sequence[Paragraph], roles: Roles) -> None:
    """Where no story is left, take notes for story; failing that, lines that are no headings."""

    def is_note(number: int) -> bool:
        return roles[number] in {ParatextReason.AUTHOR_NOTE, ParatextReason.NOTICE}

    def is_no_heading(number: int) -> bool:
        shown = text[paragraphs[number].start : paragraphs[number].end]
        return roles[number] is ParatextReason.HEADING and not has_heading_shape(shown)

    choices: tuple[Callable[[int], bool], ...] = (is_note, is_no_heading)
    for choice in choices:
        story = [number for number in range(len(roles)) if choice(number)]
        for number in story:
            roles[number] = None
        if story:
            return
