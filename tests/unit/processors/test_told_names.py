from __future__ import annotations

import pytest

from processors.told_names import names_two_ways, times_named

TEXT = """The stranger sat down. Nobody knew the
stranger, but Ann did. Annabel was his niece. 那猴笑了。"""


@pytest.mark.parametrize(
    ("name", "times"),
    [
        ("the stranger", 2),  # at the start of a sentence, and across a line
        ("Ann", 1),  # no part of a word
        ("ann", 1),  # a word without a capital may open a sentence
        ("ANN", 0),
        ("猴", 1),
        ("he", 0),
        ("nobody", 0),
        ("", 0),
        ("—", 0),
        ("Griffin", 0),
    ],
)
def test_how_often_a_name_stands(name: str, times: int) -> None:
    assert times_named(name, TEXT) == times


def test_two_names_must_differ_and_both_stand() -> None:
    assert names_two_ways(("Ann", "the stranger"), TEXT)
    assert not names_two_ways(("The stranger", "the stranger"), TEXT)
    assert not names_two_ways(("Griffin", "the stranger"), TEXT)
    assert not names_two_ways(("he", "the stranger"), TEXT)
