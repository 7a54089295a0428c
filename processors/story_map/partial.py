"""The map of a work that does not fit: upper storylines, newest scenes, found and opened ones.

Each part has its share of the tokens at most; what is opened has all that the others leave. It
stands last, so that the map of a round begins as that of the round before, as far as it goes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from processors.story_map.lines import scene_line, storyline_line
from processors.story_map.numbering import Numbered
from processors.token_bounds import tokens_at_most

_STORYLINES: Final = "STORYLINES, the upper ones first\n"
_NEWEST: Final = "THE NEWEST SCENES\n"
_FOUND: Final = "SCENES THAT A SEARCH FOUND\n"

_STORYLINES_SHARE: Final = 0.4
_NEWEST_SHARE: Final = 0.1
_FOUND_SHARE: Final = 0.15


class _Line(NamedTuple):
    """A line, what it takes, and the number of the scene that it is of, 0 for a storyline's."""

    text: str
    tokens: int
    number: int = 0


class Lines:
    """Writes the lines of an outline, each once: rounds and questions show the same ones."""

    def __init__(self, told: Numbered) -> None:
        self.told = told
        self._scenes: dict[int, _Line] = {}
        self._storylines: dict[str, _Line] = {}

    def scene(self, number: int) -> _Line:
        """Return the line of a scene."""
        if number not in self._scenes:
            text = f"{scene_line(self.told, number)}\n"
            self._scenes[number] = _Line(text, tokens_at_most(text), number)
        return self._scenes[number]

    def storyline(self, storyline: str) -> _Line:
        """Return the line of a storyline."""
        if storyline not in self._storylines:
            text = f"{storyline_line(self.told, storyline)}\n"
            self._storylines[storyline] = _Line(text, tokens_at_most(text))
        return self._storylines[storyline]


@dataclass(slots=True)
class _Page:
    """What was written, the room that is left, and the numbers of the scenes that are shown."""

    room: int
    shown: set[int] = field(default_factory=set)

    def written(self, heading: str, share: int, lines: Iterable[_Line]) -> list[_Line]:
        """Take lines as long as they fit into `share`; nothing if not even the first does."""
        left = min(share, self.room) - tokens_at_most(heading)
        taken: list[_Line] = []
        for line in lines:
            if line.tokens > left:
                break
            left -= line.tokens
            taken.append(line)
        if taken:
            self.room = self.room - min(share, self.room) + left
        self.shown.update(line.number for line in taken if line.number)
        return taken


def partial_map(
    known: Lines, most_tokens: int, found: Sequence[int], opened: Sequence[str]
) -> tuple[str, frozenset[int]]:
    """Return what of the map fits, and the numbers of the scenes that it shows.

    `found` are numbers of scenes, the best first, `opened` short names of storylines in the order
    in which they were opened: where there is no room for all, the last ones come first.
    """
    page, told = _Page(most_tokens), known.told
    upper = page.written(
        _STORYLINES, int(most_tokens * _STORYLINES_SHARE), _beneath(known, told.roots)
    )
    newest = range(len(told.scenes), 0, -1)
    new = page.written(_NEWEST, int(most_tokens * _NEWEST_SHARE), map(known.scene, newest))
    good = page.written(_FOUND, int(most_tokens * _FOUND_SHARE), map(known.scene, found))
    blocks = [
        (_STORYLINES, upper),
        (_NEWEST, new[::-1]),
        (_FOUND, good),
        *_opened(known, page, opened),
    ]
    text = "".join(
        heading + "".join(line.text for line in lines) for heading, lines in blocks if lines
    )
    return text, frozenset(page.shown)


def _opened(known: Lines, page: _Page, opened: Sequence[str]) -> list[tuple[str, list[_Line]]]:
    storylines = known.told.storylines
    blocks = []
    for name in reversed(opened):
        heading = f"OPENED {name}\n"
        lines = _beneath(known, (storylines[name],))
        blocks.append((heading, page.written(heading, page.room, lines)))
    return blocks[::-1]


def _beneath(known: Lines, tops: Iterable[str]) -> Iterator[_Line]:
    """Yield what lies beneath storylines, level by level; under the root only storylines do."""
    waiting = deque(tops)
    while waiting:
        storyline = waiting.popleft()
        for child in known.told.children.get(storyline, ()):
            yield known.storyline(child)
            waiting.append(child)
        yield from map(known.scene, known.told.held.get(storyline, ()))
