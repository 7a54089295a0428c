"""What reading an input gives: events to publish, and what was wrong, file by file."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from contracts.errors import StorygraftError
from contracts.events import ChapterPublished, WorkDescribed

_SEPARATOR: Final = re.compile(r"[\W_]+")
_SLUG_LIMIT: Final = 80  # characters; a work id is typed by people


class UnusableInput(StorygraftError):  # noqa: N818 - what is wrong, as a person would say it
    """Nothing of the input can be published; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One part of the input that cannot be published; the rest is."""

    file: str
    chapter: str | None
    trouble: str
    remedy: str

    def __str__(self) -> str:
        where = f"{self.file}, chapter {self.chapter}" if self.chapter else self.file
        return f"{where}: {self.trouble}; {self.remedy}."


@dataclass(frozen=True, slots=True)
class Naming:
    """What the person who indexes says of the work, where the input does not or says it wrong."""

    work_id: str | None = None
    title: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class ChapterInput:
    """A work's chapters in order. `notes` tell what was found out, such as an encoding."""

    described: WorkDescribed
    chapters: tuple[ChapterPublished, ...]
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EventInput:
    """A file of chapter events, one JSON object a line, of any works."""

    path: Path


def slug(title: str) -> str:
    """Return `title` as a work id: lower case, letters and digits of any script, hyphens.

    >>> slug("The Fifty-Seventh Fish!")
    'the-fifty-seventh-fish'
    """
    folded = unicodedata.normalize("NFKC", title).casefold()
    return _SEPARATOR.sub("-", folded).strip("-")[:_SLUG_LIMIT].strip("-")
