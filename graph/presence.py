"""What of the tree readers may be told while a chapter is no longer live but still folded in.

A withdrawal takes effect at once, its re-fold a moment later. In between the rows still hold
what the chapter brought in; here it is left out. Rows are told by the ordinal of the chapter that
made them, so where two chapters tie, what the other one brought in is left out too, for that
moment: rather too little than a word of a withdrawn chapter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from contracts.tree import (
    AliasRow,
    AppearanceRow,
    CharacterRow,
    ChildRow,
    DescriptionRow,
    HomeRow,
    IdentityRow,
    StorylineRow,
    TouchRow,
    TreeRow,
)


@dataclass(frozen=True, slots=True)
class Presence:
    """Who is there as of an ordinal.

    `scenes` are those of live chapters at or below it; `absent` and `absent_ordinals` are ids
    and ordinals of chapters that have a graft record but are not live.
    """

    scenes: frozenset[str]
    absent: frozenset[str]
    absent_ordinals: frozenset[int]


def told(rows: Iterable[TreeRow], presence: Presence) -> Iterator[TreeRow]:
    """Yield, in their order, the rows that tell nothing of a chapter that is not live."""
    rows = tuple(rows)
    hidden = {
        row.id
        for row in rows
        if isinstance(row, CharacterRow) and row.from_ordinal in presence.absent_ordinals
    }
    return (row for row in rows if _is_told(row, presence, hidden))


def _is_told(row: TreeRow, presence: Presence, hidden: set[str]) -> bool:
    match row:
        case StorylineRow() | ChildRow():
            return True
        case HomeRow() | TouchRow():
            return row.scene in presence.scenes
        case DescriptionRow():
            return row.chapter_id not in presence.absent and presence.scenes.issuperset(row.inputs)
        case AppearanceRow():
            return row.character not in hidden and row.scene in presence.scenes
        case CharacterRow() | AliasRow() | IdentityRow():
            stands = row.from_ordinal not in presence.absent_ordinals
            return stands and hidden.isdisjoint(_characters(row))


def _characters(row: CharacterRow | AliasRow | IdentityRow) -> tuple[str, ...]:
    match row:
        case CharacterRow():
            return (row.id,)
        case AliasRow():
            return (row.character,)
        case IdentityRow():
            return (row.character, row.same_as)
