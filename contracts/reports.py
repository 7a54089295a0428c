"""What the command line says as JSON beside answers and exports. Programs lean on these shapes."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from contracts.answers import ExportedCharacter, Gap
from contracts.frozen import Frozen
from contracts.ids import ChapterId, CharacterId, SceneId, StorylineId, WorkId
from contracts.messages import Outcome
from contracts.ordinals import Ordinal
from contracts.scenes import Warned
from contracts.tree import StorylineKind

# --- reading the tree -------------------------------------------------------------------------


class TreeNode(Frozen):
    """A storyline with what lies under it; `scenes` counts all scenes beneath."""

    id: StorylineId
    kind: StorylineKind
    title: str
    synopsis: str
    from_ordinal: Ordinal
    scenes: int
    children: tuple[TreeNode, ...]


class TreeReport(Frozen):
    """The storyline tree as of N; no root while there is no scene."""

    work_id: WorkId
    generation: str
    as_of: Ordinal
    root: TreeNode | None


class ThreadLine(Frozen):
    """A plot thread: its scenes at home in it, and those of other threads that touch it."""

    id: StorylineId
    title: str
    synopsis: str
    from_ordinal: Ordinal
    last_ordinal: Ordinal | None
    scenes: int
    touching: int


class ThreadsReport(Frozen):
    """All threads as of N, oldest first."""

    work_id: WorkId
    generation: str
    as_of: Ordinal
    threads: tuple[ThreadLine, ...]


class SceneLine(Frozen):
    """A scene in a list; `home` is false where it only touches the thread that is listed."""

    chapter_id: ChapterId
    ordinal: Ordinal
    scene_id: SceneId
    title: str
    synopsis: str
    characters: tuple[str, ...]
    home: bool = True


class ThreadReport(Frozen):
    """One thread as of N with its scenes in story order."""

    work_id: WorkId
    generation: str
    as_of: Ordinal
    thread: ThreadLine
    scenes: tuple[SceneLine, ...]


class CharacterLine(Frozen):
    """A character in a list, under the fullest name known as of N."""

    id: CharacterId
    name: str
    aliases: tuple[str, ...]
    first_ordinal: Ordinal | None
    last_ordinal: Ordinal | None
    scenes: int


class CharactersReport(Frozen):
    """All characters as of N, those of most scenes first."""

    work_id: WorkId
    generation: str
    as_of: Ordinal
    characters: tuple[CharacterLine, ...]


class Companion(Frozen):
    """Somebody who is in `scenes` of the same scenes."""

    id: CharacterId
    name: str
    scenes: int


class Revealed(Frozen):
    """Who the character turns out to be, under the name known as of N, and since when."""

    id: CharacterId
    name: str
    from_ordinal: Ordinal


class CharacterReport(Frozen):
    """One character as of N: names, first and last chapter, companions, scenes.

    `revealed` holds the identity both ways: the stranger is Griffin, Griffin is the stranger.
    """

    work_id: WorkId
    generation: str
    as_of: Ordinal
    character: ExportedCharacter
    first_ordinal: Ordinal | None
    last_ordinal: Ordinal | None
    revealed: tuple[Revealed, ...]
    companions: tuple[Companion, ...]
    scenes: tuple[SceneLine, ...]


# --- comparing ---------------------------------------------------------------------------------


class ComparedTree(Frozen):
    """One of two trees that are compared, and how much it holds."""

    work_id: WorkId
    generation: str
    as_of: Ordinal
    chapters: int
    scenes: int
    storylines: int
    characters: int


class Part(StrEnum):
    """A sort of things that a tree holds."""

    CHAPTER = "chapter"
    SCENE = "scene"
    STORYLINE = "storyline"
    CHARACTER = "character"


class Difference(Frozen):
    """A thing that only tree `only` holds, or whose `field` is `a` in one and `b` in the other.

    `id` is its id, or where two works are compared its place; `name` is its title or name;
    `ordinal` is where in the story it stands or begins. Values are told in short, texts by length.
    """

    part: Part
    id: str
    name: str
    ordinal: Ordinal | None
    only: Literal["a", "b"] | None = None
    field: str | None = None
    a: str | None = None
    b: str | None = None


class CompareReport(Frozen):
    """Whether two trees are the same, and if not in what they differ, part by part.

    Things are matched by id within a work (`by` is `id`), and by their place in the story
    between two works (`place`). A chapter that only one holds stands for its scenes.
    """

    a: ComparedTree
    b: ComparedTree
    by: Literal["id", "place"]
    same: bool
    differences: tuple[Difference, ...]


# --- operating --------------------------------------------------------------------------------


class Hold(Frozen):
    """A stage could not process the record at `offset` of `source`; it will be tried again."""

    stage: str
    source: str
    offset: int
    work_id: str | None
    chapter_id: str | None
    reason: str


class StageLag(Frozen):
    """How many records of `source` the stage has not processed yet."""

    stage: str
    source: str
    waiting: int


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
    gaps: tuple[Gap, ...]
    warnings: tuple[ChapterWarnings, ...]
    ties: tuple[Tie, ...]
    outcomes: tuple[ChapterOutcome, ...]
    calls: int = 0
    tokens: int = 0


class StatusReport(Frozen):
    """What is indexed, what waits, what is held and what is dead."""

    works: tuple[WorkStatus, ...]
    lag: tuple[StageLag, ...]
    held: tuple[Hold, ...]
    dead_letters: tuple[DeadLetterLine, ...]


class IndexReport(Frozen):
    """What `index` did with an input.

    For chapters: `new`, `changed`, `moved` (same text, other ordinal), `unchanged`, `refused`
    (exactly this text is a dead letter already), `withdrawn` (taken back, and not to be
    published again) and `missing` (indexed before, not in the input; they stay). For events:
    `new` were appended, `unchanged` were in the log already. `resumed` counts events that an
    earlier run had left waiting and that were grafted first.
    """

    works: tuple[WorkId, ...]
    unit: Literal["chapters", "events"]
    new: int = 0
    changed: int = 0
    moved: int = 0
    unchanged: int = 0
    refused: int = 0
    withdrawn: int = 0
    missing: int = 0
    resumed: int = 0
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    dead_letters: tuple[DeadLetterLine, ...] = ()
    held: tuple[Hold, ...] = ()


class EstimateReport(Frozen):
    """What segmenting an input will cost, before anything is spent.

    `calls` is one answer a question, none of them invalid; `remembered` of them are in the memo
    and cost nothing. `counted` says that the model's server counted the tokens of the questions;
    else they are estimated by length, as those of the answers always are.
    """

    segmenter: str
    model: str
    chapters: int
    words: int
    calls: int
    remembered: int
    input_tokens: int
    output_tokens: int
    tokens: int
    counted: bool
    problems: tuple[str, ...] = ()


class TopicLine(Frozen):
    """A topic that there is; `keep_days` None is without limit."""

    name: str
    partitions: int
    replication: int
    keep_days: float | None


class TopicsReport(Frozen):
    """What `topics` found, all topics by name, and what it did; `faults` are left."""

    brokers: tuple[str, ...]
    topics: tuple[TopicLine, ...]
    made: tuple[str, ...] = ()
    altered: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


class PublishReport(Frozen):
    """What `publish` appended to the log; nothing of it is indexed by that.

    For chapters, compared with what the log says: `new`, `changed`, `moved` (same text, other
    ordinal), `unchanged`, `withdrawn` (taken back, and not to be published again), and `missing`
    (published before, not in the input; they stay). For
    events: `new` were appended, `unchanged` were in the log already. `appended` counts events.
    Kafka is not read before: what it acknowledged counts as `new`.
    """

    works: tuple[WorkId, ...]
    unit: Literal["chapters", "events"]
    appended: int = 0
    new: int = 0
    changed: int = 0
    moved: int = 0
    unchanged: int = 0
    withdrawn: int = 0
    missing: int = 0
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class WithdrawReport(Frozen):
    """What `withdraw` took back: `chapters`, and the work itself where `whole`.

    `unknown` are chapters that the log does not hold as published; `appended` counts events.
    """

    work_id: WorkId
    appended: int
    chapters: tuple[ChapterId, ...]
    whole: bool
    unknown: tuple[ChapterId, ...] = ()


class MemoImport(Frozen):
    """What `memo import` did: entries `read`, those that were `new`, and those that it had."""

    read: int
    new: int
    known: int


class PurgedChapter(Frozen):
    """A chapter of which no text is left."""

    chapter_id: ChapterId
    ordinal: Ordinal | None


class PurgeReport(Frozen):
    """What `purge` removed, counted, and what it could not reach and somebody must see to.

    `records` are records of the event log whose text is gone, `answers` those among them that
    quoted one of the chapters; `dead_letters` were dropped; `memo_entries` forgotten; `rows` and
    `works` of the survivors were written into the fresh stores.
    """

    work_id: WorkId
    chapters: tuple[PurgedChapter, ...]
    records: int = 0
    answers: int = 0
    dead_letters: int = 0
    memo_entries: int = 0
    rows: int = 0
    works: int = 0
    remains: tuple[str, ...] = ()


class FindingKind(StrEnum):
    """What sort of damage it is, which decides what mends it.

    `chapter_lost`: the log says that the graph has it, and it has not, or not its last event.
    `text_lost`, `text_wrong`: a chapter without text or scenes, or with ones that do not fit.
    `row_lost`, `row_wrong`, `row_stray`: rows of the vector store that are linked and not there,
    that say something else than the text, that nothing links. `record_wrong`, `tree_wrong`:
    graft records that are not what folding gives, a tree that is not what its records say.
    `log_damaged`: the event log cannot be read in places.
    """

    CHAPTER_LOST = "chapter_lost"
    TEXT_LOST = "text_lost"
    TEXT_WRONG = "text_wrong"
    ROW_LOST = "row_lost"
    ROW_WRONG = "row_wrong"
    ROW_STRAY = "row_stray"
    RECORD_WRONG = "record_wrong"
    TREE_WRONG = "tree_wrong"
    LOG_DAMAGED = "log_damaged"


class Finding(Frozen):
    """One thing that is wrong, in one sentence; `chapter_id` where it is about one chapter."""

    kind: FindingKind
    text: str
    chapter_id: ChapterId | None = None


class WorkFindings(Frozen):
    """What is wrong with a work; nothing, one hopes."""

    work_id: WorkId
    findings: tuple[Finding, ...]


class DoctorReport(Frozen):
    """What `doctor` found, by work; `log` is what is wrong with the event log of all."""

    works: tuple[WorkFindings, ...]
    log: tuple[Finding, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.log and not any(work.findings for work in self.works)


class WorkRepairs(Frozen):
    """What was done for one work (with a dry run: what would be), and what cannot be mended.

    `findings` are what is still wrong afterwards.
    """

    work_id: WorkId
    done: tuple[str, ...]
    not_mendable: tuple[str, ...]
    findings: tuple[Finding, ...]


class RepairReport(Frozen):
    """What `doctor --repair` did; `works` are those that needed something.

    `log_done` and `log` are the same for the event log.
    """

    dry_run: bool
    works: tuple[WorkRepairs, ...]
    log_done: tuple[str, ...] = ()
    log: tuple[Finding, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong any more."""
        return not self.log and not any(work.findings for work in self.works)
