"""What each clue is worth, as fitted: see `replay.evaluation.fitting_channels`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from processors.channels.places import Floats

WEIGHTS_FILE: Final = Path(__file__).parent.parent / "tables" / "channels.json"


@dataclass(frozen=True, slots=True)
class ChannelWeights:
    """Log-odds per unit of each clue, by the clue's name."""

    by_name: Mapping[str, float]

    def of(self, names: Sequence[str]) -> Floats:
        """Return the weights of `names`, in their order."""
        return np.array([self.by_name[name] for name in names])


def parse_weights(text: str) -> ChannelWeights:
    """Read a table of weights (a JSON object of numbers)."""
    return ChannelWeights({str(name): float(worth) for name, worth in json.loads(text).items()})


@cache
def shipped_weights() -> ChannelWeights:
    """Return the weights that ship."""
    return parse_weights(WEIGHTS_FILE.read_text(encoding="utf-8"))
