"""The sentences that channels look at: those of the best passages, in the order of the story."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from contracts.ids import ChapterId
from processors.extracts import Extract
from processors.fusion import NEAR
from processors.questions import Question
from processors.terms import terms_of

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Places:
    """Sentences in the order of the story with what a question finds there, a row a sentence.

    `joined[n]` says that sentence n + 1 follows n with no hole between. `here`, `near` and
    `around` are the shares, 0 to 1, of the rarity of the question's terms that stand in the
    sentence alone, with one, and with two sentences on either side.
    """

    question: Question
    sentences: tuple[Extract, ...]
    texts: tuple[str, ...]
    terms: tuple[tuple[str, ...], ...]
    joined: Bools
    here: Floats
    near: Floats
    around: Floats

    @classmethod
    def of(
        cls,
        sentences: Sequence[Extract],
        texts: Mapping[ChapterId, str],
        question: Question,
        rarities: Mapping[str, float],
    ) -> Places:
        """Lay out `sentences`, which are in the order of the story."""
        told = tuple(
            " ".join(texts[each.candidate.chapter_id][each.start : each.end].split())
            for each in sentences
        )
        terms = tuple(tuple(terms_of(text, question.language)) for text in told)
        joined = np.array(
            [
                left.candidate.chapter_id == right.candidate.chapter_id
                and right.start - left.end <= NEAR
                for left, right in pairwise(sentences)
            ],
            dtype=bool,
        )
        held = _held(terms, question.terms)
        weights = np.array([rarities[term] for term in question.terms])
        weights = weights / (weights.sum() or 1.0)
        near = highest_beside(held, joined)
        around = highest_beside(near, joined)
        shares = [each @ weights for each in (held, near, around)]
        return cls(question, tuple(sentences), told, terms, joined, *shares)


def highest_beside(values: Floats, joined: Bools) -> Floats:
    """Return the highest, never below 0, of each row and of the two beside it."""
    highest = values.copy()
    same = joined.reshape(joined.shape + (1,) * (values.ndim - 1))
    highest[1:] = np.maximum(highest[1:], values[:-1] * same)
    highest[:-1] = np.maximum(highest[:-1], values[1:] * same)
    return highest


def sum_beside(values: Floats, joined: Bools) -> Floats:
    """Return the sum of the rows beside each row."""
    total = np.zeros_like(values)
    total[1:] += values[:-1] * joined
    total[:-1] += values[1:] * joined
    return total


def _held(terms: Sequence[Sequence[str]], wanted: Sequence[str]) -> Floats:
    columns = {term: nth for nth, term in enumerate(wanted)}
    held = np.zeros((len(terms), len(wanted)))
    for row, spoken in enumerate(terms):
        for term in spoken:
            if term in columns:
                held[row, columns[term]] = 1.0
    return held
