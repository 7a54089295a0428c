r"""The one word count: budgets and sizes everywhere mean this.

A word is a run of `\w`; every Chinese, Japanese or Korean code point counts as one, since those
scripts put no spaces between words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

CJK: Final = (
    "\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"
    "\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003134f"
)
_WORD: Final = re.compile(rf"[{CJK}]|(?:(?![{CJK}])\w)+")
_PLAIN_WORD: Final = re.compile(r"\w+")  # the same, where there is no such code point: far faster
_HAS_CJK: Final = re.compile(rf"[{CJK}]")

_WESTERN: Final = "cp1252"
_WORDS_ALONE: Final = "".join(
    "w" if _PLAIN_WORD.match(character) else " "
    for character in bytes(range(256)).decode(_WESTERN, "replace")
).encode()
"""By byte a letter for what is in a word, else a space: Western text is counted so in a fifth of
the time, since no word need be made of it."""


def iter_words(text: str) -> Iterator[tuple[int, int]]:
    """Yield the code-point span (start, end) of each word of `text`, in order."""
    for match in _words_of(text).finditer(text):
        yield match.span()


def count_words(text: str) -> int:
    """Return the number of words in `text`."""
    try:
        western = text.encode(_WESTERN)
    except UnicodeEncodeError:
        return len(_words_of(text).findall(text))
    return len(western.translate(_WORDS_ALONE).split())


def counts_within(text: str, spans: Iterable[tuple[int, int]]) -> list[int]:
    """Return the number of words in each of `spans`, code points `[start, end)` of `text`."""
    try:
        marked = text.encode(_WESTERN).translate(_WORDS_ALONE)
    except UnicodeEncodeError:
        return [count_words(text[start:end]) for start, end in spans]
    return [len(marked[start:end].split()) for start, end in spans]


def _words_of(text: str) -> re.Pattern[str]:
    """Return the pattern of a word of `text`."""
    return _PLAIN_WORD if text.isascii() or _HAS_CJK.search(text) is None else _WORD


def folded(name: str) -> str:
    """Return `name` as names are compared: in compatible forms, without case, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().replace("’", "'").split())
