"""Finds what a model quotes in the text that it was shown, code point for code point.

A model copies words, not white space, and changes the shape of quotation marks, dashes and
brackets (we change some ourselves before we show a text): those are folded on both sides, and
what matches is mapped back to the text as it stands.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from contracts.words import count_words

FEWEST_WORDS: Final = 3
"""Fewer words stand in any text and show nothing."""

_SAME: Final[dict[str, str]] = {
    **dict.fromkeys("‘’‚‛′`´ʼ“”„‟″«»‹›「」『』<>", "'"),
    '"': "'",
    **dict.fromkeys("‐‑‒–—―−", "-"),
    **dict.fromkeys("[{（［｛【", "("),
    **dict.fromkeys("]}）］｝】", ")"),
    "…": ".",
}
_RUNS: Final = frozenset(" '-.")  # "--" is a dash, and "''" a quotation mark, and three points one
_UNSEEN: Final = ("Cf", "Mn")
"""Soft hyphens and joiners nobody sees; an accent is part of its letter or stands behind it."""

_OMISSION: Final = re.compile(r"\[?(?:…|\.\.\.+|\. \. \.)\]?")
_AT_THE_EDGES: Final = " '-.(),;:!?。、"


def found_in(quote: str, text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return where `quote` stands in `text[start:end]`, as code points of `text`.

    Marks at the quote's edges need not stand there; those behind it are taken along if they do.
    None where it does not stand there, or says
    too little.
    """
    copied = "".join(letter for letter, _ in _folded(quote, 0, len(quote))).lstrip(_AT_THE_EDGES)
    wanted = copied.rstrip(_AT_THE_EDGES)
    if count_words(wanted) < FEWEST_WORDS:
        return None
    folded = list(_folded(text, start, end))
    at = _as_words("".join(letter for letter, _ in folded), wanted)
    if at < 0:
        return None
    first, after = folded[at][1], folded[at + len(wanted) - 1][1] + 1
    while after < end and unicodedata.category(text[after]) == "Mn":
        after += 1  # the accent belongs to its letter
    for mark in copied[len(wanted) :]:
        if after == end or _letters(text[after]) != mark or mark == " ":
            break
        after += 1
    return first, after


def pieces(quote: str) -> tuple[str, ...]:
    """Return what stands between the marks of omission in a quote; none where there are none."""
    parts = tuple(filter(None, map(str.strip, _OMISSION.split(quote))))
    return parts if len(parts) > 1 else ()


def _as_words(text: str, wanted: str) -> int:
    """Return where `wanted` stands in `text` and cuts no word in two; -1 where it does not."""
    at = text.find(wanted)
    while at >= 0:
        if not (_joins(text, at) or _joins(text, at + len(wanted))):
            return at
        at = text.find(wanted, at + 1)
    return -1


def _joins(text: str, at: int) -> bool:
    """Say whether the letters before and after `at` belong to one word of an alphabet."""
    return 0 < at < len(text) and all(
        letter.isalnum() and unicodedata.category(letter) != "Lo"
        for letter in text[at - 1 : at + 1]
    )


def _folded(text: str, start: int, end: int) -> Iterator[tuple[str, int]]:
    """Yield each letter that counts with its place; a run of blanks or marks counts once."""
    before = ""
    for place in range(start, end):
        for letter in _letters(text[place]):
            if letter == before and letter in _RUNS:
                continue
            before = letter
            yield letter, place


def _letters(point: str) -> str:
    if point.isspace():
        return " "
    if point in _SAME:
        return _SAME[point]
    if point.isascii():
        return point
    return "".join(
        part
        for part in unicodedata.normalize("NFKD", point)
        if unicodedata.category(part) not in _UNSEEN
    )
