"""What search must beat: one kind of unit, ranked by the same words and the same meaning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from contracts.ids import ChapterId
from contracts.ports import PassageCounts, TextEmbedder
from contracts.words import iter_words
from processors.lexicon import Lexicon
from replay.evaluation.annotated import Evidence
from replay.evaluation.units import Unit

_RANK_CONSTANT: Final = 60


class RankedBy(StrEnum):
    """By what units are ranked: terms, vectors, or both fused by reciprocal rank."""

    WORDS = "words"
    MEANING = "meaning"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class UnitIndex:
    """Units with their vectors, and the texts of the chapters that they are of."""

    language: str
    units: tuple[Unit, ...]
    bodies: Mapping[ChapterId, str]
    sparse: tuple[dict[int, int], ...]
    dense: NDArray[np.float64]
    counts: PassageCounts
    embedder: TextEmbedder

    @classmethod
    async def of(
        cls,
        units: Sequence[Unit],
        bodies: Mapping[ChapterId, str],
        language: str,
        embedder: TextEmbedder,
    ) -> UnitIndex:
        """Index units of chapters with these texts."""
        lexicon = Lexicon()
        texts = [unit.text for unit in units]
        terms = [lexicon.terms(text, language) for text in texts]
        counts = Counter(term for words in terms for term in set(words))
        dense = await embedder.embed(texts, language)
        return cls(
            language,
            tuple(units),
            bodies,
            tuple(dict(lexicon.document(words)) for words in terms),
            np.array([np.frombuffer(vector, dtype="<i2") for vector in dense], dtype=np.float64),
            PassageCounts(len(texts), counts),
            embedder,
        )

    async def ranked(self, question: str, by: RankedBy) -> list[int]:
        """Return the numbers of all units, the best for a question first."""
        scores = np.zeros(len(self.units))
        if by is not RankedBy.MEANING:
            scores = scores + _reciprocal_ranks(self._by_words(question))
        if by is not RankedBy.WORDS:
            scores = scores + _reciprocal_ranks(await self._by_meaning(question))
        order: list[int] = np.argsort(-scores, kind="stable").tolist()
        return order

    def first_words(self, ranked: Sequence[int], words: int) -> list[Evidence]:
        """Return the first `words` words of units in this order."""
        shown: list[Evidence] = []
        for unit in (self.units[nth] for nth in ranked):
            span = unit.span
            text = self.bodies[span.chapter_id][span.start : span.end] if span else unit.text
            ends = [end for _, end in iter_words(text)][:words]
            words -= len(ends)
            if span and ends:
                shown.append(Evidence(span.chapter_id, span.start, span.start + ends[-1]))
            if not words:
                break
        return shown

    def _by_words(self, question: str) -> NDArray[np.float64]:
        lexicon = Lexicon()
        terms = lexicon.terms(question, self.language)
        query = lexicon.query(terms, self.counts, self.language)
        return np.array(
            [sum(weight * row.get(term, 0) for term, weight in query) for row in self.sparse],
            dtype=np.float64,
        )

    async def _by_meaning(self, question: str) -> NDArray[np.float64]:
        (vector,) = await self.embedder.embed([question], self.language)
        scores: NDArray[np.float64] = self.dense @ np.frombuffer(vector, dtype="<i2").astype(float)
        return scores


def _reciprocal_ranks(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    ranks = np.empty(len(scores))
    ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return np.where(scores > 0, 1 / (_RANK_CONSTANT + ranks), 0.0)
