"""How many passages of any story are expected to hold a term, from frozen word frequencies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final

from processors.background import primary, word_probabilities
from processors.terms import stem_of
from processors.word_forms import is_cjk

_PASSAGE_WORDS: Final = 100


def expected_share(term: str, language: str) -> float:
    """Return the share of 100-word passages that hold `term` in general prose, 0 to 1."""
    if is_cjk(term):
        probability = _character_table(primary(language)).probability(term)
    else:
        probability = _stem_probabilities(primary(language)).get(term, 0.0)
    return float(1 - (1 - min(probability, 1.0)) ** _PASSAGE_WORDS)


@dataclass(frozen=True, slots=True)
class _CharacterTable:
    """Shares of all characters (or pairs): inside words, at a word's start, at its end."""

    inside: Mapping[str, float]
    starts: Mapping[str, float]
    ends: Mapping[str, float]
    a_character: float

    def probability(self, term: str) -> float:
        """Return a pair's share, whether inside a word or across two, taken as independent."""
        across = self.starts.get(term[-1], 0.0) * self.ends.get(term[0], 0.0)
        return (self.inside.get(term, 0.0) + (across if len(term) > 1 else 0.0)) * self.a_character


@cache
def _stem_probabilities(language: str) -> Mapping[str, float]:
    stem = stem_of(language)
    shares: defaultdict[str, float] = defaultdict(float)
    for word, share in word_probabilities(language).items():
        shares[stem(word.removesuffix("'s"))] += share
    return shares


@cache
def _character_table(language: str) -> _CharacterTable:
    inside: defaultdict[str, float] = defaultdict(float)
    starts: defaultdict[str, float] = defaultdict(float)
    ends: defaultdict[str, float] = defaultdict(float)
    characters = 0.0
    for word, share in word_probabilities(language).items():
        characters += share * len(word)
        starts[word[0]] += share
        ends[word[-1]] += share
        for pair in pairwise(word) if len(word) > 1 else (word,):
            inside["".join(pair)] += share
    return _CharacterTable(inside, starts, ends, 1 / characters if characters else 0.0)
