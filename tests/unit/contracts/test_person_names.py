from __future__ import annotations

import pytest

from contracts.person_names import described, without_determiner


@pytest.mark.parametrize(
    "name",
    ["the stranger", "A spy", "Your unknown friend", "Mr. Inglethorp's voice", "der alte Mann",
     "one-legged seafaring man", "a lad of fourteen"],
)  # fmt: skip
def test_a_description_tells_something_without_a_capital(name: str) -> None:
    assert described(name)


@pytest.mark.parametrize(
    "name",
    ["Griffin", "The Sahib", "the Count of Paris", "the doctor", "Number One", "d'Artagnan",
     "Ludwig van Beethoven", "孙悟空", "那猴", "Mr. Hall"],
)  # fmt: skip
def test_a_name_is_no_description(name: str) -> None:
    assert not described(name)


def test_only_a_determiner_is_left_out() -> None:
    assert without_determiner("this burglar") == "burglar"
    assert without_determiner("An Li") == "An Li"
    assert without_determiner("A spy") == "spy"
    assert without_determiner("the") == "the"
