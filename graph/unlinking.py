"""Which rows of the vector store nothing links any more, also after a delivery that died; pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from contracts import events
from contracts.ids import ChapterId, RowKey, row_key
from contracts.messages import ChapterEmbedded, EmbeddedMessage, EventPassed
from contracts.vectors import VectorRow
from contracts.works import ChapterRecord, WorkRecord
from graph.draft import Draft, position_of
from graph.grafting_plan import chapter_of, linked_keys


@dataclass(frozen=True, slots=True)
class Left:
    """Where an earlier delivery may have left rows: at (chapter, position), and below `floor`.

    It has committed, but its process may have died before it deleted what it unlinked.
    """

    positions: frozenset[tuple[ChapterId, int]] = frozenset()
    floor: int = -1

    def __bool__(self) -> bool:
        return bool(self.positions) or self.floor >= 0

    def has(self, row: VectorRow) -> bool:
        """Say whether `row`, which nothing links, is one of those."""
        at = (ChapterId(row.chapter_id), row.position)
        return row.position < self.floor or at in self.positions


def moved_keys(work: WorkRecord, drafted: Draft) -> set[RowKey]:
    """Return the keys under which rows were, or would have been, written again when moved."""
    return {
        row_key(work.generation, item, rows.position)
        for rows in drafted.moved
        for item in rows.items
    }


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


def left_behind(work: WorkRecord, batch: Sequence[EmbeddedMessage]) -> Left:
    """Return where earlier deliveries of the batch, or of parts of it, may have left rows.

    `work` is as it was before this delivery. A withdrawal of the work that comes again has
    unlinked rows of any chapter, also of those that it has left behind.
    """
    again = _withdraws_again(work, batch)
    named = _named(batch)
    return Left(
        frozenset(
            (chapter.chapter_id, position)
            for chapter in work.chapters
            if again or chapter.chapter_id in named
            for position in chapter.unlinked_positions
        ),
        floor=work.floor if again else -1,
    )


def note_unlinked(drafted: Draft, *, cleaned: bool) -> None:
    """Note in the drafted chapters where rows may lie that they do not link any more.

    Those that were linked, those that a delivery of a part of the batch has moved and died, and,
    unless what was noted before is known to be `cleaned`, that too. Rows may be unlinked where
    others are linked: a text that came below a move lies under the position of the move, and so
    does the text after it.
    """
    rows: defaultdict[ChapterId, set[tuple[tuple[str, ...], int]]] = defaultdict(set)
    for moved in drafted.moved:
        rows[moved.chapter_id].add((moved.items, moved.position))
    for chapter in drafted.changed():
        was = drafted.known.get(chapter.chapter_id, chapter)
        there = rows[chapter.chapter_id] | {(was.items, was.row_position)}
        there.discard((chapter.items, chapter.row_position))
        positions = {position for items, position in there if items}
        if not cleaned:
            positions.update(was.unlinked_positions)
        noted = chapter.model_copy(update={"unlinked_positions": tuple(sorted(positions))})
        drafted.chapters[chapter.chapter_id] = noted


def _withdraws_again(work: WorkRecord, batch: Sequence[EmbeddedMessage]) -> bool:
    """Say whether the batch holds the withdrawal after which the work began anew."""
    return any(
        isinstance(message, EventPassed)
        and isinstance(message.event, events.WorkWithdrawn)
        and message.position == work.floor
        for message in batch
    )


def _named(batch: Sequence[EmbeddedMessage]) -> set[ChapterId]:
    """Return the chapters that the batch's messages are about."""
    named = {chapter_of(message) for message in batch}
    for message in batch:
        if isinstance(message, EventPassed) and isinstance(message.event, events.WorkReordered):
            named.update(place.chapter_id for place in message.event.chapters)
    return named - {ChapterId("")}


def _those(chapters: Mapping[ChapterId, ChapterRecord], ids: set[ChapterId]) -> list[ChapterRecord]:
    return [chapters[each] for each in ids if each in chapters]
