"""The default embedder: static word vectors, weighted by rarity, less what all prose shares.

Smooth inverse frequency (Arora et al., 2017): a word of probability p counts a/(a+p), and the
direction common to all texts of the language is taken out. Sums are over integers held in
float64, so they are exact in any order: a vector cannot depend on what was embedded with it.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from contracts.vectors import DIMENSIONS, Dense
from processors.background import BACKGROUND_VERSION, primary, word_probabilities
from processors.dense import quantised
from processors.static_words import STATIC_WORDS_VERSION, word_directions
from processors.word_forms import folded_parts, folded_runs, is_cjk

RARITY: Final = 5e-4
"""`a` of a/(a+p); between 3e-4 and 1e-3 nothing changes on the tales of FairytaleQA."""

COMPONENT_SCALE: Final = 2**15
COMPONENTS_FILE: Final = Path(__file__).parent / "tables" / "common_components.json"
_COMPONENTS_OF_OTHERS: Final = "en"
_WORD_SCALE: Final = 2**16
_CACHED_WORDS: Final = 50_000  # of 1 kB each; the vocabulary of some three long novels
_ONE_STEP: Final = 1.0  # a shorter sum is that of no words, or of words that cancel out

Floats = NDArray[np.float64]


class SifEmbedder:
    """Implements `contracts.ports.TextEmbedder`; keeps the vectors of words it has met."""

    def __init__(self) -> None:
        self._words: dict[tuple[str, str], NDArray[np.int32]] = {}

    @property
    def version(self) -> str:
        """Vectors, word frequencies, common components and weighting."""
        table = hashlib.blake2b(COMPONENTS_FILE.read_bytes(), digest_size=8).hexdigest()
        return f"sif-1/{STATIC_WORDS_VERSION}/{BACKGROUND_VERSION}/{RARITY}/{table}"

    async def embed(self, texts: Sequence[str], language: str) -> tuple[Dense, ...]:
        """Return one quantised unit vector a text; zero where a text has no known word."""
        tag = primary(language)
        component = common_component(tag)
        return tuple(
            quantised(total - component * float(total @ component), shortest=_ONE_STEP)
            for total in self.totals(texts, tag)
        )

    def totals(self, texts: Sequence[str], language: str) -> list[Floats]:
        """Return each text's sum of weighted word vectors, in whole steps of 2**-16.

        `language` is a primary subtag.
        """
        counts = [units_of(text, language) for text in texts]
        self._learn({word for count in counts for word in count}, language)
        return [self._sum(count, language) for count in counts]

    def word_vectors(self, words: Sequence[str], language: str) -> NDArray[np.int32]:
        """Return the weighted vectors of words (`units_of` texts), as `weighted_words` does."""
        self._learn(words, language)
        vectors = [self._words[language, word] for word in words]
        return np.array(vectors, dtype=np.int32).reshape(len(words), DIMENSIONS)

    def _sum(self, counts: Mapping[str, int], language: str) -> Floats:
        if not counts:
            return np.zeros(DIMENSIONS)
        vectors = np.array([self._words[language, word] for word in counts], dtype=np.float64)
        total: Floats = np.array(list(counts.values()), dtype=np.float64) @ vectors
        return total

    def _learn(self, words: Iterable[str], language: str) -> None:
        if len(self._words) > _CACHED_WORDS:
            self._words.clear()
        new = sorted(word for word in words if (language, word) not in self._words)
        for word, vector in zip(new, weighted_words(new, language), strict=True):
            self._words[language, word] = vector


def weighted_words(words: Sequence[str], language: str) -> NDArray[np.int32]:
    """Return words' unit vectors times a/(a+p), in steps of 2**-16; shape (words, 256)."""
    shares = word_probabilities(language)
    weights = np.array([RARITY / (RARITY + shares.get(word, 0.0)) for word in words])
    steps: NDArray[np.int32] = np.rint(
        word_directions(words) * weights[:, None] * _WORD_SCALE
    ).astype(np.int32)
    return steps


@cache
def common_component(language: str) -> Floats:
    """Return the unit direction that all texts of a language share, shape (256,)."""
    components: dict[str, list[int]] = json.loads(COMPONENTS_FILE.read_text())["components"]
    steps = components.get(language, components[_COMPONENTS_OF_OTHERS])
    return np.array(steps, dtype=np.float64) / COMPONENT_SCALE


def units_of(text: str, language: str) -> Counter[str]:
    """Count the words of `text`; Chinese and Japanese, which have no spaces, by character."""
    words, any_cjk = folded_runs(text, language)
    return _by_character(words) if any_cjk else Counter(words)


def units_within(
    text: str, parts: Iterable[tuple[int, int]], language: str
) -> Iterator[Iterable[str]]:
    """Yield of each of `parts`, code points `[start, end)` of `text`, the words, repeats too."""
    for words, any_cjk in folded_parts(text, parts, language):
        yield _by_character(words).elements() if any_cjk else words


def _by_character(words: Iterable[str]) -> Counter[str]:
    """Count words, and of runs of Chinese and Japanese the characters."""
    counts = Counter(words)
    for run in [word for word in counts if is_cjk(word)]:
        times = counts.pop(run)
        counts.update({character: times * n for character, n in Counter(run).items()})
    return counts
