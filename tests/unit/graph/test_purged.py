"""A publication whose text is gone counts as it did: in every register, and in no scene."""

from __future__ import annotations

import pytest

from contracts import events
from contracts.ids import FIRST_GENERATION, ChapterId, WorkId
from contracts.messages import ChapterEmbedded, EmbeddedMessage, EventPassed, Outcome
from contracts.ordinals import Ordinal
from contracts.works import WorkRecord
from graph.draft import draft
from tests.stories import embedded

W, C1 = WorkId("w"), ChapterId("c1")


def _text(position: int, ordinal: str, revision: int | None = None) -> ChapterEmbedded:
    scene = (f"Hedda weighs herring number {position}", ["Hedda"])
    return embedded(W, C1, position, ordinal, [scene], revision)


def _passed(position: int, event: events.TextlessEvent) -> EventPassed:
    return EventPassed(position=position, event=event)


def _purged(message: EmbeddedMessage) -> EmbeddedMessage:
    if not isinstance(message, ChapterEmbedded):
        return message
    head = message.segmented.head
    event = events.ChapterPurged(
        work_id=head.work_id,
        chapter_id=head.chapter_id,
        ordinal=head.ordinal,
        revision=head.revision,
    )
    return _passed(head.position, event)


def _withdrawn(position: int, revision: int | None = None) -> EventPassed:
    return _passed(position, events.ChapterWithdrawn(work_id=W, chapter_id=C1, revision=revision))


def _moved(position: int, ordinal: str) -> EventPassed:
    place = Ordinal.parse(ordinal)
    return _passed(position, events.ChapterMoved(work_id=W, chapter_id=C1, ordinal=place))


def _after(*batch: EmbeddedMessage) -> WorkRecord:
    return draft(WorkRecord(work_id=W, generation=FIRST_GENERATION), batch).result()


HISTORIES = {
    "published": [_text(0, "1"), _withdrawn(1)],
    "edited": [_text(0, "1"), _text(1, "2"), _withdrawn(2)],
    "moved": [_text(0, "1"), _moved(1, "7"), _withdrawn(2)],
    "moved first": [_moved(0, "7"), _text(1, "1"), _withdrawn(2)],
    "with revisions": [_text(0, "1", 3), _text(1, "2", 2), _withdrawn(2)],
    "withdrawn before": [_withdrawn(0, 9), _text(1, "1", 4), _text(2, "2", 5)],
    "again and again": [_text(0, "1"), _withdrawn(1), _text(2, "1"), _withdrawn(3)],
    "redelivered": [_text(0, "1"), _withdrawn(1), _text(0, "1")],
    "the whole work": [_text(0, "1"), _passed(1, events.WorkWithdrawn(work_id=W))],
}


@pytest.mark.parametrize("history", HISTORIES.values(), ids=HISTORIES)
def test_a_purged_history_ends_as_the_history_did(history: list[EmbeddedMessage]) -> None:
    assert _after(*map(_purged, history)) == _after(*history)


def test_on_the_way_the_chapter_is_not_in_the_story() -> None:
    work = _after(_purged(_text(0, "1")))
    (chapter,) = work.chapters
    assert chapter.registers.present
    assert chapter.place == Ordinal.parse(1)
    assert chapter.last_outcome is Outcome.PURGED
    assert work.story_chapters() == ()
    assert (chapter.title, chapter.items, chapter.content_hash) == ("", (), "")


def test_a_newer_text_that_is_gone_leaves_no_older_one() -> None:
    work = _after(_text(0, "1"), _purged(_text(1, "1")))
    assert work.story_chapters() == ()


def test_an_older_text_that_is_gone_leaves_the_newer_one() -> None:
    newer = _text(1, "1", 5)
    work = _after(newer, _purged(_text(2, "9", 4)))
    (chapter,) = work.story_chapters()
    assert chapter.content_hash == newer.segmented.head.content_hash
    assert chapter.place == Ordinal.parse(1)


def test_published_anew_it_is_there_again() -> None:
    work = _after(_purged(_text(0, "1")), _withdrawn(1), _text(2, "3"))
    assert [chapter.place for chapter in work.story_chapters()] == [Ordinal.parse(3)]


def test_what_was_a_dead_letter_counts_for_nothing() -> None:
    gone = _passed(0, events.ChapterPurged(work_id=W, chapter_id=C1, revision=7))
    drafted = draft(WorkRecord(work_id=W, generation=FIRST_GENERATION), [gone])
    assert drafted.outcomes == [Outcome.PURGED]
    assert drafted.chapters == {}
