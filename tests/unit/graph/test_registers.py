from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from contracts.events import Format
from contracts.ids import FIRST_GENERATION, ChapterId, WorkId, content_hash
from contracts.messages import ChapterHead, Outcome
from contracts.order import NO_REVISION, OrderToken
from contracts.ordinals import Ordinal
from contracts.works import ChapterRecord, WorkRecord
from graph import registers

C1 = ChapterId("c1")


def head(
    position: int, *, ordinal: str = "1", revision: int | None = None, body: str = "x"
) -> ChapterHead:
    return ChapterHead(
        work_id=WorkId("w"),
        chapter_id=C1,
        ordinal=Ordinal.parse(ordinal),
        revision=revision,
        position=position,
        title="",
        format=Format.TEXT,
        content_hash=content_hash("text", None, "", body),
    )


def published(record: ChapterRecord, event: ChapterHead) -> ChapterRecord:
    change = registers.publish(record, event)
    if not change.takes_text:
        return change.record
    return change.record.model_copy(update={"content_hash": event.content_hash})


def known(*events: ChapterHead) -> ChapterRecord:
    record = registers.unknown(C1)
    for event in events:
        record = published(record, event)
    return record


def test_a_first_publication_is_indexed_and_live() -> None:
    change = registers.publish(registers.unknown(C1), head(3))
    assert change.outcome is Outcome.INDEXED
    assert change.takes_text
    assert change.record.registers.present
    assert change.record.place == Ordinal.parse(1)


def test_the_same_text_again_is_unchanged_but_its_token_counts() -> None:
    change = registers.publish(known(head(3)), head(5))
    assert change.outcome is Outcome.UNCHANGED
    assert not change.takes_text
    assert change.record.registers.text == OrderToken(NO_REVISION, 5)


def test_an_edit_takes_the_text() -> None:
    change = registers.publish(known(head(3)), head(5, body="y"))
    assert change.outcome is Outcome.EDITED
    assert change.takes_text


def test_the_same_text_elsewhere_is_a_move() -> None:
    change = registers.publish(known(head(3)), head(5, ordinal="2"))
    assert change.outcome is Outcome.MOVED
    assert not change.takes_text


def test_an_older_revision_is_stale_whenever_it_arrives() -> None:
    record = known(head(3, revision=1))
    change = registers.publish(record, head(9, revision=0, body="y", ordinal="7"))
    assert change.outcome is Outcome.STALE
    assert change.record.place == Ordinal.parse(1)
    assert change.record.registers.text == OrderToken(1, 3)


def test_an_event_without_revision_takes_the_revision_in_force_at_its_place() -> None:
    record = known(head(3, revision=4))
    assert record.registers.token(None, 9) == OrderToken(4, 9)
    assert record.registers.token(None, 2) == OrderToken(NO_REVISION, 2)


def test_redelivery_changes_nothing_even_after_a_higher_revision() -> None:
    record = known(head(1), head(3, revision=5, body="y"))
    again = registers.publish(record, head(1))
    assert again.outcome is Outcome.STALE
    assert again.record == record


def test_a_move_waits_for_its_text() -> None:
    change = registers.move(registers.unknown(C1), Ordinal.parse("9"), None, 3)
    assert change.outcome is Outcome.WAITING
    assert not change.record.live
    assert published(change.record, head(5)).place == Ordinal.parse(1)


def test_a_higher_move_outlasts_a_lower_publication() -> None:
    moved = registers.move(registers.unknown(C1), Ordinal.parse("9"), 7, 3).record
    record = published(moved, head(5, ordinal="1", revision=2))
    assert record.live
    assert record.place == Ordinal.parse("9")


def test_withdrawing_an_unknown_chapter_leaves_a_tombstone_that_a_lower_text_cannot_lift() -> None:
    gone = registers.withdraw(registers.unknown(C1), 5, 1).record
    change = registers.publish(gone, head(2, revision=4))
    assert change.outcome is Outcome.STALE
    assert not change.takes_text
    assert not change.record.live
    assert registers.publish(gone, head(2, revision=6)).takes_text


def test_withdrawn_twice_is_a_no_op() -> None:
    once = registers.withdraw(known(head(1)), None, 2)
    assert once.outcome is Outcome.WITHDRAWN
    assert registers.withdraw(once.record, None, 3).outcome is Outcome.UNCHANGED


def test_the_newest_events_outcome_is_kept_for_the_status() -> None:
    record = known(head(1), head(2))
    assert (record.last_position, record.last_outcome) == (2, Outcome.UNCHANGED)
    redelivered = registers.publish(record, head(1)).record
    assert (redelivered.last_position, redelivered.last_outcome) == (2, Outcome.UNCHANGED)


EVENTS: list[Callable[[ChapterRecord], ChapterRecord]] = [
    lambda r: published(r, head(10, revision=0, body="a", ordinal="1")),
    lambda r: published(r, head(11, revision=2, body="b", ordinal="2")),
    lambda r: registers.withdraw(r, 3, 12).record,
    lambda r: registers.move(r, Ordinal.parse("5"), 4, 13).record,
    lambda r: published(r, head(14, revision=5, body="c", ordinal="6")),
]


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_events_that_carry_revisions_converge_in_any_order(count: int) -> None:
    ends = set()
    for order in itertools.permutations(EVENTS[:count]):
        record = registers.unknown(C1)
        for apply in (*order, order[0]):
            record = apply(record)
        ends.add(record.registers.model_dump_json())
    assert len(ends) == 1


def test_withdrawing_the_work_makes_everything_before_it_stale() -> None:
    work = WorkRecord(
        work_id=WorkId("w"), generation=FIRST_GENERATION, chapters=(known(head(1, revision=9)),)
    )
    after = registers.withdraw_work(work, 5)
    assert after.floor == 5
    assert after.chapters == ()


def test_what_came_after_a_late_withdrawal_of_the_work_stays() -> None:
    work = WorkRecord(work_id=WorkId("w"), generation=FIRST_GENERATION, chapters=(known(head(8)),))
    after = registers.withdraw_work(work, 5)
    assert [chapter.live for chapter in after.chapters] == [True]
