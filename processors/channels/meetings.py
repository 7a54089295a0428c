"""Where those whom a question names are together, as of then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from contracts.ids import CharacterId
from contracts.ordinals import Ordinal
from contracts.story_graph import PlacedScene, StoryGraph, Stretch
from contracts.tree import IdentityRow
from processors.channels.persons import Person, persons_named


@dataclass(frozen=True, slots=True)
class Meeting:
    """Persons with scenes in story order: where they are together, or revealed to be one.

    A person who meets none of the others stands alone, with the first scenes of its own.
    """

    persons: tuple[Person, ...] = ()
    scenes: tuple[PlacedScene, ...] = ()


async def meeting_of(graph: StoryGraph, text: str, limit: int) -> Meeting:
    """Return the first two persons named in `text` who are together, in their first scenes.

    Of persons who never meet it is the one of fewest scenes: the others are everywhere.
    """
    persons = await persons_named(graph, text)
    for one, other in combinations(persons, 2):
        known = await graph.identities([one.id])
        reveals = [row for row in known if other.id in (row.character, row.same_as)]
        scenes = [scene for row in reveals for scene in await _revealing(graph, row, limit)]
        scenes += await graph.shared(one.id, other.id, limit)
        if scenes:
            return Meeting((one, other), _in_order(scenes))
    if not persons:
        return Meeting()
    rarest = await _rarest(graph, persons)
    scenes = list(await graph.stretch(Stretch(limit, of_character=rarest.id)))
    return Meeting((rarest,), _in_order(scenes))


async def _rarest(graph: StoryGraph, persons: Sequence[Person]) -> Person:
    if len(persons) == 1:
        return persons[0]
    scenes = {each.id: each.scenes for each in await graph.members([each.id for each in persons])}
    return min(persons, key=lambda each: scenes.get(each.id, 0))


async def _revealing(graph: StoryGraph, row: IdentityRow, limit: int) -> Sequence[PlacedScene]:
    at, who = Ordinal(row.from_ordinal), CharacterId(row.character)
    return await graph.stretch(Stretch(limit, of_character=who, first=at, last=at))


def _in_order(scenes: Sequence[PlacedScene]) -> tuple[PlacedScene, ...]:
    by_place = {each.place: each for each in scenes}
    return tuple(by_place[place] for place in sorted(by_place))
