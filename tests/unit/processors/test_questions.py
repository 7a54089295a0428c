from __future__ import annotations

import pytest

from processors.question_words import Asked
from processors.questions import MAX_TERMS, analyse


@pytest.mark.parametrize(
    ("text", "language", "asked"),
    [
        ("Who killed the cook?", "en", Asked.PERSON),
        ("How many men went ashore when the tide rose?", "en", Asked.NUMBER),
        ("When and where did they meet?", "en", Asked.TIME),
        ("What made him laugh?", "en", Asked.REASON),
        ("In which room is the map?", "en-US", Asked.PLACE),
        ("Silver's parrot", "en", Asked.OTHER),
        ("Warum lachte er?", "de", Asked.REASON),
        ("猴王的师父是谁？", "zh-Hans", Asked.PERSON),
        ("他为什么笑？", "zh", Asked.REASON),
        ("猫はどこで生れたか", "ja", Asked.PLACE),
        ("Who is it?", "tlh", Asked.OTHER),
    ],
)
def test_what_is_asked_for(text: str, language: str, asked: Asked) -> None:
    assert analyse(text, language).asked is asked


def test_words_that_only_ask_are_no_terms() -> None:
    assert analyse("How did Silver leave, and why?", "en").terms == ("silver", "leav", "and")
    assert "什么" not in analyse("金箍棒是什么？", "zh").terms


def test_terms_are_distinct_and_in_order() -> None:
    assert analyse("The map, the old map", "en").terms == ("the", "map", "old")


def test_names_have_a_capital_that_no_sentence_beginning_gives() -> None:
    question = analyse("Does Captain Smollett trust O’Brien? Nobody knew.", "en")
    assert question.names == {"captain", "smollett", "o'brien"}
    assert analyse("Wann kam das Schiff?", "de").names == frozenset()


def test_of_a_very_long_question_the_rarest_terms_stay() -> None:
    text = " ".join(f"word{n}" for n in range(2 * MAX_TERMS)) + " the captain"
    terms = analyse(text, "en").terms
    assert len(terms) == MAX_TERMS
    assert "the" not in terms
