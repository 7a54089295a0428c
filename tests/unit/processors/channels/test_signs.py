from __future__ import annotations

import pytest

from processors.channels.signs import signs_of


@pytest.mark.parametrize(
    ("language", "sign", "text"),
    [
        ("en", "age", "She was thirty-one years old."),
        ("en", "age", "I am twenty-nine."),
        ("en", "duration", "He waited for three long weeks."),
        ("en", "duration", "after half an hour"),
        ("en", "clock", "It was ten o'clock."),
        ("en", "clock", "They came at half-past eight."),
        ("en", "date", "on the 3rd of December, 1878"),
        ("en", "number", "There were no less than four such marks."),
        ("en", "frequency", "This is the second time."),
        ("en", "kinship", "His step-mother wept."),
        ("en", "predicate", "Osk was my first mate."),
        ("de", "clock", "Es war zehn Uhr."),
        ("de", "kinship", "Ihre Großmutter kam."),
        ("zh", "number", "八个妖怪"),
        ("zh", "age", "年方十八岁"),
    ],
)
def test_an_expression_is_seen(language: str, sign: str, text: str) -> None:
    assert getattr(signs_of(language), sign).search(text if sign == "date" else text.lower())


@pytest.mark.parametrize("sign", ["age", "duration", "clock", "date", "number", "kinship"])
def test_plain_narration_shows_no_sign(sign: str) -> None:
    assert not getattr(signs_of("en"), sign).search("the ferry turned slowly into the wind.")


def test_an_unknown_language_has_no_signs() -> None:
    assert not signs_of("ja").number.search("12 one")


def test_a_month_is_told_from_a_word_by_its_capital() -> None:
    assert signs_of("en").date.search("In May he came.")
    assert not signs_of("en").date.search("He may come.")
