"""How much of a question stands in each sentence of a pool: its terms, like words, its meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from processors.background import primary
from processors.pools import Pool
from processors.questions import Question
from processors.sif import SifEmbedder, common_component, units_of
from processors.terms import stem_of, terms_of
from processors.word_forms import is_cjk

Floats = NDArray[np.float64]

_UNLIKE: Final = 0.3
"""Words whose vectors have a cosine below this are not alike: many that have nothing to do with
each other reach it."""


@dataclass(frozen=True, slots=True)
class Matches:
    """What of a question stands in the sentences of a pool, one row a sentence.

    `terms` counts each of the question's terms, whose rarities are `rarities` and of which
    `named` are names; `like` says how like each of its words the likest of the sentence is,
    0 to 1, and `weights` what these words weigh. `totals` sums the vectors of the sentence's
    words, as `question` does of the question's.
    """

    terms: Floats
    rarities: Floats
    named: NDArray[np.bool_]
    like: Floats
    weights: Floats
    totals: Floats
    question: Floats


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a pool, each once, and at which `places` of these each sentence's are."""

    distinct: Sequence[str]
    places: NDArray[np.int64]
    sizes: NDArray[np.int64]

    @classmethod
    def of(cls, pool: Pool) -> _Words:
        words = [word for each in pool.read for word in each.units]
        numbers = {word: nth for nth, word in enumerate(dict.fromkeys(words))}
        return cls(
            list(numbers),
            np.array([numbers[word] for word in words], dtype=np.int64),
            np.array([len(each.units) for each in pool.read], dtype=np.int64),
        )

    def by_sentence(self, gather: np.ufunc, values: NDArray[Any]) -> NDArray[Any]:
        """Gather the rows of `values`, one a word; a sentence of no words gets zeros."""
        found = np.zeros((len(self.sizes), values.shape[1]), dtype=values.dtype)
        held = np.flatnonzero(self.sizes)
        if len(held) and values.shape[1]:
            starts = np.cumsum(self.sizes)[held] - self.sizes[held]
            found[held] = gather.reduceat(values[self.places], starts, axis=0)
        return found


def match(
    pool: Pool, question: Question, rarities: Mapping[str, float], words: SifEmbedder
) -> Matches:
    """Match every sentence of `pool` with `question`, whose terms have `rarities`."""
    language = primary(pool.language)
    spoken = _Words.of(pool)
    vectors = words.word_vectors(spoken.distinct, language).astype(np.float32)
    asking = _asking_words(question, rarities)
    wanted = words.word_vectors(list(asking), language).astype(np.float32)
    alike = np.maximum(_unit(vectors) @ _unit(wanted).T - _UNLIKE, 0.0) / (1 - _UNLIKE)
    (total,) = words.totals([question.text], language)
    return Matches(
        terms=_counted(pool, question.terms, spoken),
        rarities=np.array([rarities[term] for term in question.terms]),
        named=np.array([term in question.names for term in question.terms], dtype=bool),
        like=spoken.by_sentence(np.maximum, alike).astype(np.float64),
        weights=np.array(list(asking.values())),
        totals=spoken.by_sentence(np.add, vectors).astype(np.float64),
        question=total,
    )


def likeness(totals: Floats, question: Floats, language: str) -> Floats:
    """Return the cosine of each of `totals` with `question`, less what all texts share."""
    component = common_component(primary(language))
    apart = totals - np.outer(totals @ component, component)
    wanted = question - component * float(question @ component)
    cosines: Floats = _unit(apart) @ _unit(wanted[None, :])[0]
    return cosines


def _counted(pool: Pool, terms: Sequence[str], words: _Words) -> Floats:
    """Count each of `terms` in each sentence."""
    columns = {term: nth for nth, term in enumerate(terms)}
    if any(map(is_cjk, words.distinct)):  # terms are pairs of characters, which no unit holds
        counts = np.zeros((len(pool.texts), len(columns)))
        for row, text in enumerate(pool.texts):
            for term in terms_of(text, pool.language):
                if term in columns:
                    counts[row, columns[term]] += 1
        return counts
    stem = stem_of(primary(pool.language))
    held = np.zeros((len(words.distinct), len(columns)))
    for row, word in enumerate(words.distinct):
        column = columns.get(stem(word))
        if column is not None:
            held[row, column] = 1
    return words.by_sentence(np.add, held)


def _asking_words(question: Question, rarities: Mapping[str, float]) -> dict[str, float]:
    """Return the question's words that have a part in its terms, with the rarest one's rarity."""
    asking = {}
    for word in units_of(question.text, primary(question.language)):
        own = [*terms_of(word, question.language), *_holding(word, question.terms)]
        known = [rarities[term] for term in own if term in rarities]
        if known:
            asking[word] = max(known)
    return asking


def _holding(word: str, terms: Sequence[str]) -> list[str]:
    """Return the terms that hold a single character, as those of Chinese and Japanese do."""
    return [term for term in terms if len(word) == 1 and word in term and not term.isascii()]


def _unit(vectors: NDArray[Any]) -> NDArray[Any]:
    lengths = np.sqrt(np.square(vectors).sum(axis=-1, keepdims=True))
    unit: NDArray[Any] = vectors / np.where(lengths > 0, lengths, 1)
    return unit
