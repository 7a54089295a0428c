"""Signs that a sentence may hold the kind of answer that a question wants, by language.

A language that is not here has no signs; every sentence is then as likely.
Written from general knowledge of the languages.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from processors.background import primary
from processors.question_words import Asked
from processors.terms import terms_of


def shows(sentence: str, asked: Asked, language: str, known: Collection[str]) -> bool:
    """Say whether `sentence` has a sign of what is asked for (see `shown`)."""
    return shown([sentence], asked, language, known)[0]


def shown(
    sentences: Sequence[str], asked: Asked, language: str, known: Collection[str]
) -> list[bool]:
    """Say of each of `sentences` whether it has a sign of what is asked for.

    A person is shown by a name with a capital none of whose terms is in `known` (what the
    question names itself is no answer).
    """
    if asked is Asked.PERSON:
        return [_names_another(sentence, language, known) for sentence in sentences]
    sign = _SIGNS.get(primary(language), {}).get(asked)
    if sign is None:
        return [False] * len(sentences)
    return [sign.search(sentence) is not None for sentence in sentences]


def _names_another(sentence: str, language: str, known: Collection[str]) -> bool:
    return any(
        terms.isdisjoint(known)
        for name in _NAME.findall(sentence)
        if (terms := set(terms_of(name, language)))
    )


def _words(*words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(' '.join(words).split())})\b", re.IGNORECASE)


_NAME: Final = re.compile(r"(?<=[^\s.?!\"“”'‘’«»] )[^\W\d_a-z][^\W\d_]+")

_ENGLISH: Final = MappingProxyType(
    {
        Asked.NUMBER: _words(
            r"""\d+ one two three four five six seven eight nine ten eleven twelve \w+teen \w+ty
            hundreds? thousands? millions? dozens? once twice thrice half none no single both
            couple several"""
        ),
        Asked.TIME: _words(
            r"""days? nights? mornings? evenings? afternoons? noon midnight dawn dusk hours?
            minutes? weeks? months? years? o['’]clock spring summer autumn winter \w+day january
            february march april june july august september october november december when after
            before until till while then ago later soon yesterday to-?morrow to-?day to-?night"""
        ),
        Asked.PLACE: re.compile(
            r"\b(?:in|at|on|near|into|from|to|under|behind|beside|by|over|above|upon|inside|outside"
            r"|through|towards?)\s+(?:the|an?|h[ie][sr]|their|my|our|[A-Z])"
        ),
        Asked.REASON: _words(
            "because for since so therefore lest reason wanted wished cause account order to"
        ),
    }
)

_CHINESE: Final = MappingProxyType(
    {
        Asked.NUMBER: re.compile(r"[\d零〇一二三四五六七八九十百千万萬兩两半双雙]"),
        Asked.TIME: re.compile(r"[日月年夜晨晚朝早春夏秋冬时時]|之[后後前]|以[后後前]"),
        Asked.PLACE: re.compile(r"[在到至往于於从從]|[里裡中上下内內外][，。]"),
        Asked.REASON: re.compile(r"因|故|为|為|所以|由此|只?恐|要"),
    }
)

_SIGNS: Final[Mapping[str, Mapping[Asked, re.Pattern[str]]]] = MappingProxyType(
    {"en": _ENGLISH, "zh": _CHINESE}
)
