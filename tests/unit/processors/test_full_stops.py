import json
import re

import pytest
from nltk.tokenize.punkt import PunktSentenceTokenizer

from processors import full_stops as module
from processors.abbreviations import HABITS
from processors.full_stops import REACH, full_stops
from replay.evaluation.shared_data import shared_data


@pytest.mark.parametrize(
    ("language", "before", "after", "ends"),
    [
        ("en", "said Mr", "Hyde came", False),
        ("en", "at 5 p.m", "He left", True),
        ("en", "at 5 p.m", "and then", False),
        ("en", "see No", "5 there", False),
        ("en", "said No", "He left", True),
        ("en", "than I", "Holmes came", True),
        ("en", "by J", "Watson", False),
        ("en", "by J.R.R", "Tolkien", False),
        ("en", "the door", "then", True),
        ("en", "Mr. and Mrs.-Mr", "Hyde", False),
        ("de", "am 3", "Mai", False),
        ("de", "war 1895", "Er kam", True),
        ("de", "wie z. B", "hier", False),
        ("it", "chi è", "Marco", True),
        ("ru", "и т. д", "потом", False),
    ],
)
def test_stops(language: str, before: str, after: str, *, ends: bool) -> None:
    assert full_stops(language).ends(before, after) is ends


def test_every_language_s_table_is_lower_case_and_without_last_stops() -> None:
    for language, habits in HABITS.items():
        words = (
            habits.abbreviations | habits.before_numbers | habits.after_numbers
            | habits.openers | habits.letters
        )  # fmt: skip
        assert all(word == word.lower() and not word.endswith(".") for word in words), language


@pytest.mark.corpus
def test_stops_that_punkt_is_not_asked_about_are_those_it_always_calls_an_end() -> None:
    punkt = PunktSentenceTokenizer(module._parameters(HABITS["en"]))
    stops = full_stops("en")
    book = json.loads(shared_data("books", "bleak-house.json").read_text(encoding="utf-8"))
    text = book["chapters"][0]["text"]
    compared = 0
    for match in re.finditer(r"(\w+)\.[”\"’]*\s+(?=[“\"‘]?(\w+))", text):
        before = text[max(0, match.end(1) - REACH) : match.end(1)]
        if not stops._is_doubtful(match.group(1)):
            context = f"{match.group(1)}. {match.group(2)}"
            assert stops.ends(before, match.group(2)) is punkt.text_contains_sentbreak(context)
            compared += 1
    assert compared > 50
