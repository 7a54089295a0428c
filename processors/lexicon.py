"""Lexical vectors of our own: exact, as-of-safe, comparable across chapters.

The document side holds saturated term frequency against a fixed average length, so a row knows
its own text only. The query side holds the rarity of each term, pooled from a frozen background
and the work's own passage counts as of the reader's chapter.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final

from contracts.ports import PassageCounts
from contracts.vectors import SPARSE_DOCUMENT_SCALE, SPARSE_QUERY_SCALE, Sparse
from processors.background import BACKGROUND_VERSION
from processors.term_background import expected_share
from processors.terms import TERMS_VERSION, term_number, terms_of

K1: Final = 1.2
B: Final = 0.4
AVERAGE_TERMS: Final = 100
"""A passage's length; scenes are longer, which `B` takes back only in part."""

BACKGROUND_PASSAGES: Final = 2_000
"""The background's weight in passages (measured: as good as per-work statistics)."""

MAX_QUERY_WEIGHT: Final = 512
"""Sum of a query's weights: with document weights of at most 4 no score exceeds 2,048, up to
which float32 sums are exact (`contracts.vectors`)."""


class Lexicon:
    """Cuts texts into terms and weighs them; holds no state."""

    @property
    def version(self) -> str:
        """Parameters, stemmer and background: part of the index version."""
        return f"lexicon-1/{TERMS_VERSION}/{BACKGROUND_VERSION}/{K1}-{B}-{AVERAGE_TERMS}"

    def terms(self, text: str, language: str) -> list[str]:
        """Return the terms of `text` in order, repeats included (see `processors.terms`)."""
        return terms_of(text, language)

    def document(self, terms: Sequence[str]) -> Sparse:
        """Return the document side: saturated counts in steps of 1/64, each below `K1` + 1."""
        counts = Counter(map(term_number, terms))
        damping = K1 * (1 - B + B * len(terms) / AVERAGE_TERMS)
        weights = (
            (number, round(SPARSE_DOCUMENT_SCALE * (K1 + 1) * count / (count + damping)))
            for number, count in counts.items()
        )
        return tuple(sorted((number, weight) for number, weight in weights if weight > 0))

    def rarity(self, term: str, counts: PassageCounts, language: str) -> float:
        """Return the pooled inverse document frequency of `term`: near 0 for stop words."""
        everywhere = counts.passages + BACKGROUND_PASSAGES
        holding = counts.counts.get(term, 0) + BACKGROUND_PASSAGES * expected_share(term, language)
        return math.log1p(max(everywhere - holding, 0.0) / (holding + 0.5))

    def query(self, terms: Sequence[str], counts: PassageCounts, language: str) -> Sparse:
        """Return the query side: each different term once, by rarity, in steps of 1/128.

        Of many terms those that the story holds come first, then the rarest, as many as have
        weights summing to `MAX_QUERY_WEIGHT`.
        """
        weights = {
            term: round(SPARSE_QUERY_SCALE * self.rarity(term, counts, language))
            for term in set(terms)
        }
        ranked = sorted(
            weights, key=lambda term: (not counts.counts.get(term), -weights[term], term)
        )
        left = MAX_QUERY_WEIGHT * SPARSE_QUERY_SCALE
        kept: dict[int, int] = {}
        for term in ranked:
            if 0 < weights[term] <= left:
                left -= weights[term]
                kept.setdefault(term_number(term), weights[term])
        return tuple(sorted(kept.items()))
