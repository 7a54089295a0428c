"""The map of a whole work: as of chapter N it is a byte prefix of the map as of N + 1."""

from __future__ import annotations

from typing import Final

from processors.story_map.lines import scene_line
from processors.story_map.numbering import Numbered
from processors.token_bounds import tokens_at_most

HEADING: Final = "SCENES\n"
_FEWEST_TOKENS: Final = 4
"""Of a scene's line: a number, brackets and the name of a thread."""


def whole_map(told: Numbered, most_tokens: int) -> str | None:
    """Return the map, a line a scene; None where it takes more than `most_tokens` tokens."""
    if len(told.scenes) * _FEWEST_TOKENS > most_tokens:
        return None
    lines = (f"{scene_line(told, number)}\n" for number in range(1, len(told.scenes) + 1))
    text = "".join((HEADING, *lines))
    return text if tokens_at_most(text) <= most_tokens else None
