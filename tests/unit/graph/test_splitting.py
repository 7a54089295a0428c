from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from contracts.ids import ChapterId, split_id
from contracts.ordinals import Ordinal
from contracts.tree import (
    CAPACITY,
    ChapterInputs,
    Describe,
    GraftRecord,
    MoveScene,
    MoveStoryline,
    OpenStoryline,
    StorylineKind,
)
from graph.partition import (
    SMALLEST_THEME,
    Item,
    divide,
    divide_ended,
    separation,
    two_means,
)
from graph.profiles import Vector
from graph.projection import project, snapshot
from graph.state import Place
from tests.unit.graph.stories import Told, chapter, dense, folded

ADA = ("Ada Byron",)


def _vector(subject: int, stray: int) -> Vector:
    return np.frombuffer(dense(subject, stray), dtype="<i2").astype(np.int64)


def _items(subjects: Sequence[int], closed: Sequence[int] = ()) -> list[Item]:
    return [
        Item(
            id=f"item {nth:02}",
            vector=_vector(subject, nth),
            last=Place(Ordinal.parse(nth), ChapterId("c"), 0),
            closed=nth in closed,
        )
        for nth, subject in enumerate(subjects)
    ]


# --- how to part ------------------------------------------------------------------------------


def test_two_interleaved_subjects_are_parted_by_theme() -> None:
    division = divide(_items([1, 2] * 6 + [1]), newer=(1, 2, 3))
    assert not division.by_time
    assert division.second == tuple(f"item {nth:02}" for nth in range(1, 13, 2))


def test_one_subject_is_parted_by_time_and_the_older_part_is_large() -> None:
    division = divide(_items([1] * 13), newer=(1, 2, 3))
    assert division.by_time
    assert len(division.second) <= 3
    assert division.first + division.second == tuple(f"item {nth:02}" for nth in range(13))


def test_a_cut_in_time_falls_where_the_subject_changes() -> None:
    division = divide(_items([1] * 11 + [2] * 2), newer=(1, 2, 3))
    assert division.by_time
    assert len(division.second) == 2


def test_a_theme_with_few_scenes_is_an_episode() -> None:
    few = SMALLEST_THEME - 1
    subjects = [1] * 13
    for nth in range(few):
        subjects[2 + 3 * nth] = 2
    assert divide(_items(subjects), newer=(1, 2, 3)).by_time


@pytest.mark.parametrize("subject", [0, 1])
def test_items_that_do_not_differ_at_all_are_parted_by_time(subject: int) -> None:
    items = [item._replace(vector=_vector(subject, 0)) for item in _items([1] * 13)]
    division = divide(items, newer=(1, 2, 3))
    assert division.by_time
    assert division.first
    assert division.second


def test_parting_does_not_depend_on_the_order_of_the_items() -> None:
    items = _items([1, 2, 3] * 4 + [1])
    assert divide(items, newer=(1, 2, 3)) == divide(items[::-1], newer=(1, 2, 3))


def test_what_is_still_open_stays_together() -> None:
    division = divide_ended(_items([1] * 13, closed=[0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11]), 3)
    assert division.second == ("item 04", "item 12")


def test_an_open_arc_that_is_not_among_the_latest_has_ended_too() -> None:
    division = divide_ended(_items([1] * 13), most_newer=3)
    assert division.second == ("item 10", "item 11", "item 12")


def test_arcs_that_have_all_ended_leave_the_latest() -> None:
    assert divide_ended(_items([1] * 13, closed=range(13)), 3).second == ("item 12",)


def test_separation_is_whole_between_two_points_and_none_within_one() -> None:
    two = np.stack([_vector(1, 0), _vector(1, 0), _vector(2, 0), _vector(2, 0)])
    assert separation(two, frozenset({0, 1})) == 1000
    assert separation(two, frozenset({0, 2})) == 0
    assert separation(two[:2], frozenset({0})) == 0


def test_two_means_finds_the_two_subjects() -> None:
    vectors = np.stack([_vector(1 + nth % 2, nth) for nth in range(12)])
    assert two_means(vectors) == frozenset(range(0, 12, 2))


# --- what a split does to the tree ------------------------------------------------------------


def _one_thread(scenes: int) -> list[ChapterInputs]:
    return [chapter(f"c{n:03}", n, [Told(1, people=ADA)]) for n in range(scenes)]


def _moves(record: GraftRecord) -> list[MoveScene]:
    return [operation for operation in record.operations if isinstance(operation, MoveScene)]


def _opened(record: GraftRecord) -> list[OpenStoryline]:
    return [operation for operation in record.operations if isinstance(operation, OpenStoryline)]


def test_a_thread_splits_with_the_first_scene_too_many() -> None:
    _, records = folded(_one_thread(CAPACITY + 1))
    assert not any(_moves(record) for record in records[:-1])
    assert len(_moves(records[-1])) == CAPACITY + 1


def test_a_full_thread_gets_two_arcs_named_after_it_and_the_chapter() -> None:
    _, records = folded(_one_thread(CAPACITY + 1))
    thread = _opened(records[0])[1].storyline
    arcs = _opened(records[-1])
    assert [arc.storyline for arc in arcs] == [
        split_id(thread, records[-1].chapter_id, part) for part in (0, 1)
    ]
    assert {(arc.kind, arc.parent) for arc in arcs} == {(StorylineKind.ARC, thread)}
    assert {move.source for move in _moves(records[-1])} == {thread}


def test_a_move_tells_since_when_the_edge_held() -> None:
    _, records = folded(_one_thread(CAPACITY + 1))
    sinces = [move.since for move in _moves(records[-1])]
    assert sinces == [Ordinal.parse(n) for n in range(CAPACITY + 1)]


def test_the_older_arc_is_nearly_full_and_closed() -> None:
    state, records = folded(_one_thread(CAPACITY + 1))
    older, newer = (state.storylines[arc.storyline] for arc in _opened(records[-1]))
    assert older.closed
    assert older.count >= CAPACITY - 2
    assert len(older.window) == 1
    assert not newer.closed
    assert older.count + newer.count == CAPACITY + 1


def test_an_arc_gives_its_newer_scenes_to_a_sibling() -> None:
    _, records = folded(_one_thread(40))
    thread = _opened(records[0])[1].storyline
    later = [record for record in records[CAPACITY + 1 :] if _opened(record)]
    for record in later:
        (sibling,) = _opened(record)
        assert sibling.parent == thread
        assert {move.target for move in _moves(record)} == {sibling.storyline}
        assert len(_moves(record)) <= 3


def test_the_scenes_of_a_thread_lie_equally_deep() -> None:
    _, records = folded(_one_thread(300))
    tree = snapshot(project(records).values(), Ordinal.parse(1000))
    parents = {row.child: row.parent for row in tree.children}
    depths = {len(_above(parents, home.storyline)) for home in tree.homes}
    assert depths == {3}  # the thread, an arc of arcs, the root


def test_closed_arcs_are_forgotten_when_their_parent_closes() -> None:
    state, records = folded(_one_thread(300))
    arcs = sum(opened.kind is StorylineKind.ARC for r in records for opened in _opened(r))
    assert arcs > 2 * len(state.storylines)


def test_the_root_splits_into_groups() -> None:
    told = [Told(n + 1, people=(f"Person {n}",)) for n in range(60)]
    state, (record,) = folded([chapter("c1", 1, told)])
    root = _opened(record)[0].storyline
    groups = [op for op in _opened(record)[1:] if op.kind is StorylineKind.GROUP]
    assert [op.parent for op in groups[:2]] == [root, root]
    moved = [op for op in record.operations if isinstance(op, MoveStoryline)]
    assert {op.source for op in moved[: CAPACITY + 1]} == {root}
    assert all(len(known.children) <= CAPACITY for known in state.storylines.values())


def test_what_a_split_has_made_or_changed_is_described() -> None:
    _, records = folded(_one_thread(60))
    for record in records:
        described = {op.storyline for op in record.operations if isinstance(op, Describe)}
        assert {opened.storyline for opened in _opened(record)} <= described
        assert {move.target for move in _moves(record)} <= described
        ended = {m.source for m in _moves(record)} - {_opened(records[0])[1].storyline}
        assert ended <= described


def _above(parents: dict[str, str], storyline: str) -> list[str]:
    above: list[str] = []
    while storyline in parents:
        storyline = parents[storyline]
        above.append(storyline)
    return above
