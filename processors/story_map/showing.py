"""The map as it stands in a prompt: whole where it fits, else as much as was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from contracts.outline import Outline
from processors.story_map.numbering import Numbered, numbered
from processors.story_map.partial import Lines, partial_map
from processors.story_map.whole import whole_map


@dataclass(frozen=True, slots=True)
class ShownMap:
    """A map's text, which ends with a line end, and the numbers of the scenes in it.

    One that is not `whole` has storylines that can be opened.
    """

    text: str
    whole: bool
    shown: frozenset[int]


@dataclass(slots=True)
class _Known:
    """What was made of an outline: it is numbered once, and each line of it written once."""

    lines: Lines
    texts: dict[int, str | None] = field(default_factory=dict)


class Maps:
    """Makes maps of outlines, and keeps what it made of one as long as the outline lives."""

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[Outline, _Known] = WeakKeyDictionary()

    def numbered(self, outline: Outline) -> Numbered:
        """Return the outline under short names."""
        return self._of(outline).lines.told

    def shown(
        self, outline: Outline, most_tokens: int, found: Sequence[int], opened: Sequence[str]
    ) -> ShownMap:
        """Return the map in at most `most_tokens` tokens, counted on the high side.

        `found` are scenes that a search found, the best first, `opened` storylines that were
        asked for, both by their short names; neither changes a map that is whole.
        """
        known = self._of(outline)
        if most_tokens not in known.texts:
            known.texts[most_tokens] = whole_map(known.lines.told, most_tokens)
        whole = known.texts[most_tokens]
        if whole is not None:
            return ShownMap(whole, True, frozenset(range(1, len(outline.scenes) + 1)))
        text, shown = partial_map(known.lines, most_tokens, found, opened)
        return ShownMap(text, False, shown)

    def _of(self, outline: Outline) -> _Known:
        known = self._known.get(outline)
        if known is None:
            known = self._known[outline] = _Known(Lines(numbered(outline)))
        return known
