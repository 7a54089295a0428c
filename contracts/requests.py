"""What programs ask of an index, over HTTP and in process. Every as-of is explicit."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AwareDatetime, Field, model_validator

from contracts.budgets import USUAL, Budget
from contracts.events import ChapterPublished, WorkDescribed
from contracts.frozen import Frozen
from contracts.generations import Source
from contracts.ids import ChapterId, Generation, WorkId
from contracts.ordinals import Ordinal
from contracts.reports import Settled

HEAD: Literal["head"] = "head"
AsOf = Ordinal | Literal["head"]
"""An ordinal up to and including which the reader has read, or the newest chapter there is."""


class Question(Frozen):
    """Something asked of a story, to be answered from at most `words` words of evidence.

    `budget` limits the rest of what it may cost.
    """

    work_id: str
    question: str
    as_of: AsOf
    words: Annotated[int, Field(ge=1)] = 1_000
    budget: Budget = USUAL


class Story(Frozen):
    """A story as of an ordinal: its tree, its threads, its characters."""

    work_id: str
    as_of: AsOf


class Page(Story):
    """A list of a story as of an ordinal, `limit` at a time.

    `after` is what `next` was of the page before: the list goes on there, as of the chapter of
    that page, also where `as_of` is "head".
    """

    limit: Annotated[int, Field(ge=1, le=1_000)] = 50
    after: str | None = None


class OneThread(Page):
    """A storyline by its id, or the beginning of it; its scenes are the list."""

    thread: str


class OneCharacter(Page):
    """A character by a name, in any case of letters, or by the beginning of its id.

    Its scenes are the list.
    """

    character: str


class TwoCharacters(Story):
    """Two characters, each as in `OneCharacter`; `scenes` are shown of each link."""

    one: str
    other: str
    scenes: Annotated[int, Field(ge=1, le=100)] = 3


class Timeline(Page):
    """The scenes of a story in story order: all, or those of a character or of a storyline.

    Only those of chapters from `first` to `last`, where these are given.
    """

    character: str | None = None
    thread: str | None = None
    first: Ordinal | None = None
    last: Ordinal | None = None

    @model_validator(mode="after")
    def _of_one_only(self) -> Self:
        if self.character is not None and self.thread is not None:
            raise ValueError("give a character or a thread, not both")
        return self


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


class Pausing(Frozen):
    """Let a work wait, or go on."""

    work_id: WorkId


class Reindex(Frozen):
    """Build a generation by the settings of whoever owns the index, beside the live one.

    `source` is None for the cheapest that will do; with `again` the version that is live is built
    once more. With `dry_run` it is only said what would be built.
    """

    source: Source | None = None
    again: bool = False
    dry_run: bool = False


class Swap(Frozen):
    """Make a generation live, None for the newest one that is not.

    `forced` is the reason why, though it was not verified or did not pass. It is waited for
    `patience_s` until it is as far as the log.
    """

    generation: Generation | None = None
    forced: str = ""
    patience_s: Annotated[float, Field(ge=0)] = 60.0


class Rollback(Frozen):
    """Make the generation live that was so before the last swap (`patience_s` as in `Swap`)."""

    patience_s: Annotated[float, Field(ge=0)] = 60.0


class Drop(Frozen):
    """Delete a generation, when `grace_s` have passed since readers saw it."""

    generation: Generation
    grace_s: Annotated[float, Field(ge=0)] = 60.0


class Everything(Frozen):
    """All there is: no more is asked."""


class LetterChoice(Frozen):
    """Dead letters: those named, of these kinds, of this work, stage or topic; all where unsaid.

    They died at or after `since` and before `until`, both with their time zone.
    """

    letters: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    work_id: str | None = None
    chapter_id: str | None = None
    stage: str | None = None
    source: str | None = None
    since: AwareDatetime | None = None
    until: AwareDatetime | None = None


class LettersAsked(Frozen):
    """A list of dead letters: the open ones, and with `settled` those that were settled too."""

    choice: LetterChoice = LetterChoice()
    settled: bool = False


class OneLetter(Frozen):
    """A dead letter by its id, with its bytes where `body` asks for them."""

    letter: str
    body: bool = False


class Settling(Frozen):
    """Send dead letters again, or drop them; with `dry_run`, tell what would be done."""

    how: Settled
    choice: LetterChoice
    dry_run: bool = False


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
