"""What must hold of every tree, at every as-of; pure, for tests, `doctor` and replay's verify."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from contracts.ids import WorkId
from contracts.ordinals import Ordinal
from contracts.tree import (
    CAPACITY,
    ChapterInputs,
    ChildRow,
    DescriptionRow,
    GraftRecord,
    HomeRow,
    StorylineKind,
    StorylineRow,
    TouchRow,
    TreeRow,
)
from graph.fold import graft, start
from graph.placement_weights import WEIGHTS, Weights
from graph.projection import key_of, project
from graph.validity import counts_over_time, gaps_and_overlaps

_Edge = ChildRow | HomeRow


def violations(
    work_id: WorkId,
    chapters: Sequence[ChapterInputs],
    records: Sequence[GraftRecord],
    rows: Iterable[TreeRow],
    weights: Weights = WEIGHTS,
) -> tuple[str, ...]:
    """Return what is wrong with a work's tree, each fault in one sentence; nothing if all is well.

    Args:
        work_id: the work.
        chapters: its live chapters in story order.
        records: the graft records as stored, in story order.
        rows: the tree's rows as stored.
        weights: those that the tree was folded with.
    """
    return (
        *record_violations(work_id, chapters, records, weights),
        *tree_violations(chapters, records, rows),
    )


def record_violations(
    work_id: WorkId,
    chapters: Sequence[ChapterInputs],
    records: Sequence[GraftRecord],
    weights: Weights,
) -> tuple[str, ...]:
    """Return how the graft records differ from those that folding `chapters` gives."""
    return tuple(_unlike_fold(work_id, chapters, records, weights))


def tree_violations(
    chapters: Sequence[ChapterInputs], records: Sequence[GraftRecord], rows: Iterable[TreeRow]
) -> tuple[str, ...]:
    """Return what is wrong with the rows: as a tree, and against the records they come from."""
    stored = tuple(rows)
    tree = _Tree.of(stored, chapters)
    checks = (
        _unlike_records(records, stored),
        _wrong_roots(tree),
        _wrong_parents(tree),
        _cycles(tree),
        _wrong_homes(tree),
        _wrong_sizes(tree),
        _wrong_validity(tree),
        _wrong_descriptions(tree),
    )
    return tuple(fault for check in checks for fault in check)


@dataclass(frozen=True, slots=True)
class _Tree:
    """The rows by what they are about. `scenes` holds each live scene's ordinal."""

    scenes: Mapping[str, int]
    storylines: Mapping[str, StorylineRow]
    parents: Mapping[str, Sequence[ChildRow]]
    homes: Mapping[str, Sequence[HomeRow]]
    edges: Sequence[_Edge]
    touches: Sequence[TouchRow]
    descriptions: Sequence[DescriptionRow]

    @classmethod
    def of(cls, rows: Sequence[TreeRow], chapters: Iterable[ChapterInputs]) -> _Tree:
        parents: dict[str, list[ChildRow]] = defaultdict(list)
        homes: dict[str, list[HomeRow]] = defaultdict(list)
        for row in rows:
            if isinstance(row, ChildRow):
                parents[row.child].append(row)
            elif isinstance(row, HomeRow):
                homes[row.scene].append(row)
        return cls(
            scenes={
                inputs.scene.scene_id: int(chapter.ordinal)
                for chapter in chapters
                for inputs in chapter.scenes
            },
            storylines={row.id: row for row in rows if isinstance(row, StorylineRow)},
            parents=parents,
            homes=homes,
            edges=[row for row in rows if isinstance(row, ChildRow | HomeRow)],
            touches=[row for row in rows if isinstance(row, TouchRow)],
            descriptions=[row for row in rows if isinstance(row, DescriptionRow)],
        )

    def roots(self) -> list[StorylineRow]:
        return [row for id_, row in sorted(self.storylines.items()) if id_ not in self.parents]

    def parent(self, storyline: str, as_of: int) -> str | None:
        for edge in self.parents.get(storyline, ()):
            if edge.from_ordinal <= as_of and (
                edge.until_ordinal is None or edge.until_ordinal > as_of
            ):
                return edge.parent
        return None


def _unlike_fold(
    work_id: WorkId,
    chapters: Sequence[ChapterInputs],
    records: Sequence[GraftRecord],
    weights: Weights,
) -> Iterator[str]:
    """Find the first record that folding the inputs again does not give."""
    state = start(work_id)
    for chapter, record in zip_longest(chapters, records):
        if chapter is None or record is None:
            yield f"{len(chapters)} live chapters, but {len(records)} graft records"
            return
        state, made = graft(state, chapter, record.advised, weights=weights)
        if made != record:
            yield f"chapter {chapter.chapter_id!r}: folding its inputs gives another graft record"
            return


def _unlike_records(records: Iterable[GraftRecord], rows: Iterable[TreeRow]) -> Iterator[str]:
    expected = project(records)
    found: dict[str, TreeRow] = {}
    for row in rows:
        if key_of(row) in found:
            yield f"row {key_of(row)} is there twice"
        found[key_of(row)] = row
    for key in sorted(expected.keys() | found.keys()):
        if key not in found:
            yield f"row {key} follows from the records but is not there"
        elif key not in expected:
            yield f"row {key} does not follow from the records"
        elif expected[key] != found[key]:
            yield f"row {key} differs from what the records say"


def _wrong_roots(tree: _Tree) -> Iterator[str]:
    roots = tree.roots()
    wanted = 1 if tree.scenes else 0
    if len(roots) != wanted:
        yield f"{len(roots)} roots, not {wanted}"
    for root in roots[:1]:
        first = min(tree.scenes.values(), default=root.from_ordinal)
        if root.kind is not StorylineKind.GROUP or root.from_ordinal != first:
            yield f"root {root.id} is not a group from {Ordinal(first)} on"


def _wrong_parents(tree: _Tree) -> Iterator[str]:
    for child, edges in sorted(tree.parents.items()):
        row = tree.storylines.get(child)
        if row is not None:
            spans = [(edge.from_ordinal, edge.until_ordinal) for edge in edges]
            for fault in gaps_and_overlaps(spans, row.from_ordinal):
                yield f"storyline {child} is in the tree {fault}"


def _cycles(tree: _Tree) -> Iterator[str]:
    """Climb from each end of a new edge, as of its beginning: a cycle must have a youngest edge."""
    for edge in tree.edges:
        if isinstance(edge, ChildRow):
            seen, above = {edge.child}, tree.parent(edge.child, edge.from_ordinal)
            while above is not None and above not in seen:
                seen.add(above)
                above = tree.parent(above, edge.from_ordinal)
            if above is not None:
                yield f"storyline {edge.child} lies beneath itself at {Ordinal(edge.from_ordinal)}"


def _wrong_homes(tree: _Tree) -> Iterator[str]:
    for scene, ordinal in sorted(tree.scenes.items()):
        spans = [(edge.from_ordinal, edge.until_ordinal) for edge in tree.homes.get(scene, ())]
        for fault in gaps_and_overlaps(spans, ordinal):
            yield f"scene {scene} is at home {fault}"
    for scene in sorted(tree.homes.keys() - tree.scenes.keys()):
        yield f"scene {scene} has a home but belongs to no live chapter"


def _wrong_sizes(tree: _Tree) -> Iterator[str]:
    beneath: dict[str, list[tuple[int, int | None]]] = defaultdict(list)
    for edge in tree.edges:
        above = edge.parent if isinstance(edge, ChildRow) else edge.storyline
        beneath[above].append((edge.from_ordinal, edge.until_ordinal))
    for id_, row in sorted(tree.storylines.items()):
        counts = dict(counts_over_time(beneath[id_]))
        counts.setdefault(row.from_ordinal, 0)
        for at, count in sorted(counts.items()):
            if not 0 < count <= CAPACITY:
                yield f"storyline {id_} has {count} children as of {Ordinal(at)}"


def _wrong_validity(tree: _Tree) -> Iterator[str]:
    """Find edges that are empty, or hold before one of their ends is there."""
    for edge in (*tree.edges, *tree.touches):
        born = [
            tree.storylines[id_].from_ordinal if id_ in tree.storylines else None
            for id_ in _storylines_of(edge)
        ]
        if None in born or any(at is not None and at > edge.from_ordinal for at in born):
            yield f"{key_of(edge)} holds before its storylines do"
        if isinstance(edge, TouchRow):
            if tree.scenes.get(edge.scene) != edge.from_ordinal:
                yield f"{key_of(edge)} does not begin with its scene"
        elif edge.until_ordinal is not None and edge.until_ordinal <= edge.from_ordinal:
            yield f"{key_of(edge)} holds nowhere"


def _storylines_of(edge: _Edge | TouchRow) -> tuple[str, ...]:
    return (edge.child, edge.parent) if isinstance(edge, ChildRow) else (edge.storyline,)


def _wrong_descriptions(tree: _Tree) -> Iterator[str]:
    for version in tree.descriptions:
        at = Ordinal(version.from_ordinal)
        storyline = tree.storylines.get(version.storyline)
        if storyline is None or storyline.from_ordinal > version.from_ordinal:
            yield f"storyline {version.storyline} is described at {at} but not there"
        if not version.inputs:
            yield f"the description of {version.storyline} at {at} is made from nothing"
        for scene in version.inputs:
            if scene not in tree.scenes:
                yield f"the description of {version.storyline} at {at} is made from {scene}: gone"
            elif tree.scenes[scene] > version.from_ordinal:
                yield f"the description of {version.storyline} at {at} is made from {scene}: later"
