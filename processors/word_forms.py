"""Words as the lexical and the static vectors see them: folded, without possessive endings.

Folding (NFKC, case) happens here and in what compares, never in a stored text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

from contracts.words import CJK
from processors.background import primary, simplified

_APOSTROPHES: Final = "’ʼ＇‘`"
_PLAIN_WORD: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_WORD: Final = re.compile(rf"[{CJK}]+|(?:(?![{CJK}])[^\W_])+(?:'(?:(?![{CJK}])[^\W_])+)*")
_HAS_CJK: Final = re.compile(rf"[{CJK}]")
_WESTERN: Final = "cp1252"
_SPACED: Final = "".join(
    character if character == "'" or _PLAIN_WORD.match(character) else " "
    for character in bytes(range(256)).decode(_WESTERN, "replace")
).encode(_WESTERN)


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
    return _words(folded, any_cjk, language), any_cjk


def folded_parts(
    text: str, parts: Iterable[tuple[int, int]], language: str
) -> Iterator[tuple[list[str], bool]]:
    """Yield the `folded_runs` of each of `parts`, code points `[start, end)` of `text`.

    The text is folded once, if each code point of it becomes one: then parts can be cut out.
    """
    folded = _fold(text, language)
    if len(folded) != len(text) or not unicodedata.is_normalized("NFKC", text):
        yield from (folded_runs(text[start:end], language) for start, end in parts)
        return
    any_cjk = is_cjk(folded)
    spaced = _spaced(folded)
    for start, end in parts:
        if spaced is None or "'" in spaced[start:end]:
            yield _words(folded[start:end], any_cjk, language), any_cjk
        else:
            yield spaced[start:end].split(), any_cjk


def _spaced(folded: str) -> str | None:
    """Return text with spaces for all but words and apostrophes, None where it is not Western.

    To part it at spaces takes a third of the time that looking for words takes.
    """
    try:
        western = folded.encode(_WESTERN)
    except UnicodeEncodeError:
        return None
    return western.translate(_SPACED).decode(_WESTERN)


def _words(folded: str, any_cjk: bool, language: str) -> list[str]:
    words = (_WORD if any_cjk else _PLAIN_WORD).findall(folded)
    if "'" in folded:
        words = [word.removesuffix("'s") for word in words]
        if primary(language) != "en":
            words = [part for word in words for part in word.split("'")]
    return words


def is_cjk(text: str) -> bool:
    """Say whether there is a Chinese, Japanese or Korean character; words have all or none."""
    return not text.isascii() and _HAS_CJK.search(text) is not None


def _fold(text: str, language: str) -> str:
    folded = (text if text.isascii() else unicodedata.normalize("NFKC", text)).casefold()
    for mark in _APOSTROPHES:  # far faster than a translation, which goes letter by letter
        folded = folded.replace(mark, "'")
    return simplified(folded) if primary(language) == "zh" else folded
