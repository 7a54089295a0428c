from __future__ import annotations

import pytest

from contracts.ports import PassageCounts
from contracts.vectors import TERM_NUMBERS
from processors.lexicon import K1, MAX_QUERY_WEIGHT, Lexicon
from processors.terms import term_number

NOTHING = PassageCounts(0, {})
LEXICON = Lexicon()


@pytest.mark.parametrize(
    ("text", "language", "terms"),
    [
        ("The captain’s ships, sailing!", "en", ["the", "captain", "ship", "sail"]),
        ("O’Brien didn't", "en-GB", ["o'brien", "didn't"]),
        ("L’homme dansait", "fr", ["l", "homm", "dans"]),
        ("孫悟空 took 棒", "zh", ["孙悟", "悟空", "took", "棒"]),
        ("吾輩は猫", "ja", ["吾輩", "輩は", "は猫"]),
        ("ﬁne ＡＢＣ _nice_", "tlh", ["fine", "abc", "nice"]),
        ("… — !?", "en", []),
    ],
)
def test_terms(text: str, language: str, terms: list[str]) -> None:
    assert LEXICON.terms(text, language) == terms


def test_term_numbers_never_change() -> None:
    assert term_number("captain") == 911543735
    assert 0 <= term_number("悟空") < TERM_NUMBERS


def test_document_weights_saturate_and_rise_by_number() -> None:
    once = dict(LEXICON.document(["ship"]))[term_number("ship")]
    often = dict(LEXICON.document(["ship"] * 50))[term_number("ship")]
    assert once < often < 64 * (K1 + 1) <= 64 * 4
    numbers = [number for number, _ in LEXICON.document(["a", "b", "c", "d"])]
    assert numbers == sorted(numbers)


def test_a_long_document_counts_each_term_less() -> None:
    short = dict(LEXICON.document(["ship", "sea"]))
    long = dict(LEXICON.document(["ship", *(f"w{n}" for n in range(500))]))
    assert short[term_number("ship")] > long[term_number("ship")]


def test_rarity_is_pooled_from_background_and_work() -> None:
    assert LEXICON.rarity("the", NOTHING, "en") < 0.1
    assert LEXICON.rarity("schooner", NOTHING, "en") > 6
    common_here = PassageCounts(1_000, {"schooner": 900})
    assert LEXICON.rarity("schooner", common_here, "en") < 2
    assert LEXICON.rarity("whale", PassageCounts(1_000, {}), "en") > LEXICON.rarity(
        "whale", NOTHING, "en"
    )


def test_a_query_counts_each_term_once() -> None:
    once = LEXICON.query(["whale", "ship"], NOTHING, "en")
    assert LEXICON.query(["ship", "whale", "whale"], NOTHING, "en") == once
    weights = dict(once)
    assert weights[term_number("whale")] == round(128 * LEXICON.rarity("whale", NOTHING, "en"))


def test_a_query_of_any_length_keeps_scores_exact() -> None:
    terms = [f"word{n}" for n in range(5_000)]
    held = PassageCounts(10, {"captain": 3})
    query = LEXICON.query(["the", "captain", *terms], held, "en")
    assert term_number("captain") in dict(query)
    assert sum(weight for _, weight in query) <= 128 * MAX_QUERY_WEIGHT
    assert MAX_QUERY_WEIGHT * 4 <= 2_048


def test_no_terms_make_empty_vectors() -> None:
    assert LEXICON.document([]) == ()
    assert LEXICON.query([], NOTHING, "en") == ()
