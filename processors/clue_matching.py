"""How much of a question stands in each sentence of a pool: its terms, like words, its meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
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
    """The words of a pool, each once, and which of these each sentence has.

    `longest` are the sentences, those of most words first. `columns[n]` names the nth word of each
    of them that has so many.
    """

    distinct: Sequence[str]
    longest: NDArray[np.int64]
    columns: Sequence[NDArray[np.int64]]

    @classmethod
    def of(cls, pool: Pool) -> _Words:
        words = list(chain.from_iterable(each.units for each in pool.read))
        numbers = {word: nth for nth, word in enumerate(dict.fromkeys(words))}
        places = np.fromiter(map(numbers.__getitem__, words), np.int64, len(words))
        sizes = np.array([len(each.units) for each in pool.read], dtype=np.int64)
        longest = np.argsort(-sizes, kind="stable")
        firsts = (np.cumsum(sizes) - sizes)[longest]
        held = np.searchsorted(-sizes[longest], -np.arange(sizes[longest[0]]))
        columns = [places[firsts[:many] + nth] for nth, many in enumerate(held.tolist())]
        return cls(list(numbers), longest, columns)

    def by_sentence(self, gather: np.ufunc, values: NDArray[Any]) -> NDArray[Any]:
        """Gather the rows of `values`, one a word and none below 0 unless they are summed.

        A sentence of no words gets zeros. All sentences' first words are taken at once, then all
        second words: numpy adds long runs of rows far faster than the few of each sentence.
        """
        gathered = np.zeros((len(self.longest), values.shape[1]), dtype=values.dtype)
        for column in self.columns:
            rows = gathered[: len(column)]
            gather(rows, values[column], out=rows)
        found = np.empty_like(gathered)
        found[self.longest] = gathered
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
    (wanted,) = _unit(question[None, :] - component * float(question @ component))
    shared = totals @ component
    # Taking the common part out of each row would copy them all; this is the same, multiplied out.
    along = totals @ wanted - shared * float(component @ wanted)
    squares = np.vecdot(totals, totals) - shared**2 * (2.0 - float(component @ component))
    lengths = np.sqrt(np.maximum(squares, 0.0))
    cosines: Floats = along / np.where(lengths > 0, lengths, 1.0)
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
