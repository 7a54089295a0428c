"""Ranks the sentences of what was found by how likely they are evidence of the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

import numpy as np

from contracts.ids import ChapterId
from processors.clue_matching import match
from processors.clue_reading import Columns, read_clues
from processors.clue_weights import ClueWeights, shipped_weights
from processors.extracts import Extract
from processors.pools import Pool, summed_near
from processors.questions import Question
from processors.sif import SifEmbedder

_BESIDE: Final = 0.2
"""What each sentence beside it adds of its own chance: evidence stands together, and a reader
likes to read on."""

_SPREAD: Final = 4.0
"""Scores are shown as the fourth root of chances: the last of a thousand words gets about half
of the first."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A question with the rarities of its terms as of then."""

    question: Question
    rarities: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class SentenceRanker:
    """Scores sentences by weighted clues; the same pool gives the same scores."""

    weights: ClueWeights = field(default_factory=shipped_weights)
    words: SifEmbedder = field(default_factory=SifEmbedder)

    def ranked(
        self, sentences: Sequence[Extract], texts: Mapping[ChapterId, str], asking: Asking
    ) -> list[Extract]:
        """Return `sentences` (in the order of the story) scored, best first.

        A score is above 0 and at most 1, which the best has. Ties stay in the order of the story.
        `texts` holds the text of each chapter that a sentence is of.
        """
        if not sentences:
            return []
        pool, columns = self.clues(sentences, texts, asking)
        scores = self.weights.scores(columns)
        chances = np.exp(scores - scores.max())
        (beside,) = summed_near(chances, pool.runs, 1)
        chances += _BESIDE * (beside - chances)
        shown = (chances / chances.max()) ** (1 / _SPREAD)
        scored = [
            Extract(each.candidate, each.start, each.end, each.words, score)
            for each, score in zip(sentences, shown.tolist(), strict=True)
        ]
        return sorted(scored, key=lambda each: -each.score)

    def clues(
        self, sentences: Sequence[Extract], texts: Mapping[ChapterId, str], asking: Asking
    ) -> tuple[Pool, Columns]:
        """Lay out `sentences`, of which there is one at least, and read their clues."""
        pool = Pool.of(sentences, texts, asking.question.language)
        found = match(pool, asking.question, asking.rarities, self.words)
        return pool, read_clues(pool, asking.question, found, texts)


@cache
def shipped_ranker() -> SentenceRanker:
    """Return the ranker with the weights that ship: one a process, as it remembers words."""
    return SentenceRanker()
