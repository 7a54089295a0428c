"""Words as the lexical and the static vectors see them: folded, without possessive endings.

Folding (NFKC, case) happens here and in what compares, never in a stored text.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from contracts.words import CJK
from processors.background import primary, simplified

_APOSTROPHES: Final = str.maketrans("’ʼ＇‘`", "'''''")
_PLAIN_WORD: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_WORD: Final = re.compile(rf"[{CJK}]+|(?:(?![{CJK}])[^\W_])+(?:'(?:(?![{CJK}])[^\W_])+)*")
_HAS_CJK: Final = re.compile(rf"[{CJK}]")


def folded_words(text: str, language: str) -> list[str]:
    """Return the folded words of `text` in order; a run of Chinese or Japanese is one item.

    A possessive 's is dropped. English keeps another apostrophe inside a word (o'brien, don't);
    other languages break at it (l'homme is two words). Chinese is folded to simplified
    characters, so that a question in one script finds a story in the other.
    """
    return folded_runs(text, language)[0]


def folded_runs(text: str, language: str) -> tuple[list[str], bool]:
    """Return the `folded_words` of `text`, and whether any of them can be Chinese or Japanese."""
    folded = _fold(text, language)
    any_cjk = is_cjk(folded)
    words = (_WORD if any_cjk else _PLAIN_WORD).findall(folded)
    if "'" in folded:
        words = [word.removesuffix("'s") for word in words]
        if primary(language) != "en":
            words = [part for word in words for part in word.split("'")]
    return words, any_cjk


def is_cjk(text: str) -> bool:
    """Say whether there is a Chinese, Japanese or Korean character; words have all or none."""
    return not text.isascii() and _HAS_CJK.search(text) is not None


def _fold(text: str, language: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_APOSTROPHES)
    return simplified(folded) if primary(language) == "zh" else folded
