"""What nobody can count beforehand: how long answers are, and what is shown to place a chapter."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final


@dataclass(frozen=True, slots=True)
class Shares:
    """As annotated novels have it (`python -m replay.evaluation.estimates`), in words.

    `answer`: words of an answer for one of the text that it is about; a model that tells more
    than one event a scene writes more. `placed`: of a work's chapters after the first, those for
    which the model is asked where they belong. Such a question holds, beside the prompt, `shown`
    words and `growth` more for the square root of the chapters before it, since threads and
    persons become more: measured up to 39 chapters. `placement`: words of its answer.
    """

    answer: float
    placed: float
    shown: float
    growth: float
    placement: float

    def placing(self, chapters: int) -> tuple[float, float]:
        """Return how often a work of so many chapters is asked about, and the words shown."""
        calls = self.placed * max(0, chapters - 1)
        grown = sum(self.shown + self.growth * sqrt(before) for before in range(1, chapters))
        return calls, self.placed * grown


SHARES: Final = Shares(answer=0.195, placed=0.982, shown=848.0, growth=96.0, placement=32.0)
