"""What each clue is worth: weights fitted on annotated novels, and the scores that they give.

Made by `python -m replay.evaluation.fitting_search`. Clues and weights are counted in whole steps,
so that a score is an exact sum, whatever the order and the machine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from processors.clues import Clue

CLUES_FILE: Final = Path(__file__).parent / "tables" / "clues.json"
WEIGHT_STEPS: Final = 1_000  # weights have three decimals
_CLUE_STEPS: Final = 1_024


@dataclass(frozen=True, slots=True)
class ClueWeights:
    """The weight of each clue, in steps of a thousandth."""

    weights: Mapping[Clue, int]

    @classmethod
    def parse(cls, table: Mapping[str, Any]) -> ClueWeights:
        """Read what `as_table` wrote.

        Raises:
            ValueError: a clue is missing, or is not known.
        """
        weights = {Clue(name): round(WEIGHT_STEPS * value) for name, value in table.items()}
        if set(weights) != set(Clue):
            raise ValueError("a table of weights has every clue")
        return cls(weights)

    def as_table(self) -> dict[str, float]:
        """Return what is written to a file."""
        return {str(clue): self.weights[clue] / WEIGHT_STEPS for clue in Clue}

    def scores(self, columns: Mapping[Clue, NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return each sentence's log chance, up to a constant, to be evidence a code point."""
        rows = np.stack([columns[clue] for clue in Clue], axis=1)
        steps = np.rint(rows * _CLUE_STEPS).astype(np.int64)
        weights = np.array([self.weights[clue] for clue in Clue], dtype=np.int64)
        scores: NDArray[np.float64] = (steps @ weights) / (_CLUE_STEPS * WEIGHT_STEPS)
        return scores


@cache
def shipped_weights() -> ClueWeights:
    """Return the weights fitted on all annotated novels."""
    return ClueWeights.parse(json.loads(CLUES_FILE.read_text()))
