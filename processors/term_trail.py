"""Where each term of a stretch stood before: how new the words after a place are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from processors.term_background import expected_share
from processors.terms import terms_of

_CACHED_TERMS: Final = 2**16
_COMMON: Final = 0.05
"""A term in one passage of twenty tells nothing of a change of subject; rarer ones weigh more."""

_RAREST: Final = 0.0005
"""Below one passage in 2,000 all are equally rare: single counts decide there."""


@dataclass(frozen=True, slots=True)
class TermTrail:
    """Terms in order of the text, those that are common everywhere left out.

    `starts[b]` is the first term of block b, one more item than blocks; `previous` is the block
    in which the same term stood last before, -1 if in none; `weights` are whole numbers.
    """

    starts: NDArray[np.int64]
    previous: NDArray[np.int64]
    weights: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Sequence[str], language: str) -> TermTrail:
        """Follow the terms of the blocks with these texts."""
        seen: dict[str, int] = {}
        starts, previous, weights = [0], [], []
        for block, text in enumerate(texts):
            for term in terms_of(text, language):
                weight = term_weight(term, language)
                if weight:
                    previous.append(seen.get(term, -1))
                    weights.append(weight)
                    seen[term] = block
            starts.append(len(weights))
        return cls(_ints(starts), _ints(previous), _ints(weights))

    def novelty(
        self, lefts: NDArray[np.int64], places: NDArray[np.int64], rights: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return for each place which share of the terms after it is new, by weight.

        New is what stands in blocks `[place, right)` but not in `[left, place)`; a term counts
        once a window. NaN where the window after the place has no term.
        """
        shares = np.full(len(places), np.nan)
        for nth, (left, place, right) in enumerate(zip(lefts, places, rights, strict=True)):
            inside = slice(self.starts[place], self.starts[right])
            previous, weights = self.previous[inside], self.weights[inside]
            total = int(weights[previous < place].sum())
            if total:
                shares[nth] = int(weights[previous < left].sum()) / total
        return shares


@lru_cache(maxsize=_CACHED_TERMS)
def term_weight(term: str, language: str) -> int:
    """Return how much a term tells, in hundredths: 0 if common, at most 461."""
    share = max(expected_share(term, language), _RAREST)
    return max(0, round(100 * math.log(_COMMON / share)))


def _ints(values: Sequence[int]) -> NDArray[np.int64]:
    return np.array(values, dtype=np.int64)
