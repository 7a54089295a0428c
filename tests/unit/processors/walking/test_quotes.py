"""What a model quotes is found in the text as it stands, or not at all."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from contracts.words import count_words
from processors.one_line import one_line
from processors.walking.quotes import FEWEST_WORDS, found_in, pieces

TEXT = (
    "“I know him,” said Hedda—and she\n  knew <that> he'd gone… Näve [sic] cafe\u0301s burned. "
    "「灯台の鍵は彼が持っている。」 Soft\u00adened by rain, the ledger lay open."
)


def found(quote: str, text: str = TEXT) -> str | None:
    span = found_in(quote, text, 0, len(text))
    return None if span is None else text[slice(*span)]


@pytest.mark.parametrize(
    ("quote", "stands"),
    [
        ("I know him", "I know him"),
        ("the ledger lay open!", "the ledger lay open"),
        ("the ledger lay open.", "the ledger lay open."),
        ('"I know him," said Hedda', "I know him,” said Hedda"),
        ("“I know him,”", "I know him,”"),
        ("and she knew ‹that› he’d gone...", "and she\n  knew <that> he'd gone…"),
        ("Näve (sic) cafés burned", "Näve [sic] cafe\u0301s burned"),
        ("Nave (sic) cafés", "Näve [sic] cafe\u0301s"),
        ("灯台の鍵は彼が", "灯台の鍵は彼が"),
        ("Softened by rain", "Soft\u00adened by rain"),
        ("said Hedda--and she", "said Hedda—and she"),
    ],
)
def test_a_copy_is_found_as_it_stands(quote: str, stands: str) -> None:
    assert found(quote) == stands


@pytest.mark.parametrize(
    "quote",
    ["", "…", "Hedda", "said Hedda", "I know her", "the ledger lay ope", "now him, said Hedda"],
)
def test_what_does_not_stand_there_or_shows_nothing_is_not_found(quote: str) -> None:
    assert found(quote) is None


def test_only_the_part_that_was_shown_is_looked_at() -> None:
    assert found_in("I know him", TEXT, 5, len(TEXT)) is None
    assert found_in("lay open", "lay open lay open now", 9, 21) is None
    assert found_in("lay open now", "lay open now. lay open now.", 9, 27) == (14, 26)


def test_a_quote_with_an_omission_has_pieces() -> None:
    assert pieces("I know him … the ledger [...] lay") == ("I know him", "the ledger", "lay")
    assert pieces("I know him.") == ()


def _seen(text: str) -> str:
    """What is left of a text when all that may differ is taken away."""
    plain = unicodedata.normalize("NFKD", one_line(text))
    return re.sub(r"[\W_]+", "", "".join(c for c in plain if unicodedata.category(c) != "Mn"))


@given(st.text(max_size=60), st.integers(0, 60), st.integers(0, 60))
@example("a b c", 0, 5)
def test_whatever_is_found_reads_as_the_quote_does(text: str, one: int, other: int) -> None:
    quote = one_line(text[min(one, other) : max(one, other)])
    span = found_in(quote, text, 0, len(text))
    if span is not None:
        assert 0 <= span[0] < span[1] <= len(text)
        assert _seen(text[slice(*span)]) == _seen(quote)


@given(st.lists(st.sampled_from(["he", "ran", "“No,”", "—", "灯", "é", "\n"]), min_size=1))
def test_a_whole_text_is_found_in_itself(words: list[str]) -> None:
    text = " ".join(words)
    if count_words(unicodedata.normalize("NFKD", text)) > 2 * FEWEST_WORDS:
        assert found_in(text, text, 0, len(text)) is not None
