"""Frozen word frequencies: how common a word is in a language, whatever the work says.

The numbers are the small lists of the `wordfreq` package (words above one in a million); rarer
words weigh nothing in either use: a passage count of 2,000 passages expects 0.2 of them.
Read from the package's own data files, since importing the package takes ten times as long.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import msgpack

BACKGROUND_VERSION: Final = f"wordfreq-{version('wordfreq')}-small"
_LISTED_AS: Final = {"no": "nb", "nn": "nb", "sr": "sh", "hr": "sh", "bs": "sh", "tl": "fil"}
_CENTIBELS_A_DECADE: Final = 100
_CACHED_TAGS: Final = 256


@lru_cache(maxsize=_CACHED_TAGS)
def primary(language: str) -> str:
    """Return the primary subtag of a BCP 47 tag, lower-cased: `zh-Hans` is `zh`."""
    return language.replace("_", "-").split("-", 1)[0].casefold()


@cache
def word_probabilities(language: str) -> Mapping[str, float]:
    """Return each listed word's share of all words; empty for a language without a list.

    `language` is a primary subtag.
    """
    path = _data_file(f"small_{_LISTED_AS.get(language, language)}.msgpack.gz")
    if not language.isalpha() or not path.exists():
        return {}
    header, *bands = msgpack.unpackb(gzip.decompress(path.read_bytes()))
    if header != {"format": "cB", "version": 1}:
        raise RuntimeError(f"{path.name}: the word list's format changed to {header}")
    return {
        word: 10 ** (-centibels / _CENTIBELS_A_DECADE)
        for centibels, words in enumerate(bands)
        for word in words
    }


def simplified(text: str) -> str:
    """Return Chinese text character by character in simplified form, for comparing only."""
    return text.translate(_simplified_forms())


@cache
def _simplified_forms() -> dict[int, int | str]:
    packed = _data_file("_chinese_mapping.msgpack.gz").read_bytes()
    forms: dict[int, int | str] = msgpack.unpackb(gzip.decompress(packed), strict_map_key=False)
    return forms


def _data_file(name: str) -> Path:
    spec = find_spec("wordfreq")
    if spec is None or spec.origin is None:
        raise RuntimeError("the package wordfreq is not installed")
    return Path(spec.origin).parent / "data" / name
