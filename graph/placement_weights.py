"""What each sign counts when a scene is placed: fitted, and read from `tables/placement.json`.

`python -m replay.evaluation.fitting_threads` makes that file. Scores are in tenths of a log-odds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

WEIGHTS_FILE: Final = Path(__file__).with_name("tables") / "placement.json"

_MOST: Final = 1_000
"""Tenths of a log-odds: a sign that counts more than e to the 100th is a slip of the pen."""

_RANGES: Final[Mapping[str, tuple[int, int]]] = {
    "nearness_percent": (0, 100),
    "fades_percent": (0, 99),  # what does not fade at all is never forgotten
}


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


@cache
def read_weights(path: Path) -> Weights:
    """Return the weights that a table of `replay.evaluation.fitting_threads` holds.

    A file is read once in a process: whoever places scenes in it uses the same weights.

    Raises:
        ValueError: the file cannot be read or is no such table; the text says what is wrong.
    """
    try:
        table = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ValueError(f"the table {path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise ValueError(f"the table {path} is no JSON: {error}") from error
    fault = _fault(table)
    if fault:
        raise ValueError(f"the table {path} is none of weights: {fault}")
    return Weights(**table)


def _fault(table: object) -> str | None:
    if not isinstance(table, dict):
        return "it is no object"
    names = {each.name for each in fields(Weights)}
    if table.keys() != names:
        missing, unknown = sorted(names - table.keys()), sorted(table.keys() - names)
        lacks = [f"{name} is missing" for name in missing]
        return ", ".join([*lacks, *(f"there is no weight {name!r}" for name in unknown)])
    for name, value in table.items():
        least, most = _RANGES.get(name, (0, _MOST))
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            return f"{name} is a whole number from {least} to {most}"
    return None


WEIGHTS: Final = read_weights(WEIGHTS_FILE)
