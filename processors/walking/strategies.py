"""Ways to walk, as values: ours, and those that *Storyline Trees* (4, 5.3) compares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Strategy:
    """What a model may do in a walk; without any of it the question is searched for, and no more.

    It `reads_map` before any passage and names scenes on it; it may open a storyline, or search
    for words of its own (`asks`). Where `by_title`, a storyline that it names is not opened: its
    title is searched for, as in the paper.
    """

    name: str
    reads_map: bool = False
    asks: bool = False
    by_title: bool = False

    @property
    def shows_map(self) -> bool:
        """Whether a map stands in its prompts."""
        return self.reads_map or self.by_title


ADAPTIVE: Final = Strategy("adaptive", reads_map=True, asks=True)
"""Ours: the map first, then passages, then whatever is missing."""

PAPER: Final = Strategy("paper", by_title=True)
"""The paper's: a first search, then titles of storylines as further queries."""

ITERATIVE: Final = Strategy("iterative", asks=True)
"""The paper's baseline without a tree: queries of the model's own."""

STATIC: Final = Strategy("static")
"""One search with the question."""
