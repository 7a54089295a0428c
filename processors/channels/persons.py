"""Whom a question names, looked up in the cast as of then."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from contracts.ids import CharacterId
from contracts.story_graph import StoryGraph
from contracts.tree import AliasRow
from contracts.words import folded

_MOST_NAMES: Final = 3
"""Names looked up: a question of more asks for no relation between two."""

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*\.?")
_POSSESSIVE: Final = re.compile(r"['’]s$|(?<=s)['’]$")
_BETWEEN: Final = " "


@dataclass(frozen=True, slots=True)
class Person:
    """A character whom a question names; `names` are the words of each of its names, folded."""

    id: CharacterId
    names: tuple[frozenset[str], ...]

    def named_in(self, words: frozenset[str]) -> bool:
        """Say whether one of the names stands in full among the (folded) words of a text."""
        return any(name <= words for name in self.names)


def names_in(text: str) -> tuple[str, ...]:
    """Return the names in a question: runs of words with a capital, but for its first word."""
    runs: list[str] = []
    last_end = -1
    for nth, word in enumerate(_WORD.finditer(text)):
        spoken = _POSSESSIVE.sub("", word.group().removesuffix("."))
        if nth and spoken[:1].isupper():
            follows = runs and text[last_end : word.start()] == _BETWEEN
            runs[-1:] = [f"{runs[-1]} {spoken}"] if follows else [*runs[-1:], spoken]
            last_end = word.end() if spoken == word.group().removesuffix(".") else -1
    return tuple(dict.fromkeys(runs))[:_MOST_NAMES]


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text as names are compared: folded, without possessive endings."""
    return frozenset(
        _POSSESSIVE.sub("", word.removesuffix(".")) for word in _WORD.findall(folded(text))
    )


async def persons_named(graph: StoryGraph, text: str) -> tuple[Person, ...]:
    """Return whom a question names, in its order, each once; a name that nobody bears is none."""
    found: list[CharacterId] = []
    for name in names_in(text):
        bearer = await _bearer(graph, name)
        if bearer is not None and bearer not in found:
            found.append(bearer)
    if not found:
        return ()
    names = {
        id_: tuple(words for row in rows if (words := words_of(row.alias)))
        for id_, rows in groupby(await graph.names(found), key=lambda row: row.character)
    }
    return tuple(Person(id_, names[id_]) for id_ in found if id_ in names)


async def _bearer(graph: StoryGraph, name: str) -> CharacterId | None:
    """Return who bears the name in full, else its last word; of several whom most scenes have."""
    wanted, last = words_of(name), name.rsplit(maxsplit=1)[-1]
    rows = await graph.called(last)
    ways = (
        [row for row in rows if words_of(row.alias) == wanted],
        [row for row in rows if wanted <= words_of(row.alias)],
        [row for row in rows if words_of(last) <= words_of(row.alias)],
    )
    bearers = next((_characters(way) for way in ways if way), [])
    if len(bearers) < 2:
        return bearers[0] if bearers else None
    members = await graph.members(bearers)
    return min(members, key=lambda each: (-each.scenes, each.since, each.id)).id


def _characters(rows: Sequence[AliasRow]) -> list[CharacterId]:
    return sorted({CharacterId(row.character) for row in rows})
