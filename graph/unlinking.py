"""Which rows of the vector store nothing links any more, also after a delivery that died; pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from contracts import events
from contracts.ids import ChapterId, RowKey, row_key
from contracts.messages import ChapterEmbedded, EmbeddedMessage, EventPassed
from contracts.works import ChapterRecord, WorkRecord
from graph.draft import Draft, position_of
from graph.grafting_plan import chapter_of, linked_keys


def moved_keys(work: WorkRecord, drafted: Draft) -> set[RowKey]:
    """Return the keys under which rows were, or would have been, written again when moved."""
    return {row_key(work.generation, item, at) for items, at in drafted.moved for item in items}


def unlinked_keys(
    work: WorkRecord, drafted: Draft, batch: Sequence[EmbeddedMessage]
) -> list[RowKey]:
    """Return the keys of rows that nothing links once the drafted `work` is committed.

    Those that were linked only before, those of texts in the batch that did not win, and those
    that a delivery of a part of the batch has moved and died. Rows at a position that is linked
    are never among them, whoever delivered it.
    """
    candidates = moved_keys(work, drafted)
    touched = {chapter.chapter_id for chapter in (*drafted.changed(), *drafted.left())}
    for message in batch:
        if isinstance(message, ChapterEmbedded):
            at = position_of(message)
            candidates.update(row_key(work.generation, item, at) for item in message.items)
            touched.add(message.segmented.head.chapter_id)
    touched |= _named(batch)
    candidates.update(linked_keys(work, _those(drafted.known, touched)))
    return sorted(candidates.difference(linked_keys(work, _those(drafted.chapters, touched))))


def left_positions(work: WorkRecord, batch: Sequence[EmbeddedMessage]) -> set[tuple[str, int]]:
    """Return (chapter, position) of rows that an earlier delivery of `batch` may have left.

    It has committed, but its process may have died before it deleted what it unlinked.
    """
    return {
        (chapter.chapter_id, chapter.unlinked_position)
        for chapter in _among(work, _named(batch))
        if chapter.unlinked_position is not None
    }


def withdraws_again(work: WorkRecord, batch: Sequence[EmbeddedMessage]) -> bool:
    """Say whether the batch holds the withdrawal after which the work began anew."""
    return any(
        isinstance(message, EventPassed)
        and isinstance(message.event, events.WorkWithdrawn)
        and message.position == work.floor
        for message in batch
    )


def note_unlinked(drafted: Draft) -> None:
    """Note in the drafted chapters where the rows lay that they do not link any more."""
    for chapter in drafted.changed():
        was = drafted.known.get(chapter.chapter_id)
        if was is not None and was.items and was.row_position != chapter.row_position:
            noted = chapter.model_copy(update={"unlinked_position": was.row_position})
            drafted.chapters[chapter.chapter_id] = noted


def _named(batch: Sequence[EmbeddedMessage]) -> set[ChapterId]:
    """Return the chapters that the batch's messages are about."""
    named = {chapter_of(message) for message in batch}
    for message in batch:
        if isinstance(message, EventPassed) and isinstance(message.event, events.WorkReordered):
            named.update(place.chapter_id for place in message.event.chapters)
    return named - {ChapterId("")}


def _those(chapters: Mapping[ChapterId, ChapterRecord], ids: set[ChapterId]) -> list[ChapterRecord]:
    return [chapters[each] for each in ids if each in chapters]


def _among(work: WorkRecord, ids: set[ChapterId]) -> list[ChapterRecord]:
    return [chapter for chapter in work.chapters if chapter.chapter_id in ids]
