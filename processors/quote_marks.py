"""Quotation marks at the ends of a sentence that open, or close, somewhere else.

A speech of several sentences opens before the first and closes after the last. Of a sentence that
is quoted alone, such a mark says nothing: it is left outside.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from contracts.frozen import Span

_STRAIGHT: Final = '"'
_OPENERS: Final[Mapping[str, str]] = MappingProxyType(
    {"”": "“„", "“": "„", "»": "«", "«": "»", "」": "「", "』": "『"}
)
"""By the mark that may close a speech, those that may have opened it."""

_CLOSERS: Final[Mapping[str, str]] = MappingProxyType(
    {"“": "”", "„": "“”", "«": "»", "»": "«", "「": "」", "『": "』"}
)


def without_stray_marks(text: str, span: Span) -> Span:
    """Return `span` of `text` without marks at its ends that have no partner in it."""
    start, end = span.start, span.end
    while end - start > 1 and _closes_nothing(text[start:end]):
        end -= 1
    while end - start > 1 and _opens_nothing(text[start:end]):
        start += 1
    return Span(start=start, end=end)


def _closes_nothing(quote: str) -> bool:
    last, before = quote[-1], quote[:-1]
    if last == _STRAIGHT:
        return before.count(_STRAIGHT) % 2 == 0
    if last not in _OPENERS:
        return False
    marks = [mark for mark in before if mark == last or mark in _OPENERS[last]]
    return not marks or marks[-1] not in _OPENERS[last]


def _opens_nothing(quote: str) -> bool:
    first, after = quote[0], quote[1:]
    if first == _STRAIGHT:
        return after.count(_STRAIGHT) % 2 == 0
    if first not in _CLOSERS:
        return False
    marks = [mark for mark in after if mark == first or mark in _CLOSERS[first]]
    return not marks or marks[0] not in _CLOSERS[first]
