"""Rows that graft records yield, what changes between two projections, and a view as of N.

A record lists what one chapter did; a store keeps rows, each with the interval of the story in
which it holds. Projecting a whole history needs nothing but its records. Projecting a *suffix*
needs the edges that it closes but did not open: `inherited` finds them in the suffix itself,
since a move tells where the edge was and since when. Two suffixes of one prefix are compared by
projecting both onto what *either* inherited (`suffix_changes`): an edge that only the old one
closed then stands open in the new projection, and is put back instead of being deleted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import assert_never

from contracts.ids import ChapterId
from contracts.tree import (
    AliasRow,
    Appear,
    AppearanceRow,
    AttachScene,
    CharacterRow,
    ChildRow,
    Describe,
    DescriptionRow,
    GraftRecord,
    HomeRow,
    IdentityRow,
    IntroduceCharacter,
    LinkAlias,
    LinkIdentity,
    MoveScene,
    MoveStoryline,
    OpenStoryline,
    Operation,
    RowChanges,
    StorylineRow,
    TouchRow,
    TouchStoryline,
    TreeRow,
)
from graph.snapshots import snapshot

__all__ = ["changes", "inherited", "key_of", "project", "snapshot", "suffix_changes"]

_Edge = ChildRow | HomeRow
_OPENS_EDGES = OpenStoryline | MoveStoryline | AttachScene | MoveScene


def key_of(row: TreeRow) -> str:
    """Return the row's key: its kind and identifying fields, the same in every build.

    An edge's key holds where it begins, since a pair may hold in two intervals, but not where
    it ends: closing an edge changes its row, not its key. Free text is hashed.
    """
    match row:
        case StorylineRow():
            parts: tuple[object, ...] = ("storyline", row.id)
        case ChildRow():
            parts = ("child", row.child, row.parent, int(row.from_ordinal))
        case HomeRow():
            parts = ("home", row.scene, row.storyline, int(row.from_ordinal))
        case TouchRow():
            parts = ("touch", row.scene, row.storyline)
        case DescriptionRow():
            maker = _hashed(row.chapter_id)
            parts = ("description", row.storyline, int(row.from_ordinal), maker)
        case CharacterRow():
            parts = ("character", row.id)
        case AliasRow():
            parts = ("alias", row.character, _hashed(row.alias))
        case IdentityRow():
            parts = ("identity", row.character, row.same_as)
        case AppearanceRow():
            parts = ("appearance", row.character, row.scene)
        case _:
            assert_never(row)
    return ":".join(map(str, parts))


def project(
    records: Iterable[GraftRecord], onto: Mapping[str, TreeRow] | None = None
) -> dict[str, TreeRow]:
    """Return by key the rows that `records`, in story order, leave behind.

    A move closes the old edge at the record's ordinal and opens the new one there; an edge that
    would be empty (both chapters tie) vanishes. A storyline that two chapters of a tie describe
    keeps both versions; one chapter describes a storyline at most once. What a chapter says of
    a character that an earlier one has said already changes nothing.

    Args:
        records: a whole history, or a suffix of one.
        onto: for a suffix, the open edges that it found there (see `inherited`).
    """
    rows = dict(onto or {})
    for record in records:
        for operation in record.operations:
            _apply(rows, operation, record)
    return rows


def inherited(records: Iterable[GraftRecord]) -> dict[str, TreeRow]:
    """Return by key the edges, still open, that `records` close but none of them opened."""
    opened: set[str] = set()
    found: dict[str, TreeRow] = {}
    for record in records:
        for operation in record.operations:
            edge = _source(operation)
            if edge is not None and key_of(edge) not in opened:
                found.setdefault(key_of(edge), edge)
            if isinstance(operation, _OPENS_EDGES):
                opened.update(key_of(row) for row in _born(operation, record))
    return found


def changes(old: Mapping[str, TreeRow], new: Mapping[str, TreeRow]) -> RowChanges:
    """Return what turns `old` into `new`: rows that are new or differ, and keys that have gone.

    Both project whole histories, or suffixes onto the same edges: for those `suffix_changes`.
    """
    return RowChanges(
        puts={key: row for key, row in new.items() if old.get(key) != row},
        deletes={key: row for key, row in old.items() if key not in new},
    )


def suffix_changes(old: Iterable[GraftRecord], new: Iterable[GraftRecord]) -> RowChanges:
    """Return what changes in a store when the suffix `new` takes the place of `old`.

    Both follow the same prefix of records (`old` is empty where the history only grew).
    """
    before, after = tuple(old), tuple(new)
    same = _same_appearances(before, after)
    before, after = _without_appearances(before, same), _without_appearances(after, same)
    there = inherited(before) | inherited(after)
    return changes(project(before, there), project(after, there))


def _same_appearances(
    old: Iterable[GraftRecord], new: Iterable[GraftRecord]
) -> frozenset[ChapterId]:
    """Return the chapters where both say the same of who appears: nobody else says it."""
    there = {record.chapter_id: (record.ordinal, _appearances(record)) for record in old}
    return frozenset(
        record.chapter_id
        for record in new
        if there.get(record.chapter_id) == (record.ordinal, _appearances(record))
    )


def _without_appearances(
    records: Iterable[GraftRecord], chapters: frozenset[ChapterId]
) -> tuple[GraftRecord, ...]:
    return tuple(
        record.model_copy(
            update={"operations": tuple(o for o in record.operations if not isinstance(o, Appear))}
        )
        if record.chapter_id in chapters
        else record
        for record in records
    )


def _appearances(record: GraftRecord) -> list[Appear]:
    return [operation for operation in record.operations if isinstance(operation, Appear)]


# --- one operation ----------------------------------------------------------------------------


def _apply(rows: dict[str, TreeRow], operation: Operation, record: GraftRecord) -> None:
    edge = _source(operation)
    if edge is not None:
        _close(rows, edge, int(record.ordinal))
    for row in _born(operation, record):
        rows.setdefault(key_of(row), row)


def _source(operation: Operation) -> _Edge | None:
    """Return the edge that a move ends, open as it was."""
    match operation:
        case MoveStoryline():
            return ChildRow(operation.storyline, operation.source, int(operation.since), None)
        case MoveScene():
            return HomeRow(operation.scene, operation.source, int(operation.since), None)
        case _:
            return None


def _close(rows: dict[str, TreeRow], edge: _Edge, at: int) -> None:
    if edge.from_ordinal < at:
        rows[key_of(edge)] = replace(edge, until_ordinal=at)
    else:
        rows.pop(key_of(edge), None)


def _born(operation: Operation, record: GraftRecord) -> Iterator[TreeRow]:
    """Yield the rows that an operation brings into the world."""
    at = int(record.ordinal)
    match operation:
        case OpenStoryline():
            yield StorylineRow(operation.storyline, operation.kind, at)
            if operation.parent is not None:
                yield ChildRow(operation.storyline, operation.parent, at, None)
        case MoveStoryline():
            yield ChildRow(operation.storyline, operation.target, at, None)
        case AttachScene():
            yield HomeRow(operation.scene, operation.storyline, at, None)
        case MoveScene():
            yield HomeRow(operation.scene, operation.target, at, None)
        case TouchStoryline():
            yield TouchRow(operation.scene, operation.storyline, at)
        case Describe():
            yield _version(operation, record)
        case IntroduceCharacter() | LinkAlias() | LinkIdentity() | Appear():
            yield from _of_a_character(operation, at)
        case _:
            assert_never(operation)


def _version(described: Describe, record: GraftRecord) -> DescriptionRow:
    return DescriptionRow(
        storyline=described.storyline,
        from_ordinal=int(record.ordinal),
        chapter_id=record.chapter_id,
        title=described.title,
        synopsis=described.synopsis,
        inputs=tuple(described.inputs),
    )


def _of_a_character(
    operation: IntroduceCharacter | LinkAlias | LinkIdentity | Appear, at: int
) -> Iterator[TreeRow]:
    match operation:
        case IntroduceCharacter():
            yield CharacterRow(operation.character, at)
            yield AliasRow(operation.character, operation.name, at)
        case LinkAlias():
            yield AliasRow(operation.character, operation.alias, at)
        case LinkIdentity():
            yield IdentityRow(operation.character, operation.same_as, at)
        case Appear():
            yield AppearanceRow(operation.character, operation.scene, operation.count, at)
        case _:
            assert_never(operation)


def _hashed(text: str) -> str:
    encoded = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(encoded, digest_size=16).hexdigest()
