"""What times are summed up to; no I/O."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

MOST_TIMES_THE_FLOOR: Final = 8.0
"""Indexing may take so many times what embedding and bare writing take of the same texts."""

ASK_P95_S: Final = 0.3
COLD_ASK_S: Final = 8.0


@dataclass(frozen=True, slots=True)
class Spread:
    """The least, the middle and the most of repeated measurements: how noisy the machine is."""

    least: float
    middle: float
    most: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread:
        """Sum up `values`, at least one."""
        ordered = sorted(values)
        return cls(ordered[0], median(ordered), ordered[-1])


@dataclass(frozen=True, slots=True)
class Floor:
    """What cannot be done without: embedding the texts, and writing the rows."""

    embed_s: float
    write_s: float

    @property
    def seconds(self) -> float:
        """Return both together."""
        return self.embed_s + self.write_s


def times_floor(seconds: Sequence[float], floors: Sequence[Floor]) -> Spread:
    """Return how many times its floor each run took, each against the floor measured beside it."""
    return Spread.of(took / floor.seconds for took, floor in zip(seconds, floors, strict=True))


def percentile(values: Sequence[float], share: float) -> float:
    """Return the least of `values` that a `share` of them does not exceed (nearest rank)."""
    rank = math.ceil(share * len(values))
    return sorted(values)[max(rank, 1) - 1]


def shares(parts: Mapping[str, float], whole: float) -> dict[str, float]:
    """Return each part's share of the whole, and what is left as "the rest"."""
    told = {name: seconds / whole for name, seconds in parts.items()}
    return told | {"the rest": max(0.0, 1.0 - sum(told.values()))}


def growth(words: Sequence[int], seconds: Sequence[float]) -> float:
    """Return the exponent with which time grows with words, first to last: 1 is in proportion."""
    return math.log(seconds[-1] / seconds[0]) / math.log(words[-1] / words[0])
