"""Whom a name means as of an ordinal, and who is meant perhaps by one that nobody bears."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import groupby
from typing import Final

from contracts.ids import CharacterId
from contracts.reports import Person
from contracts.story_graph import StoryGraph
from contracts.tree import AliasRow
from contracts.words import folded
from graph.characters import display_name
from streams.not_found import Ambiguous, NotFound

SHOWN: Final = 5
"""Names in an error, enough to choose from."""

_LIKE: Final = 0.6


@dataclass(frozen=True, slots=True)
class Names:
    """The names of characters as of an ordinal, each the fullest first looked up by id."""

    rows: Mapping[CharacterId, tuple[AliasRow, ...]]

    def person(self, id_: CharacterId) -> Person:
        """Return the character under its fullest name."""
        return Person(id=id_, name=self.name(id_))

    def name(self, id_: CharacterId) -> str:
        """Return the fullest name of a character that has one."""
        return display_name(self.rows[id_])


async def names_of(graph: StoryGraph, ids: Collection[CharacterId] | None = None) -> Names:
    """Read the names of characters, or of all."""
    rows = await graph.names(ids if ids is None else sorted(set(ids)))
    return _names(rows)


async def called(graph: StoryGraph, name: str) -> CharacterId:
    """Return who is called exactly so, else whose id begins so, else whose name holds the words.

    The case of letters does not count.

    Raises:
        NotFound: nobody is called so as of then, or (`Ambiguous`) several are.
    """
    names = _names(await graph.called(name))
    found = _bearers(names, folded(name))
    if len(found) == 1:
        return found[0]
    if found:
        raise Ambiguous(await _choice(graph, name, found))
    perhaps = _perhaps(await names_of(graph), name)
    raise NotFound(
        f"Nobody is called {name!r} in {graph.work_id} as of {graph.as_of}.{perhaps} "
        "`storygraft characters` lists everybody."
    )


def _names(rows: Iterable[AliasRow]) -> Names:
    groups = groupby(rows, key=lambda row: row.character)
    return Names({CharacterId(id_): tuple(group) for id_, group in groups})


def _bearers(names: Names, wanted: str) -> list[CharacterId]:
    """Return who is meant, among those whose names hold the words or whose id begins so."""
    known = {id_: [folded(row.alias) for row in rows] for id_, rows in names.rows.items()}
    by_id = [id_ for id_ in known if id_.startswith(wanted)]
    ways = ([id_ for id_, each in known.items() if wanted in each], by_id, list(known))
    return next((way for way in ways if way), []) if wanted else []


async def _choice(graph: StoryGraph, name: str, found: Sequence[CharacterId]) -> str:
    names = await names_of(graph, found)
    eldest = sorted(found, key=lambda id_: (names.rows[id_][0].from_ordinal, id_))
    shown = ", ".join(f"{names.name(id_)} ({id_[:8]})" for id_ in eldest[:SHOWN])
    return (
        f"{len(found)} characters are called {name!r}: {shown}; give the name in full, or the id."
    )


def _perhaps(names: Names, name: str) -> str:
    """Suggest names like `name`, of those that are known by then."""
    known = {folded(row.alias): row.alias for rows in names.rows.values() for row in rows}
    near = get_close_matches(folded(name), sorted(known), n=SHOWN, cutoff=_LIKE)
    return f" Did you mean {', '.join(known[each] for each in near)}?" if near else ""
