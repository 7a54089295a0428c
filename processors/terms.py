"""Terms: what the lexical vectors count, and the stable number of each."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

import Stemmer

from contracts.vectors import TERM_NUMBERS
from processors.background import primary
from processors.word_forms import folded_runs, is_cjk

TERMS_VERSION: Final = f"terms-1/snowball-{Stemmer.version()}"
_CACHED_WORDS: Final = 2**17  # a long novel has some 20,000 forms
_STEMMERS: Final[Mapping[str, str]] = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german",
    "el": "greek", "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian",
    "eu": "basque", "fa": "persian", "fi": "finnish", "fr": "french", "ga": "irish",
    "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian",
    "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch", "nn": "norwegian",
    "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian",
    "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip


def terms_of(text: str, language: str) -> list[str]:
    """Return the terms of `text` in order, repeats included.

    Stems where the language has a stemmer, folded words else; of Chinese and Japanese runs the
    overlapping pairs of characters (a run of one character is its own term).
    """
    stem = stem_of(primary(language))
    words, any_cjk = folded_runs(text, language)
    if not any_cjk:
        return [stem(word) for word in words]
    terms: list[str] = []
    for word in words:
        if is_cjk(word):
            terms.extend(_pairs(word))
        else:
            terms.append(stem(word))
    return terms


@cache
def stem_of(language: str) -> Callable[[str], str]:
    """Return the stemmer of a language (a primary subtag); the identity where there is none."""
    algorithm = _STEMMERS.get(language)
    if algorithm is None:
        return str
    return lru_cache(maxsize=_CACHED_WORDS)(Stemmer.Stemmer(algorithm, 0).stemWord)


@lru_cache(maxsize=_CACHED_WORDS)
def term_number(term: str) -> int:
    """Return the term's number, the same on every machine and in every release."""
    digest = hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little") % TERM_NUMBERS


def _pairs(run: str) -> Iterable[str]:
    return map("".join, pairwise(run)) if len(run) > 1 else (run,)
