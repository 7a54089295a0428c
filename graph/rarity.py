"""How much it says that two scenes share a character: who is everywhere says little.

Counted over the windows of the storylines that are being compared, never over all history.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from contracts.ids import CharacterId

SCALE: Final = 1000
"""Scores are whole thousandths, so that no sum depends on its order."""

_LEAST: Final = 50
"""What a character weighs who is in every scene: not quite nothing, or a story with one person
would have no company at all."""


@dataclass(frozen=True, slots=True)
class Rarity:
    """What each character weighs, in thousandths, and what one does who was in no scene."""

    weights: Mapping[CharacterId, int]
    unseen: int

    def of(self, character: CharacterId) -> int:
        """Return the character's weight."""
        return self.weights.get(character, self.unseen)


def rarity(companies: Iterable[tuple[Mapping[CharacterId, int], int]]) -> Rarity:
    """Count over several windows: in how many scenes of it each is, and how many it has."""
    counts: Counter[CharacterId] = Counter()
    total = 0
    for company, scenes in companies:
        total += scenes
        for character, seen in company.items():
            counts[character] += seen
    weights = {character: _weight(seen, total) for character, seen in counts.items()}
    return Rarity(weights, _weight(0, total))


@lru_cache(maxsize=4096)
def _weight(seen: int, scenes: int) -> int:
    """Return the logarithm of how rare it is to be in `seen` of `scenes` scenes."""
    return max(_LEAST, round(SCALE * math.log((scenes + 1) / (seen + 0.5))))


def cosine(dot: int, square: int, other_square: int) -> int:
    """Return a cosine in thousandths, rounded down; 0 where one side has no length."""
    length = math.isqrt(square * other_square)
    return SCALE * dot // length if length else 0
