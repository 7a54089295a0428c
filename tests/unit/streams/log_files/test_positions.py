"""What a header named is where it was among the events of its work, whatever the numbers."""

from __future__ import annotations

from streams.log_files.positions import NamedPlaces

LINE, OTHER = (0, b"w"), (0, b"v")


def test_a_named_place_becomes_the_new_one_of_the_same_event() -> None:
    named = NamedPlaces.of([(LINE, 4), (LINE, 4), (OTHER, 9)])
    assert not named.meets(LINE, 3)
    assert not named.meets(OTHER, 4)
    assert named.meets(LINE, 4)
    assert named.new_place(LINE, 4) is None
    named.met(LINE, 4, 104)
    named.met(LINE, 6, 106)
    assert named.new_place(LINE, 4) == 104
    assert not named.meets(LINE, 7)
    assert named.new_place(OTHER, 9) is None


def test_a_place_that_is_held_no_more_is_that_of_the_next_event_of_its_work() -> None:
    named = NamedPlaces.of([(LINE, 4), (LINE, 5), (LINE, 8)])
    assert named.meets(LINE, 7)
    named.met(LINE, 7, 0)
    assert (named.new_place(LINE, 4), named.new_place(LINE, 5)) == (0, 0)
    assert named.new_place(LINE, 8) is None
