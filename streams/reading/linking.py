"""How two characters are linked: the shortest chain of people who are together in scenes.

The search goes out from both ends at once, always from where fewer have been met, all that are
as far away at a time; so a step is one statement, and few steps are enough: in a novel nearly
everybody has met somebody who has met the hero. Whoever is revealed to be another is linked
with that one too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from contracts.ids import CharacterId
from contracts.ordinals import Ordinal
from contracts.ports import BoundStory
from contracts.reports import LinkedBy, PathLink, PathReport
from contracts.story_graph import StoryGraph
from streams.reading.naming import Names, called, names_of
from streams.reading.scenes import scene_lines

MOST_LINKS: Final = 8
"""Longer chains say nothing, and whoever is not reached by then has met hardly anybody."""

_Path = tuple[CharacterId, ...]


async def path(view: BoundStory, one: str, other: str, scenes: int) -> PathReport:
    """Return how the character called `one` is linked with the one called `other`.

    Raises:
        NotFound: nobody is called so as of then, or (`Ambiguous`) several are.
    """

    async def read(graph: StoryGraph) -> PathReport:
        source, target = await called(graph, one), await called(graph, other)
        found = await _Search(graph).shortest(source, target)
        names = await names_of(graph, [source, target, *found])
        return PathReport(
            work_id=graph.work_id,
            generation=graph.generation,
            as_of=graph.as_of,
            source=names.person(source),
            target=names.person(target),
            linked=bool(found),
            links=tuple([await _link(graph, names, *pair, scenes) for pair in pairwise(found)]),
            most_links=MOST_LINKS,
        )

    return await view.consult(read)


@dataclass(slots=True)
class _Side:
    """What was met from one end: how far away everybody is, and who is farthest."""

    distance: dict[CharacterId, int]
    frontier: tuple[CharacterId, ...]
    depth: int = 0


@dataclass(slots=True)
class _Search:
    """One search; `weight` holds how many scenes are shared by whom it has looked at."""

    graph: StoryGraph
    weight: dict[tuple[CharacterId, CharacterId], int] = field(default_factory=dict)

    async def shortest(self, source: CharacterId, target: CharacterId) -> _Path:
        """Return the best of the shortest chains from `source` to `target`; none is empty."""
        here, there = _Side({source: 0}, (source,)), _Side({target: 0}, (target,))
        while not here.distance.keys() & there.distance.keys():
            if here.depth + there.depth == MOST_LINKS or not (here.frontier and there.frontier):
                return ()
            await self._widen(here if len(here.frontier) <= len(there.frontier) else there)
        return self._best(source, here, there)

    async def _widen(self, side: _Side) -> None:
        """Meet everybody who is one link farther away."""
        met: set[CharacterId] = set()
        for one, other, scenes in await self._links(side.frontier):
            self.weight[one, other] = self.weight[other, one] = scenes
            if other not in side.distance:
                met.add(other)
        side.depth += 1
        side.distance |= dict.fromkeys(met, side.depth)
        side.frontier = tuple(sorted(met))

    async def _links(
        self, ids: tuple[CharacterId, ...]
    ) -> Iterable[tuple[CharacterId, CharacterId, int]]:
        together = await self.graph.companions(ids)
        same = [
            (CharacterId(row.character), CharacterId(row.same_as))
            for row in await self.graph.identities(ids)
        ]
        found = {(one, other): 0 for a, b in same for one, other in ((a, b), (b, a))}
        found |= {(each.one, each.other): each.scenes for each in together}
        return [(one, other, scenes) for (one, other), scenes in sorted(found.items())]

    def _best(self, source: CharacterId, here: _Side, there: _Side) -> _Path:
        """Choose among the shortest chains: most scenes in all, then the least ids."""
        best: dict[CharacterId, tuple[int, _Path]] = {source: (0, (source,))}
        for layer in _layers(here, there):
            best = {
                id_: min(ways)
                for id_ in layer
                if (
                    ways := [
                        (cost - self.weight[one, id_], (*way, id_))
                        for one, (cost, way) in best.items()
                        if (one, id_) in self.weight
                    ]
                )
            }
        ((_, way),) = best.values()
        return way


def _layers(here: _Side, there: _Side) -> Iterator[set[CharacterId]]:
    """Yield who may stand at each step of a chain, from the first after its beginning.

    Both sides met at the first chance: a common character is as far from both as they went.
    """
    for step in range(1, here.depth):
        yield {id_ for id_, distance in here.distance.items() if distance == step}
    if here.depth:
        yield here.distance.keys() & there.distance.keys()
    for step in range(there.depth - 1, -1, -1):
        yield {id_ for id_, distance in there.distance.items() if distance == step}


async def _link(
    graph: StoryGraph, names: Names, one: CharacterId, other: CharacterId, scenes: int
) -> PathLink:
    shared = await graph.shared(one, other, scenes)
    same = [row for row in await graph.identities([one]) if other in (row.character, row.same_as)]
    counts = {each.other: each.scenes for each in await graph.companions([one])}
    since = Ordinal(same[0].from_ordinal) if same else shared[0].ordinal
    return PathLink(
        source=names.person(one),
        target=names.person(other),
        by=LinkedBy.IDENTITY if same else LinkedBy.SCENES,
        from_ordinal=since,
        scene_count=counts.get(other, 0),
        scenes=await scene_lines(graph, shared),
    )
