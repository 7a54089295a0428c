"""How a generation compares with the live one, and what speaks against a swap."""

from __future__ import annotations

from enum import StrEnum

from contracts.frozen import Frozen
from contracts.ids import ChapterId, Generation, WorkId
from contracts.ordinals import Ordinal
from contracts.reports.soundness import Finding
from contracts.reports.standing import DeadLetterLine, Hold, StageLag


class ComparedGeneration(Frozen):
    """A generation, and the digest of its index version."""

    generation: Generation
    version: str


class Size(Frozen):
    """How much readers see: `words` are those that stand in scenes.

    In `fallbacks` chapters a stretch of the text is one scene, since no answer was of use.
    """

    chapters: int = 0
    words: int = 0
    scenes: int = 0
    fallbacks: int = 0


class ChapterSize(Frozen):
    """How much of a chapter stands in scenes, and in how many."""

    words: int
    scenes: int


class ChapterState(StrEnum):
    """How a chapter of the candidate stands to that of the live generation.

    `missing`: readers of the live one see it, those of the candidate do not, or in an earlier text
    or place; `waiting`: the same, and its event is on its way. `withdrawn`: the candidate
    shows what the live one no longer does. `added`: the live one has it not yet. `recut`: both show
    it, in other words or scenes. `uncovered`: a part of its story stands in no scene.
    """

    MISSING = "missing"
    WAITING = "waiting"
    WITHDRAWN = "withdrawn"
    ADDED = "added"
    RECUT = "recut"
    UNCOVERED = "uncovered"


class ComparedChapter(Frozen):
    """A chapter that is not the same in both; None where readers do not see it.

    `story_words` are those of its text without paratext. `reason` is why it is missing, as far as
    anybody knows: a dead letter's, or that it waits.
    """

    chapter_id: ChapterId
    ordinal: Ordinal | None
    state: ChapterState
    live: ChapterSize | None
    candidate: ChapterSize | None
    story_words: int | None = None
    reason: str = ""


class ComparedWork(Frozen):
    """A work in both generations.

    `chapters` are those in another state than `recut`, and of the `recut` ones, which may be all,
    those whose number of scenes has changed most. `story_words` are those of the candidate's
    texts without paratext. `findings` are what is wrong with the candidate's.
    """

    work_id: WorkId
    live: Size
    candidate: Size
    story_words: int
    recut: int
    chapters: tuple[ComparedChapter, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def coverage(self) -> float:
        """The share of the story's words that stands in scenes; 1 where there are none."""
        return self.candidate.words / self.story_words if self.story_words else 1.0

    def in_state(self, *states: ChapterState) -> tuple[ComparedChapter, ...]:
        """Return the chapters in one of `states`."""
        return tuple(chapter for chapter in self.chapters if chapter.state in states)


class FirstFound(Frozen):
    """What a search shows first: the beginning of its text."""

    chapter_id: ChapterId
    ordinal: Ordinal
    text: str


class ComparedQuestion(Frozen):
    """A question as both generations answer it, by the evidence that they find.

    `overlap` is the share of all evidence that both find, in code points of the text. Where the
    question was made of a sentence of the story, `found` says which of the two find that
    sentence; it is None where somebody asked it.
    """

    work_id: WorkId
    as_of: Ordinal
    question: str
    overlap: float
    first_changed: bool
    live: FirstFound | None
    candidate: FirstFound | None
    found: tuple[bool, bool] | None = None


class BreachKind(StrEnum):
    """Which threshold is not kept (see `contracts.verifying.Thresholds`)."""

    HELD = "held"
    WAITING = "waiting"
    MISSING = "missing"
    WITHDRAWN = "withdrawn"
    FINDINGS = "findings"
    COVERAGE = "coverage"
    WORDS = "words"
    SCENES = "scenes"
    FALLBACKS = "fallbacks"
    LOST = "lost"
    OVERLAP = "overlap"


class Breach(Frozen):
    """Something that speaks against a swap, in one sentence."""

    kind: BreachKind
    text: str


class VerifyReport(Frozen):
    """A generation beside the live one: by work, by question, and what speaks against a swap.

    `changes` says how their index versions differ. `lag` and `held` are the candidate's stages',
    `dead_letters` what they could not do: those of its own topics, and of `chapters` those of
    chapters that are missing. `unchecked` says, in sentences, what was not looked at.
    """

    live: ComparedGeneration
    candidate: ComparedGeneration
    changes: tuple[str, ...]
    works: tuple[ComparedWork, ...]
    lag: tuple[StageLag, ...]
    held: tuple[Hold, ...]
    dead_letters: tuple[DeadLetterLine, ...]
    questions: tuple[ComparedQuestion, ...]
    breaches: tuple[Breach, ...]
    unchecked: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing speaks against a swap."""
        return not self.breaches
