"""What of an input is news, next to what is indexed."""

from __future__ import annotations

from contracts.events import (
    ChapterMoved,
    ChapterPublished,
    WorkDescribed,
    WorkReordered,
)
from contracts.ids import FIRST_GENERATION, ChapterId, WorkId, content_hash
from contracts.order import OrderToken, Registers
from contracts.ordinals import Ordinal
from contracts.works import ChapterRecord, WorkRecord
from streams.comparing import Comparison, compare
from streams.inputs.values import ChapterInput, Problem
from tests.unit.streams.stand_ins import published

WORK = WorkId("w")


def given(
    *chapters: ChapterPublished, title: str = "T", problem: str | None = None
) -> ChapterInput:
    problems = (Problem("f", problem, "bad", "mend it"),) if problem else ()
    return ChapterInput(WorkDescribed(work_id=WORK, title=title), chapters, problems)


def indexed(*chapters: ChapterPublished, present: bool = True, author: str = "") -> WorkRecord:
    token = OrderToken(-1, 0)
    records = tuple(
        ChapterRecord(
            chapter_id=chapter.chapter_id,
            registers=Registers(
                text=token, ordinal=token, presence=token, present=present, place=chapter.ordinal
            ),
            content_hash=content_hash(
                chapter.format, chapter.language, chapter.title, chapter.body
            ),
        )
        for chapter in chapters
    )
    return WorkRecord(
        work_id=WORK, generation=FIRST_GENERATION, title="T", author=author, chapters=records
    )


def counts(found: Comparison) -> tuple[int, ...]:
    return (found.new, found.changed, found.moved, found.unchanged, found.refused, found.missing)


ONE, TWO, THREE = published("1"), published("2", "It snowed."), published("3", "It froze.")


def test_of_an_unknown_work_all_is_new_and_its_name_goes_first() -> None:
    found = compare(given(TWO, ONE), None, ())
    assert counts(found) == (2, 0, 0, 0, 0, 0)
    assert isinstance(found.events[0], WorkDescribed)
    assert found.events[1:] == (ONE, TWO)


def test_the_same_again_is_no_work() -> None:
    found = compare(given(ONE, TWO), indexed(ONE, TWO), ())
    assert found.events == ()
    assert counts(found) == (0, 0, 0, 2, 0, 0)


def test_only_what_changed_is_published() -> None:
    edited = published("2", "It thawed.")
    found = compare(given(ONE, edited, THREE), indexed(ONE, TWO), ())
    assert found.events == (edited, THREE)
    assert counts(found) == (1, 1, 0, 1, 0, 0)


def test_a_title_is_part_of_what_was_published() -> None:
    assert compare(given(published("1", title="New")), indexed(ONE), ()).changed == 1


def test_the_same_text_at_another_place_is_a_move_without_text() -> None:
    found = compare(given(published("1", ordinal="9")), indexed(ONE), ())
    assert found.events == (
        ChapterMoved(work_id=WORK, chapter_id=ChapterId("1"), ordinal=Ordinal.parse(9)),
    )


def test_many_moves_are_one_renumbering() -> None:
    moved = (published("1", ordinal="2"), published("2", "It snowed.", ordinal="3"))
    found = compare(given(published("0", "It began.", ordinal="1"), *moved), indexed(ONE, TWO), ())
    assert [type(event) for event in found.events] == [WorkReordered, ChapterPublished]
    assert counts(found) == (1, 0, 2, 0, 0, 0)


def test_a_withdrawn_chapter_comes_back_only_when_told_to() -> None:
    found = compare(given(ONE, TWO), indexed(ONE, present=False), ())
    assert (found.new, found.withdrawn) == (1, 1)
    assert all(getattr(event, "chapter_id", "2") == "2" for event in found.events)
    found = compare(given(ONE, TWO), indexed(ONE, present=False), (), republish=True)
    assert (found.new, found.withdrawn) == (2, 0)


def test_a_hidden_chapter_is_a_withdrawn_one() -> None:
    work = indexed(ONE)
    hidden = work.model_copy(
        update={"chapters": tuple(c.model_copy(update={"hidden_by": 7}) for c in work.chapters)}
    )
    assert compare(given(ONE), hidden, ()).withdrawn == 1


def test_what_is_a_dead_letter_is_not_sent_again_as_it_is() -> None:
    dead = {ONE.to_json()}
    assert counts(compare(given(ONE, TWO), None, dead)) == (1, 0, 0, 0, 1, 0)
    # ... unless it came through since.
    assert counts(compare(given(ONE), indexed(ONE), dead)) == (0, 0, 0, 1, 0, 0)
    mended = published("1", "It rained on.")
    assert compare(given(mended), None, dead).new == 1


def test_what_is_missing_is_counted_and_nothing_else() -> None:
    found = compare(given(ONE), indexed(ONE, TWO, THREE), ())
    assert (found.missing, found.events) == (2, ())
    # A file that could not be read is in the input all the same.
    assert compare(given(ONE, problem="2"), indexed(ONE, TWO), ()).missing == 0


def test_a_description_keeps_what_the_input_does_not_say() -> None:
    assert compare(given(), indexed(author="A. N."), ()).events == ()
    (event,) = compare(given(title="New"), indexed(author="A. N."), ()).events
    assert isinstance(event, WorkDescribed)
    assert (event.title, event.author) == ("New", "A. N.")


def test_a_description_ranks_above_one_with_a_revision() -> None:
    work = indexed().model_copy(update={"described_at": OrderToken(7, 1)})
    (event,) = compare(given(title="New"), work, ()).events
    assert event.revision == 7
