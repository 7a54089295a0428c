"""The tree's rows as parameters of statements, and records of a result as rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from contracts.ids import Generation
from contracts.tree import (
    AliasRow,
    AppearanceRow,
    CharacterRow,
    ChildRow,
    DescriptionRow,
    HomeRow,
    IdentityRow,
    StorylineKind,
    StorylineRow,
    TouchRow,
    TreeRow,
)
from contracts.words import folded
from contracts.works import WorkRecord
from graph.bolt.keys import node_key, work_key
from graph.bolt.kinds import EdgeKind, NodeKind
from graph.bolt.packing import Row, Value

Columns = Mapping[str, Any]
"""One record of a result, whose types its statement vouches for."""


def node_parameters(kind: NodeKind, work: WorkRecord, key: str, row: TreeRow) -> Row:
    """Return a node row as an element of `$rows`."""
    generation = work.generation
    properties: dict[str, Value] = {name: _value(row, name) for name in kind.fields}
    properties["work"] = work_key(generation, work.work_id)
    if isinstance(row, AliasRow):
        properties["folded"] = folded(row.alias)  # by which it is looked for
    if kind.link is None:
        return {"key": _id_key(generation, row, "id"), "properties": properties}
    return {
        "key": node_key(generation, key),
        "properties": properties,
        "target": _id_key(generation, row, kind.link.end.field),
    }


def edge_parameters(kind: EdgeKind, generation: Generation, key: str, row: TreeRow) -> Row:
    """Return an edge row as an element of `$rows`; an end that is open removes its property."""
    return {
        "key": node_key(generation, key),
        "source": _id_key(generation, row, kind.source.field),
        "target": _id_key(generation, row, kind.target.field),
        "properties": {name: _value(row, name) for name in kind.fields},
    }


def row_of(kind: type[TreeRow], columns: Columns) -> TreeRow:
    """Return the row that a record of the kind's reading statement holds."""
    return _DECODERS[kind](columns)


_DECODERS: Final[Mapping[type[TreeRow], Callable[[Columns], TreeRow]]] = {
    StorylineRow: lambda c: StorylineRow(c["id"], StorylineKind(c["kind"]), c["from_ordinal"]),
    ChildRow: lambda c: ChildRow(c["child"], c["parent"], c["from_ordinal"], c["until_ordinal"]),
    HomeRow: lambda c: HomeRow(c["scene"], c["storyline"], c["from_ordinal"], c["until_ordinal"]),
    TouchRow: lambda c: TouchRow(c["scene"], c["storyline"], c["from_ordinal"]),
    DescriptionRow: lambda c: DescriptionRow(
        c["storyline"],
        c["from_ordinal"],
        c["chapter_id"],
        c["title"],
        c["synopsis"],
        tuple(c["inputs"]),
    ),
    CharacterRow: lambda c: CharacterRow(c["id"], c["from_ordinal"]),
    AliasRow: lambda c: AliasRow(c["character"], c["alias"], c["from_ordinal"]),
    IdentityRow: lambda c: IdentityRow(c["character"], c["same_as"], c["from_ordinal"]),
    AppearanceRow: lambda c: AppearanceRow(
        c["character"], c["scene"], c["count"], c["from_ordinal"]
    ),
}


def _id_key(generation: Generation, row: TreeRow, field: str) -> str:
    return node_key(generation, str(getattr(row, field)))


def _value(row: TreeRow, field: str) -> Value:
    """Return a field as a plain property: ordinals and enumerations are subclasses of such."""
    value = getattr(row, field)
    match value:
        case int():
            return int(value)
        case str():
            return str(value)
        case tuple():
            return [str(each) for each in value]
        case _:
            return None
