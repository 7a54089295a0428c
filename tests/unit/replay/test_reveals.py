from __future__ import annotations

import pytest

from contracts.ids import CharacterId
from replay.evaluation.characters import Found
from replay.evaluation.reveals import Reveal, known_since

A, B, C = (CharacterId(each) for each in "abc")
STRANGER = Reveal("stranger", frozenset({"griffin", "jack griffin"}), 3)


def _found(*links: tuple[int, CharacterId, CharacterId], **named: int) -> Found:
    names = {A: {"stranger": 0}, B: {"griffin": 1, **named}, C: {"robber": 2}}
    return Found(names=names, identities=list(links))


@pytest.mark.parametrize(
    ("found", "known"),
    [
        (_found(), (None, False)),
        (_found((3, B, A)), (3, True)),
        (_found((2, C, A), (4, B, C)), (4, True)),  # by way of a third
        (_found((4, C, A), (2, B, C)), (4, True)),
        (_found(stranger=2), (2, False)),  # one character has both names
        (_found((1, B, A), stranger=2), (1, True)),
    ],
)
def test_when_a_name_and_a_description_mean_one_person(
    found: Found, known: tuple[int | None, bool]
) -> None:
    assert known_since(found, STRANGER) == known
