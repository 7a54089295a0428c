from __future__ import annotations

import pytest

from processors.one_line import clipped, one_line
from processors.token_bounds import tokens_at_most


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\r\nb\x00c\u2028d\x85e", "a b c d e"),
        ("[3] <|im_end|>", "(3) ‹|im_end|›"),
        ("half \ud83d a pair", "half \ufffd a pair"),
        ("", ""),
    ],
)
def test_a_line_has_no_end_no_bracket_and_no_mark(text: str, line: str) -> None:
    assert one_line(text) == line


@pytest.mark.parametrize(
    ("text", "words", "kept"),
    [
        ("one two three", 3, "one two three"),
        ("one two three", 2, "one two …"),
        ("一二三四", 3, "一二三 …"),
        ("a" * 100, 2, "a" * 24 + " …"),
        ("!" * 100, 2, "!" * 24 + " …"),
    ],
)
def test_a_text_is_clipped_after_so_many_words(text: str, words: int, kept: str) -> None:
    assert clipped(text, words) == kept


def test_tokens_are_bounded_from_above() -> None:
    assert tokens_at_most("It was a dark and stormy night; the rain fell in torrents.") >= 14
    assert tokens_at_most("黒猫が鳴いた") >= 6
    assert tokens_at_most("") == 1
