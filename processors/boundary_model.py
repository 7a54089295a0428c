"""What was learned of scene boundaries: the weights of the features and of scenes' lengths."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from processors.boundary_features import Feature
from processors.chapter_features import Spreads, Table
from processors.length_prior import LENGTH_TERMS

WEIGHTS_FILE: Final = Path(__file__).parent / "tables" / "boundaries.json"


@dataclass(frozen=True, slots=True)
class BoundaryModel:
    """Weights of the features, of the terms of a scene's length, and the features' usual spreads.

    `spreads` has the features that are read against their chapter; the others stay as they are.
    """

    weights: Mapping[Feature, float]
    lengths: tuple[float, ...]
    spreads: Spreads

    @classmethod
    def parse(cls, table: Mapping[str, Any]) -> BoundaryModel:
        """Read what `as_table` wrote.

        Raises:
            ValueError: a feature is missing, or is not known.
        """
        weights = {Feature(name): float(value) for name, value in table["weights"].items()}
        spreads = {Feature(name): float(value) for name, value in table["spreads"].items()}
        lengths = tuple(float(value) for value in table["lengths"])
        if set(weights) != set(Feature) or len(lengths) != LENGTH_TERMS:
            raise ValueError("a table of weights has every feature and every term of the length")
        return cls(weights, lengths, spreads)

    def as_table(self) -> dict[str, Any]:
        """Return what is written to a file."""
        return {
            "weights": {str(name): self.weights[name] for name in Feature},
            "lengths": list(self.lengths),
            "spreads": {str(name): value for name, value in self.spreads.items()},
        }

    @property
    def digest(self) -> str:
        """Short name of this table; part of the segmenter's version."""
        table = json.dumps(self.as_table(), sort_keys=True)
        return hashlib.blake2b(table.encode(), digest_size=4).hexdigest()

    def scores(self, table: Table) -> NDArray[np.float64]:
        """Return the log-potential of a cut at each place, from features read for this model."""
        total = np.zeros(len(table[Feature.INSIDE]))
        for name in Feature:
            total = total + self.weights[name] * table[name]
        return total


@cache
def shipped_model() -> BoundaryModel:
    """Return the model fitted on all annotated novels."""
    return BoundaryModel.parse(json.loads(WEIGHTS_FILE.read_text()))
