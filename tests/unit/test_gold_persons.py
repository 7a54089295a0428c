"""What the gold script lets a model say of a chapter is what the chapter lets it know."""

from __future__ import annotations

from tests.model_server.gold_persons import GoldPersons

PERSONS = GoldPersons.of(
    {
        "characters": [
            {
                "name": "Griffin",
                "aliases": [
                    {"alias": "the stranger", "first_chapter": 0, "revealed_chapter": 2},
                    {"alias": "the lodger", "first_chapter": 0, "revealed_chapter": 2},
                    {"alias": "Griffin", "first_chapter": 2, "revealed_chapter": 2},
                ],
            }
        ]
    }
)
EARLY = ["The stranger came in.", "The lodger ate, and Griffin was not named."]
LATE = ["The stranger took off his hat.", "It was Griffin."]


def test_before_the_reveal_only_descriptions_are_told() -> None:
    assert PERSONS.who(["Griffin"], 0, EARLY) == ["the stranger", "the lodger"]
    assert PERSONS.identities(0, EARLY) == [
        {"name": "the lodger", "also": "the stranger", "at_idx": 2}
    ]
    assert PERSONS.identities(1, EARLY) == []


def test_who_it_is_is_told_in_the_revealing_chapter_only() -> None:
    assert PERSONS.who(["Griffin"], 2, LATE) == ["Griffin"]
    assert PERSONS.identities(2, LATE) == [{"name": "Griffin", "also": "the stranger", "at_idx": 2}]
    hidden, named = {"person_1": ["that stranger"], "person_2": ["a boy"]}, {"c1": "Jack Griffin"}
    assert PERSONS.revealed(2, hidden, named) == {"person_1": "c1", "person_2": "none"}
    assert PERSONS.revealed(3, hidden, named) == {"person_1": "none", "person_2": "none"}
