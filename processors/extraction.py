"""What reading a published body gives: its text, and what the markup told about it."""

from __future__ import annotations

from dataclasses import dataclass

from contracts.scenes import Dropped


@dataclass(frozen=True, slots=True)
class Hint:
    """Code points `[start, end)` that the markup set as a heading, or inside a note's box."""

    start: int
    end: int
    heading: bool
    note: bool


@dataclass(frozen=True, slots=True)
class Extraction:
    """A chapter's text; `hints` lie in order, `dropped` is sorted by reason."""

    text: str
    hints: tuple[Hint, ...] = ()
    dropped: tuple[Dropped, ...] = ()
