"""What each sign counts when a scene is placed: fitted, and read from `tables/placement.json`.

`python -m replay.evaluation.fitting_threads` makes that file. Scores are in tenths of a log-odds.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

WEIGHTS_FILE: Final = Path(__file__).with_name("tables") / "placement.json"


@dataclass(frozen=True, slots=True)
class Weights:
    """Whole numbers, so that no sum depends on its order.

    `meaning`, `company`, `recency` and `continued` are what the signs count. What fits less than
    `fits` opens a thread of its own, when there are as many threads as the root of the number of
    scenes; that falls by `crowding` with every e times as many threads. `nearness_percent` is how
    much of recency and continuation counts when it is asked whether a scene fits at all;
    `fades_percent` what is left of recency a scene later.
    """

    meaning: int
    company: int
    recency: int
    continued: int
    fits: int
    crowding: int
    nearness_percent: int
    fades_percent: int

    def faded(self, scenes: int) -> int:
        """Return what is left of recency after so many scenes, in thousandths."""
        fading = _faded(self.fades_percent)
        return fading[scenes] if scenes < len(fading) else 0


@lru_cache(maxsize=16)
def _faded(percent: int) -> tuple[int, ...]:
    """Return in thousandths what is left scene after scene, as long as anything is."""
    left = [1000]
    while left[-1] * percent // 100:
        left.append(left[-1] * percent // 100)
    return tuple(left)


WEIGHTS: Final = Weights(**json.loads(WEIGHTS_FILE.read_text()))
