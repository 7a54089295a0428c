"""Search that remembers: a measurement puts the same question at several budgets, in many ways."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from contracts.ports import BoundStory
from processors.extracts import Extract, passages_for
from processors.retriever import Found, Reading, Retriever
from processors.scene_searching import ScenePlace

_REMEMBERED: Final = 256  # of some 300 kB each: what forty questions find at two sizes, and more


class _Key(NamedTuple):
    """What a finding depends on, in a book that does not change: not on words beyond its size."""

    as_of: int
    text: str
    passages: int
    within: frozenset[ScenePlace] | None


@dataclass(frozen=True, slots=True)
class RememberingRetriever(Retriever):
    """A retriever of one book that neither finds nor ranks the same twice.

    What it returns is what `Retriever` does; the book must not change, and budgets must be below
    20,000 words, from which on a search takes more hits.
    """

    known: OrderedDict[_Key, tuple[Reading, Found]] = field(
        default_factory=OrderedDict, init=False, repr=False
    )
    rankings: OrderedDict[int, tuple[Found, list[Extract]]] = field(
        default_factory=OrderedDict, init=False, repr=False
    )

    async def find(
        self,
        view: BoundStory,
        text: str,
        words: int,
        within: Collection[ScenePlace] | None = None,
    ) -> tuple[Reading, Found]:
        """See `Retriever.find`."""
        scenes = None if within is None else frozenset(within)
        key = _Key(int(view.as_of), text, passages_for(words), scenes)
        if key not in self.known:
            self.known[key] = await Retriever.find(self, view, text, words, within)
            if len(self.known) > _REMEMBERED:
                self.known.popitem(last=False)
        return self.known[key]

    def ranked(self, reading: Reading, found: Found) -> list[Extract]:
        """See `Retriever.ranked`."""
        known = self.rankings.get(id(found))
        if known is None:
            known = self.rankings[id(found)] = found, Retriever.ranked(self, reading, found)
            if len(self.rankings) > _REMEMBERED:
                self.rankings.popitem(last=False)
        return known[1]
