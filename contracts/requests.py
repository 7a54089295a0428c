"""What programs ask of an index, over HTTP and in process. Every as-of is explicit."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from contracts.events import ChapterPublished, WorkDescribed
from contracts.frozen import Frozen
from contracts.ids import ChapterId, WorkId
from contracts.ordinals import Ordinal

HEAD: Literal["head"] = "head"
AsOf = Ordinal | Literal["head"]
"""An ordinal up to and including which the reader has read, or the newest chapter there is."""


class Question(Frozen):
    """Something asked of a story, to be answered from at most `words` words of evidence."""

    work_id: str
    question: str
    as_of: AsOf
    words: Annotated[int, Field(ge=1)] = 1_000


class Story(Frozen):
    """A story as of an ordinal: its tree, its threads, its characters."""

    work_id: str
    as_of: AsOf


class OneThread(Story):
    """A storyline by its id, or the beginning of it."""

    thread: str


class OneCharacter(Story):
    """A character by a name, in any case of letters, or by the beginning of its id."""

    character: str


class WholeStory(Story):
    """Everything that a story holds, with its text where `text` asks for it."""

    text: bool = False


class ExportFile(Frozen):
    """A file that `export --json` wrote, readable by whoever owns the index."""

    export: Path


class TwoTrees(Frozen):
    """Two trees to compare: two works, one work as of two ordinals, or what was exported."""

    a: Story | ExportFile
    b: Story | ExportFile


class Standing(Frozen):
    """How one work stands, or all of them."""

    work_id: str | None = None


class Repair(Frozen):
    """Mend what is wrong with one work, or all; with `dry_run`, tell what would be done."""

    work_id: str | None = None
    dry_run: bool = False


class Withdrawal(Frozen):
    """Take chapters of a work back, or with None the whole work."""

    work_id: WorkId
    chapter_ids: tuple[ChapterId, ...] | None


class Chapters(Frozen):
    """A work's chapters in order, as an input of `index` was read.

    With `republish` those that were withdrawn are published again.
    """

    described: WorkDescribed
    chapters: tuple[ChapterPublished, ...]
    republish: bool = False


class EventFile(Frozen):
    """A file of chapter events, one JSON object a line, readable by whoever owns the index."""

    events: Path


class Begun(Frozen):
    """Work on `begun` more records begins."""

    begun: int


class Passed(Frozen):
    """A stage is done with a record, whose chapter has `words` words if it brought a text."""

    stage: str
    words: int = 0
