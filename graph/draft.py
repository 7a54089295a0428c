"""A batch of one work's messages, applied to what is known of the work; pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from contracts import events
from contracts.ids import ChapterId
from contracts.messages import ChapterEmbedded, EmbeddedMessage, Outcome
from contracts.order import NO_REVISION, OrderToken
from contracts.works import ChapterRecord, WorkRecord
from graph import hiding, registers


@dataclass(frozen=True, slots=True)
class MovedRows:
    """Rows of a chapter's text under the position of another event."""

    chapter_id: ChapterId
    items: tuple[str, ...]
    position: int


@dataclass(slots=True)
class Draft:
    """The work as the batch leaves it. Local to one graft; nobody else ever sees it.

    `known` is what was known of each chapter before, `touched` are those that may be otherwise
    now, so that nobody need look at all chapters of a long work. `texts` holds, of each chapter
    whose text the batch replaces, the message that won;
    `outcomes` one entry a message. `moved` names rows that a graft which ended at any message of
    the batch would have written again elsewhere in the story.
    """

    work: WorkRecord
    known: Mapping[ChapterId, ChapterRecord]
    chapters: dict[ChapterId, ChapterRecord]
    touched: set[ChapterId] = field(default_factory=set)
    texts: dict[ChapterId, ChapterEmbedded] = field(default_factory=dict)
    outcomes: list[Outcome] = field(default_factory=list)
    moved: list[MovedRows] = field(default_factory=list)
    dropped_all: bool = False

    def result(self) -> WorkRecord:
        """Return the work with the drafted chapters, by chapter id."""
        chapters = tuple(self.chapters[key] for key in sorted(self.chapters))
        return self.work.model_copy(update={"chapters": chapters})

    def changed(self) -> list[ChapterRecord]:
        """Return, by chapter id, the chapters that are new or otherwise than before."""
        now = (self.chapters[each] for each in sorted(self.touched) if each in self.chapters)
        return [chapter for chapter in now if self.known.get(chapter.chapter_id) != chapter]

    def left(self) -> list[ChapterRecord]:
        """Return, as they were, the chapters that a withdrawn work has left behind."""
        gone = (each for each in sorted(self.touched) if each not in self.chapters)
        return [self.known[each] for each in gone if each in self.known]


def draft(work: WorkRecord, batch: Sequence[EmbeddedMessage]) -> Draft:
    """Apply `batch` in order."""
    known = {chapter.chapter_id: chapter for chapter in work.chapters}
    drafted = Draft(work, known, dict(known))
    for message in batch:
        drafted.outcomes.append(_apply(drafted, message))
    return drafted


def position_of(message: EmbeddedMessage) -> int:
    """Return the position of the event that the message carries."""
    if isinstance(message, ChapterEmbedded):
        return message.segmented.head.position
    return message.position


def _apply(drafted: Draft, message: EmbeddedMessage) -> Outcome:
    if position_of(message) < drafted.work.floor:
        return Outcome.STALE
    if isinstance(message, ChapterEmbedded):
        return _apply_text(drafted, message)
    return _apply_event(drafted, message.event, message.position)


def _apply_event(drafted: Draft, event: events.TextlessEvent, position: int) -> Outcome:
    match event:
        case events.ChapterWithdrawn():
            record = _record(drafted, event.chapter_id)
            change = registers.withdraw(record, event.revision, position)
            _take(drafted, hiding.after_withdrawal(change.record, position))
            return change.outcome
        case events.ChapterMoved():
            record = _record(drafted, event.chapter_id)
            change = registers.move(record, event.ordinal, event.revision, position)
            _take(drafted, change.record)
            return change.outcome
        case events.ChapterPurged():
            return _apply_purged(drafted, event, position)
        case events.WorkReordered():
            return _apply_renumbering(drafted, event, position)
        case events.WorkDescribed():
            return _apply_description(drafted, event, position)
        case events.WorkWithdrawn():
            return _apply_work_withdrawal(drafted, position)


def _record(drafted: Draft, chapter_id: ChapterId) -> ChapterRecord:
    return drafted.chapters.get(chapter_id) or registers.unknown(chapter_id)


def _take(drafted: Draft, record: ChapterRecord) -> None:
    if not record.registers.present:
        record = _without_content(record)
        drafted.texts.pop(record.chapter_id, None)
    drafted.touched.add(record.chapter_id)
    drafted.chapters[record.chapter_id] = hiding.hidden_with_work(record, drafted.work)
    placed = record.registers.ordinal
    if record.in_story and placed is not None and placed[1] != record.row_position:
        drafted.moved.append(MovedRows(record.chapter_id, record.items, placed[1]))


def _apply_text(drafted: Draft, message: ChapterEmbedded) -> Outcome:
    head = message.segmented.head
    change = registers.publish(_record(drafted, head.chapter_id), head)
    record = hiding.after_publication(change.record, head.position)
    if change.takes_text:
        record = _with_content(record, message)
        drafted.texts[head.chapter_id] = message
    _take(drafted, record)
    return change.outcome


def _apply_purged(drafted: Draft, event: events.ChapterPurged, position: int) -> Outcome:
    """Apply a publication whose text is gone: it counts as it did, and nothing is to be read."""
    if event.ordinal is None:
        return Outcome.PURGED
    record = _record(drafted, event.chapter_id)
    change = registers.purge(record, event.ordinal, event.revision, position)
    record = hiding.after_publication(change.record, position)
    if change.takes_text:
        record = _without_content(record)
        drafted.texts.pop(event.chapter_id, None)
    _take(drafted, record)
    return change.outcome


def _apply_renumbering(drafted: Draft, event: events.WorkReordered, position: int) -> Outcome:
    outcomes = set()
    for place in event.chapters:
        record = _record(drafted, place.chapter_id)
        change = registers.move(record, place.ordinal, event.revision, position)
        _take(drafted, change.record)
        outcomes.add(change.outcome)
    if Outcome.MOVED in outcomes:
        return Outcome.REORDERED
    ranked = (Outcome.WAITING, Outcome.UNCHANGED, Outcome.STALE)
    return next(outcome for outcome in ranked if outcome in outcomes)


def _apply_description(drafted: Draft, event: events.WorkDescribed, position: int) -> Outcome:
    token = OrderToken(NO_REVISION if event.revision is None else event.revision, position)
    held = drafted.work.described_at
    if held is not None and token <= OrderToken(*held):
        return Outcome.UNCHANGED if token == OrderToken(*held) else Outcome.STALE
    drafted.work = drafted.work.model_copy(
        update={
            "title": event.title or "",
            "author": event.author or "",
            "language": event.language or "",
            "tags": event.tags,
            "described_at": token,
        }
    )
    return Outcome.DESCRIBED


def _apply_work_withdrawal(drafted: Draft, position: int) -> Outcome:
    if position == drafted.work.floor:
        return Outcome.UNCHANGED
    drafted.touched.update(drafted.chapters)
    drafted.work = registers.withdraw_work(drafted.result(), position)
    drafted.chapters = {chapter.chapter_id: chapter for chapter in drafted.work.chapters}
    # A text that was published anew since stays, though an older event of equal text brought it.
    drafted.texts = {
        chapter_id: message
        for chapter_id, message in drafted.texts.items()
        if chapter_id in drafted.chapters and drafted.chapters[chapter_id].content_hash
    }
    drafted.dropped_all = True
    return Outcome.WORK_WITHDRAWN


def _with_content(record: ChapterRecord, message: ChapterEmbedded) -> ChapterRecord:
    segmented = message.segmented
    return record.model_copy(
        update={
            "title": segmented.head.title,
            "language": segmented.language,
            "content_hash": segmented.head.content_hash,
            "row_position": segmented.head.position,
            "items": message.items,
            "words": sum(scene.words for scene in segmented.scenes),
            "passages": message.passages,
            "paratext": segmented.paratext,
            "dropped": segmented.dropped,
            "warnings": segmented.warnings,
            "segmenter": segmented.segmenter,
            "repairs": segmented.repairs,
            "tokens": segmented.tokens,
        }
    )


def _without_content(record: ChapterRecord) -> ChapterRecord:
    """Forget the text of a chapter that is not there, but none of its registers."""
    return ChapterRecord(
        chapter_id=record.chapter_id,
        registers=record.registers,
        last_position=record.last_position,
        last_outcome=record.last_outcome,
        unlinked_positions=record.unlinked_positions,
        hidden_by=record.hidden_by,
    )
