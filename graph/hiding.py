"""Which chapters a withdrawal hides before the tree is folded anew, and until when; pure.

Only the position of the withdrawal is kept: registers stay as they are, so that everything which
they decide is decided when that very event is grafted.
"""

from __future__ import annotations

from contracts.events import ChapterWithdrawn, WorkWithdrawn
from contracts.works import ChapterRecord, WorkRecord
from graph import registers


def hidden(work: WorkRecord, event: ChapterWithdrawn | WorkWithdrawn, position: int) -> WorkRecord:
    """Return `work` with what the withdrawal will take away hidden; as it is if it is stale.

    A chapter that nobody knows yet is hidden too: its publication may be on its way.
    """
    if position <= work.floor:
        return work
    if isinstance(event, WorkWithdrawn):
        return _hide_all(work, position)
    chapters = {chapter.chapter_id: chapter for chapter in work.chapters}
    record = chapters.get(event.chapter_id) or registers.unknown(event.chapter_id)
    withdrawn = registers.withdraw(record, event.revision, position).record
    if withdrawn.registers.presence == record.registers.presence:
        return work  # grafted already, or a later event won
    chapters[event.chapter_id] = _hide(record, position)
    return work.model_copy(update={"chapters": tuple(chapters[key] for key in sorted(chapters))})


def after_withdrawal(record: ChapterRecord, position: int) -> ChapterRecord:
    """Return the record once the withdrawal at `position` is grafted, whether it won or not."""
    if record.hidden_by is None or position < record.hidden_by:
        return record
    return record.model_copy(update={"hidden_by": None})


def after_publication(record: ChapterRecord, position: int) -> ChapterRecord:
    """Return the record once the publication at `position` is grafted.

    One that is later than what hides the chapter, and present, shows it again: the withdrawal
    comes too late, or never, as a dead letter.
    """
    presence = record.registers.presence
    won = presence is not None and presence[1] == position
    return after_withdrawal(record, position) if won else record


def hidden_with_work(record: ChapterRecord, work: WorkRecord) -> ChapterRecord:
    """Hide a chapter that is present by an event before the pending withdrawal of its work."""
    presence = record.registers.presence
    if work.hidden_by is None or presence is None or presence[1] >= work.hidden_by:
        return record
    return _hide(record, work.hidden_by)


def _hide_all(work: WorkRecord, position: int) -> WorkRecord:
    kept = registers.withdraw_work(work, position).chapters
    outlive = {chapter.chapter_id for chapter in kept if chapter.in_story}
    return work.model_copy(
        update={
            "hidden_by": _later(work.hidden_by, position),
            "chapters": tuple(
                chapter if chapter.chapter_id in outlive else _hide(chapter, position)
                for chapter in work.chapters
            ),
        }
    )


def _hide(record: ChapterRecord, position: int) -> ChapterRecord:
    return record.model_copy(update={"hidden_by": _later(record.hidden_by, position)})


def _later(held: int | None, position: int) -> int:
    return position if held is None else max(held, position)
