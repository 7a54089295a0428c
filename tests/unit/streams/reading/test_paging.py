"""A cursor goes on in the list that it is of, as of the chapter that it is of, and nowhere else."""

from __future__ import annotations

import pytest

from contracts.ids import WorkId
from contracts.ordinals import Ordinal
from contracts.requests import OneThread, Page
from contracts.story_graph import CastPlace, StoryPlace, ThreadPlace
from streams.inputs.values import UnusableInput
from streams.reading.paging import turn_of
from tests.unit.streams.reading.tale import a_page

SEVEN = Ordinal.parse(7)


def a_cursor(asked: Page) -> str:
    turn = turn_of(asked, CastPlace)
    places = [CastPlace(9 - n, int(SEVEN), f"id-{n}") for n in range(3)]
    cursor = turn.next(places, places, SEVEN)
    assert cursor is not None
    return cursor


def test_the_last_page_has_no_next() -> None:
    places = [CastPlace(1, 2, "id")] * 2
    assert turn_of(a_page(2), CastPlace).next(places, places, SEVEN) is None


def test_it_goes_on_as_of_the_same_chapter() -> None:
    cursor = a_cursor(a_page(2))
    turn = turn_of(a_page(3, cursor), CastPlace)  # another length, and the head as before
    assert (turn.as_of, turn.after, turn.limit) == (SEVEN, CastPlace(8, int(SEVEN), "id-1"), 3)
    same = a_page(2, cursor).model_copy(update={"as_of": SEVEN})
    assert turn_of(same, CastPlace).as_of == SEVEN


def test_it_does_not_go_on_as_of_another_chapter() -> None:
    other = a_page(2, a_cursor(a_page(2))).model_copy(update={"as_of": Ordinal.parse(6)})
    with pytest.raises(UnusableInput, match="as of chapter 7"):
        turn_of(other, CastPlace)


@pytest.mark.parametrize(
    "after", ["", "x", "nonsense!", "bm9uc2Vuc2U", "é", "eyJvZiI6IngifQ", "A" * 5]
)
def test_what_is_no_cursor_is_refused(after: str) -> None:
    with pytest.raises(UnusableInput, match="cannot go on"):
        turn_of(a_page(2, after), CastPlace)


def test_nor_one_of_another_list() -> None:
    cursor = a_cursor(a_page(2))
    elsewhere = a_page(2, cursor).model_copy(update={"work_id": WorkId("another")})
    with pytest.raises(UnusableInput, match="of the same list"):
        turn_of(elsewhere, CastPlace)
    of_a_thread = OneThread(work_id="tale", as_of="head", thread="x", after=cursor)
    with pytest.raises(UnusableInput, match="of the same list"):
        turn_of(of_a_thread, StoryPlace)


def test_nor_a_place_that_is_none() -> None:
    with pytest.raises(UnusableInput, match="no place"):
        turn_of(a_page(2, a_cursor(a_page(2))), ThreadPlace)
