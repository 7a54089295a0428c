"""What was done with an input, or taken back, or will cost."""

from __future__ import annotations

from typing import Literal

from contracts.frozen import Frozen
from contracts.ids import ChapterId, WorkId
from contracts.ordinals import Ordinal
from contracts.reports.standing import DeadLetterLine, Hold


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
