"""Lines and paragraphs of a chapter's text, whatever way its publisher wrote them.

Three ways are told apart, for the whole chapter at once: paragraphs with blank lines between
them, one paragraph a line, and lines wrapped by hand at some width.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Final, NamedTuple

LINE_ENDS: Final = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
"""What `str.splitlines` takes for the end of a line."""

INVISIBLE: Final = "\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff"
"""Marks without ink that are no white space, as the inside of a character class."""

_LINE: Final = re.compile(rf"[^{LINE_ENDS}]+")
_SEEN: Final = re.compile(rf"[^\s\x00-\x1f\x7f-\x9f{INVISIBLE}]")
_TAG: Final = re.compile(r"<p[ >]", re.IGNORECASE)

# What a line ends with when its paragraph ends: end marks, and what closes speech or notes.
_FULL_STOPS: Final = frozenset(".!?…。！？．:：;；—–~～♪\"'”’」』）)】]>»«*_")

# Nobody wraps lines by hand beyond this many code points.
_WRAP_LIMIT: Final = 120


class Line(NamedTuple):
    """Code points `[start, end)` without the white space around them.

    `after_blank`: an empty line, or nothing, stands before it. `indented`: it is set in.
    """

    start: int
    end: int
    after_blank: bool
    indented: bool


def find_lines(text: str) -> list[Line]:
    """Return the lines of `text` that hold something, in order.

    Every code point that is no white space lies in exactly one of them. A line of invisible
    marks alone counts as blank; its marks go with the line before it, else with the next.
    """
    lines: list[Line] = []
    waiting: int | None = None
    blank = True
    for line in _filled_lines(text):
        blank = blank or line.after_blank
        if _SEEN.search(text, line.start, line.end):
            start = line.start if waiting is None else waiting
            lines.append(Line(start, line.end, blank, line.indented))
            waiting, blank = None, False
        elif lines:
            lines[-1] = lines[-1]._replace(end=line.end)
            blank = True
        elif waiting is None:
            waiting = line.start
    if waiting is not None:
        lines.append(Line(waiting, len(text.rstrip()), after_blank=True, indented=False))
    return lines


def _filled_lines(text: str) -> Iterator[Line]:
    """Yield every line that is not white space alone."""
    last_end, blank = 0, True
    for start, end in _raw_lines(text):
        raw = text[start:end]
        if start > last_end:
            gap = text[last_end:start]
            blank = blank or (len(gap) > 1 and gap != "\r\n")
        else:
            blank = True
        last_end = end
        filled = raw.lstrip()
        if not filled:
            blank = True
            continue
        indent = len(raw) - len(filled)
        set_in = indent > 1 or raw[0] in "\t\u3000"
        yield Line(start + indent, start + indent + len(filled.rstrip()), blank, set_in)
        blank = False


def _raw_lines(text: str) -> Iterator[tuple[int, int]]:
    """Yield runs without a line end, cut before each literal `<p>` tag too.

    A body sent as plain text may hold such tags: then they are where its paragraphs begin.
    """
    tagged = _TAG.search(text) is not None
    for line in _LINE.finditer(text):
        start, end = line.span()
        if tagged:
            for tag in _TAG.finditer(text, start, end):
                if tag.start() > start:
                    yield start, tag.start()
                    start = tag.start()
        yield start, end


def paragraph_openings(text: str, lines: Sequence[Line], alone: Sequence[bool]) -> list[bool]:
    """Say of each line whether it opens a paragraph. `alone` lines are paragraphs by themselves.

    A line opens one after a blank line, where the text is set in, and, unless the lines were
    wrapped by hand, always.
    """
    opens = [bool(line.after_blank or apart) for line, apart in zip(lines, alone, strict=True)]
    for number, (line, following) in enumerate(pairwise(lines), start=1):
        if alone[number - 1] or (following.indented and not line.indented):
            opens[number] = True
    joints = [number for number in range(1, len(lines)) if not opens[number]]
    if not _is_wrapped(text, [lines[number - 1] for number in joints]):
        for number in joints:
            opens[number] = True
    return opens


def _is_wrapped(text: str, lines: Sequence[Line]) -> bool:
    """Say whether the ends of these `lines` fall inside sentences: few full stops, not too wide."""
    if not lines:
        return False
    stopped = sum(text[line.end - 1] in _FULL_STOPS for line in lines)
    width = median(line.end - line.start for line in lines)
    return 2 * stopped < len(lines) and width <= _WRAP_LIMIT
