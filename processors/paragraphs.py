"""The paragraphs of a chapter, with what their shapes say before their place is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from processors.extraction import Hint
from processors.headings import has_heading_shape, is_subtitle, is_title
from processors.lines import Line, find_lines, paragraph_openings
from processors.separators import is_separator

# A chapter's headings stand among its first lines; a note before them may have some length.
_HEAD_LINES: Final = 40
# Longer than any line of its own that only separates or only names the chapter.
_SHAPE_LIMIT: Final = 300
_HEADING_LIMIT: Final = 200


class Paragraph(NamedTuple):
    """Code points `[start, end)`, and what they may be: `separator` is sure, the rest is not."""

    start: int
    end: int
    separator: bool
    heading: bool
    note: bool


def find_paragraphs(text: str, title: str, hints: Sequence[Hint] = ()) -> list[Paragraph]:
    """Return the paragraphs of `text`, in order, without the white space around them.

    Every code point that is no white space lies in exactly one. Separators, and lines near the
    start that may be headings, are paragraphs by themselves.
    """
    lines = find_lines(text)
    separators = [_separates(text, line) for line in lines]
    headings = _may_be_headings(text, lines, title)
    alone = [separator or heading for separator, heading in zip(separators, headings, strict=True)]
    paragraphs: list[Paragraph] = []
    opens = paragraph_openings(text, lines, alone)
    for line, opening, separator, heading in zip(lines, opens, separators, headings, strict=True):
        if opening:
            paragraphs.append(Paragraph(line.start, line.end, separator, heading, note=False))
        else:
            paragraphs[-1] = paragraphs[-1]._replace(end=line.end)
    return _hinted(paragraphs, hints) if hints else paragraphs


def _separates(text: str, line: Line) -> bool:
    first = text[line.start]
    if first.isalpha() and first not in "xXoO":
        return False  # nearly every line: answered without copying it
    return line.end - line.start <= _SHAPE_LIMIT and is_separator(text[line.start : line.end])


def _may_be_headings(text: str, lines: Sequence[Line], title: str) -> list[bool]:
    found = [False] * len(lines)
    for number, line in enumerate(lines[:_HEAD_LINES]):
        if line.end - line.start > _SHAPE_LIMIT:
            continue
        shown = text[line.start : line.end]
        found[number] = has_heading_shape(shown) or is_title(shown, title)
        if not found[number] and number and found[number - 1] and not line.after_blank:
            closed = number + 1 < len(lines) and lines[number + 1].after_blank
            found[number] = closed and is_subtitle(shown)
    return found


def _hinted(paragraphs: Sequence[Paragraph], hints: Sequence[Hint]) -> list[Paragraph]:
    """Return `paragraphs` with what the markup said of them; both lie in order."""
    marked: list[Paragraph] = []
    waiting = iter(hints)
    hint = next(waiting, None)
    for paragraph in paragraphs:
        while hint is not None and hint.end <= paragraph.start:
            hint = next(waiting, None)
        if hint is not None and hint.start < paragraph.end:
            short = paragraph.end - paragraph.start <= _HEADING_LIMIT
            heading = paragraph.heading or (hint.heading and short)
            marked.append(paragraph._replace(heading=heading, note=hint.note))
        else:
            marked.append(paragraph)
    return marked
