"""How things stand: what is indexed, waits, is held or dead."""

from __future__ import annotations

from contracts.answers import Gap
from contracts.frozen import Frozen
from contracts.ids import FIRST_GENERATION, ChapterId, WorkId
from contracts.messages import Outcome
from contracts.ordinals import Ordinal
from contracts.scenes import Warned


class Hold(Frozen):
    """A stage could not process the record at `offset` of `source`; it will be tried again.

    `offset` counts within `partition`.
    """

    stage: str
    source: str
    offset: int
    work_id: str | None
    chapter_id: str | None
    reason: str
    partition: int = 0


class PartitionLag(Frozen):
    """How many records of a partition a stage has not processed yet."""

    partition: int
    waiting: int


class StageLag(Frozen):
    """How many records of `source` the stage has not processed yet, and in which partitions."""

    stage: str
    source: str
    waiting: int
    partitions: tuple[PartitionLag, ...] = ()


class DeadLetterLine(Frozen):
    """Something unfit, still in the log as it came; fields that nobody could read are null."""

    source: str
    offset: int
    stage: str
    kind: str
    reason: str
    work_id: str | None
    chapter_id: str | None
    ordinal: Ordinal | None


class ChapterWarnings(Frozen):
    """A chapter that an operator may want to look at."""

    chapter_id: ChapterId
    ordinal: Ordinal
    warnings: tuple[Warned, ...]


class Tie(Frozen):
    """Chapters at one ordinal, in the order in which they are read."""

    ordinal: Ordinal
    chapter_ids: tuple[ChapterId, ...]


class ChapterOutcome(Frozen):
    """What the last event of a chapter did, where it did not simply change the index."""

    chapter_id: ChapterId
    outcome: Outcome


class WorkStatus(Frozen):
    """A work as it is indexed now.

    `waiting` counts its events that some stage has not processed yet.
    `calls` are the answers of a model on which the segmentation of its chapters rests, `tokens`
    what these cost, input and output, whoever paid for them and when.
    """

    work_id: WorkId
    title: str
    generation: str
    chapters: int
    words: int
    scenes: int
    storylines: int
    indexed_to: Ordinal | None
    waiting: int = 0
    gaps: tuple[Gap, ...]
    warnings: tuple[ChapterWarnings, ...]
    ties: tuple[Tie, ...]
    outcomes: tuple[ChapterOutcome, ...]
    calls: int = 0
    tokens: int = 0


class PausedWork(Frozen):
    """A work that is paused, or was and of which events still wait to go on.

    `waiting` counts its events that wait because of that; `held` says why the first of them
    cannot go on, if it is to.
    """

    work_id: WorkId
    paused: bool
    reason: str = ""
    waiting: int
    held: str | None = None


class StatusReport(Frozen):
    """What is indexed, what waits, what is held and what is dead, in the live generation.

    `index_version` is the digest of what built it, empty while the log tells of no generation;
    `settings_version` is that of the settings of whoever is asked: where they differ, these build
    another generation.
    """

    generation: str = FIRST_GENERATION
    index_version: str = ""
    settings_version: str = ""

    works: tuple[WorkStatus, ...]
    lag: tuple[StageLag, ...]
    held: tuple[Hold, ...]
    dead_letters: tuple[DeadLetterLine, ...]
    paused: tuple[PausedWork, ...] = ()
