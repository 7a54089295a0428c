r"""The one word count: budgets and sizes everywhere mean this.

A word is a run of `\w`; every Chinese, Japanese or Korean code point counts as one, since those
scripts put no spaces between words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

CJK: Final = (
    "\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"
    "\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003134f"
)
_WORD: Final = re.compile(rf"[{CJK}]|(?:(?![{CJK}])\w)+")
_PLAIN_WORD: Final = re.compile(r"\w+")  # the same, where there is no such code point: far faster
_HAS_CJK: Final = re.compile(rf"[{CJK}]")


def iter_words(text: str) -> Iterator[tuple[int, int]]:
    """Yield the code-point span (start, end) of each word of `text`, in order."""
    for match in _words_of(text).finditer(text):
        yield match.span()


def count_words(text: str) -> int:
    """Return the number of words in `text`."""
    return len(_words_of(text).findall(text))


def _words_of(text: str) -> re.Pattern[str]:
    """Return the pattern of a word of `text`."""
    return _PLAIN_WORD if text.isascii() or _HAS_CJK.search(text) is None else _WORD


def folded(name: str) -> str:
    """Return `name` as names are compared: in compatible forms, without case, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().replace("’", "'").split())
