"""What a question asks for, and by which terms its answer may be found.

The words that only make it a question (who, how many, 为什么) are no terms: a story full of
direct speech has them everywhere, and rarity alone does not keep them out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from processors.background import primary
from processors.question_words import Asked, question_words
from processors.term_background import expected_share
from processors.terms import terms_of

MAX_TERMS: Final = 1_000
"""Of a longer question the terms that are rarest in general: the store counts each."""

_INSIDE_WORD: Final = re.compile(r"(?<=[^\s.?!] )[^\W\d_]+(?:['’][^\W\d_]+)*")
"""A word that does not open a sentence, where a capital tells nothing."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question taken apart. `terms` are distinct, in order; `names` are those with a capital."""

    text: str
    language: str
    asked: Asked
    terms: tuple[str, ...]
    names: frozenset[str]


def analyse(text: str, language: str) -> Question:
    """Take a question apart, read in `language` (a BCP 47 tag)."""
    words = question_words(language)
    content = words.bare.sub(" ", text)
    terms = dict.fromkeys(terms_of(content, language))
    return Question(
        text=text,
        language=language,
        asked=_asked(text, words.kinds),
        terms=_rarest(tuple(terms), language),
        names=_names(text, language).intersection(terms),
    )


def _rarest(terms: tuple[str, ...], language: str) -> tuple[str, ...]:
    if len(terms) <= MAX_TERMS:
        return terms
    ranked = sorted(terms, key=lambda term: (expected_share(term, language), term))
    kept = frozenset(ranked[:MAX_TERMS])
    return tuple(term for term in terms if term in kept)


def _asked(text: str, kinds: Mapping[Asked, re.Pattern[str]]) -> Asked:
    """Return the kind whose words stand first; of words that start together the longest."""
    found = [
        (match.start(), -match.end(), asked)
        for asked, pattern in kinds.items()
        if (match := pattern.search(text))
    ]
    return min(found)[2] if found else Asked.OTHER


def _names(text: str, language: str) -> frozenset[str]:
    """Return the terms of words with a capital; German writes every noun so, and tells nothing."""
    if primary(language) == "de":
        return frozenset()
    words = (word for word in _INSIDE_WORD.findall(text) if word[0].isupper())
    return frozenset(term for word in words for term in terms_of(word, language))
