"""The rows that hold as of an ordinal: what a reader of the story so far may know."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from contracts.ordinals import Ordinal
from contracts.ports import TreeSnapshot
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

_Edge = TypeVar("_Edge", ChildRow, HomeRow)
_Row = TypeVar("_Row", bound=TreeRow)


def snapshot(rows: Iterable[TreeRow], as_of: Ordinal) -> TreeSnapshot:
    """Return the rows of a whole history that hold as of `as_of`, sorted, later ends masked."""
    held = held_rows(rows, as_of)
    return TreeSnapshot(
        storylines=sorted_rows(held, StorylineRow),
        children=masked(sorted_rows(held, ChildRow)),
        homes=masked(sorted_rows(held, HomeRow)),
        touches=sorted_rows(held, TouchRow),
        descriptions=_last_versions(sorted_rows(held, DescriptionRow)),
        characters=sorted_rows(held, CharacterRow),
        aliases=sorted_rows(held, AliasRow),
        identities=sorted_rows(held, IdentityRow),
        appearances=sorted_rows(held, AppearanceRow),
    )


def held_rows(rows: Iterable[TreeRow], as_of: Ordinal) -> list[TreeRow]:
    """Return those of `rows` that hold as of `as_of`."""
    return [row for row in rows if _holds(row, as_of)]


def _holds(row: TreeRow, as_of: Ordinal) -> bool:
    if row.from_ordinal > as_of:
        return False
    if isinstance(row, ChildRow | HomeRow):
        return row.until_ordinal is None or row.until_ordinal > as_of
    return True


def sorted_rows(rows: list[TreeRow], kind: type[_Row]) -> tuple[_Row, ...]:
    """Return the rows of one kind by their identifying fields."""
    return tuple(sorted((row for row in rows if isinstance(row, kind)), key=_place))


def _place(row: TreeRow) -> tuple[str, str, int, str]:
    """Return the row's identifying fields, in declared order, as one comparable shape."""
    match row:
        case ChildRow():
            return (row.child, row.parent, row.from_ordinal, "")
        case HomeRow() | TouchRow():
            return (row.scene, row.storyline, row.from_ordinal, "")
        case DescriptionRow():
            return (row.storyline, "", row.from_ordinal, row.chapter_id)
        case AliasRow():
            second = row.alias
        case IdentityRow():
            second = row.same_as
        case AppearanceRow():
            second = row.scene
        case StorylineRow() | CharacterRow():
            return (row.id, "", 0, "")
    return (row.character, second, 0, "")


def masked(edges: tuple[_Edge, ...]) -> tuple[_Edge, ...]:
    """Return the edges as one sees them who does not know when they end."""
    return tuple(replace(edge, until_ordinal=None) for edge in edges)


def _last_versions(versions: tuple[DescriptionRow, ...]) -> tuple[DescriptionRow, ...]:
    """Keep each storyline's last version; of a tie, the later chapter's."""
    return tuple({version.storyline: version for version in versions}.values())
