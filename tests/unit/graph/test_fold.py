from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contracts.ids import storyline_id
from contracts.ordinals import Ordinal
from contracts.tree import (
    CAPACITY,
    AttachScene,
    ChapterInputs,
    Describe,
    MoveStoryline,
    OpenStoryline,
    StorylineKind,
)
from graph.fold import graft, start
from graph.invariants import violations
from graph.projection import project, snapshot
from tests.unit.graph.stories import WORK, Told, chapter, folded, long_story, stories

_SLOW = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def test_the_first_scene_opens_the_root_and_a_thread() -> None:
    _, (record,) = folded([chapter("c1", 1, [Told(1, people=("Ada Byron",))])])
    opened = [op for op in record.operations if isinstance(op, OpenStoryline)]
    assert [(op.kind, op.parent) for op in opened] == [
        (StorylineKind.GROUP, None),
        (StorylineKind.THREAD, opened[0].storyline),
    ]
    assert opened[1].storyline == storyline_id(WORK, "c1", 0)


def test_a_chapter_without_scenes_leaves_the_state_as_it_was() -> None:
    state, records = folded([chapter("c1", 1, [Told(1)]), chapter("c2", 2, [])])
    assert records[1].operations == ()
    assert records[1].digest == records[0].digest == state.digest


def test_a_story_may_begin_with_a_chapter_without_scenes() -> None:
    chapters = [chapter("c1", 1, []), chapter("c2", 2, [Told(1)])]
    _, records = folded(chapters)
    assert violations(WORK, chapters, records, project(records).values()) == ()


@_SLOW
@given(stories())
def test_every_invariant_holds_at_every_as_of(story: list[ChapterInputs]) -> None:
    _, records = folded(story)
    assert violations(WORK, story, records, project(records).values()) == ()


@_SLOW
@given(stories(), st.data())
def test_records_do_not_depend_on_what_follows(
    story: list[ChapterInputs], data: st.DataObject
) -> None:
    known = data.draw(st.integers(0, len(story)))
    _, whole = folded(story)
    state, first = folded(story[:known])
    assert first == whole[:known]
    assert state.digest == (whole[known - 1].digest if known else start(WORK).digest)


@_SLOW
@given(stories())
def test_as_of_a_chapter_the_tree_is_that_of_the_chapters_so_far(
    story: list[ChapterInputs],
) -> None:
    _, records = folded(story)
    whole = project(records).values()
    for at in sorted({each.ordinal for each in story}):
        so_far = project(record for record in records if record.ordinal <= at).values()
        assert snapshot(whole, at) == snapshot(so_far, at)


@_SLOW
@given(stories(most=12))
def test_grafting_does_not_change_the_state_it_starts_from(story: list[ChapterInputs]) -> None:
    state, _ = folded(story[:-1])
    digest, storylines = state.digest, dict(state.storylines)
    first, again = graft(state, story[-1]), graft(state, story[-1])
    assert first == again
    assert (state.digest, dict(state.storylines)) == (digest, storylines)


@_SLOW
@given(stories(most=12))
def test_the_digest_is_the_sum_over_what_is_remembered(story: list[ChapterInputs]) -> None:
    state, records = folded(story)
    afresh = sum(storyline.digest for storyline in state.storylines.values()) % 2**128
    assert state.tree_digest == afresh
    assert records[-1].digest == state.digest


def test_the_digest_tells_other_memories_apart() -> None:
    state, _ = folded([chapter("c1", 1, [Told(1, people=("Ada Byron",))])])
    other_title = chapter("c1", 1, [Told(1, people=("Ada Byron",))])
    scene = other_title.scenes[0]
    retitled = replace(scene, scene=scene.scene.model_copy(update={"title": "Another title"}))
    other, _ = folded([replace(other_title, scenes=(retitled,))])
    assert other.digest != state.digest


def test_an_edit_is_forgotten_when_no_memory_of_it_is_left() -> None:
    story = long_story(40, 6, subjects=3)
    _, before = folded(story)
    edited = list(story)
    scene = edited[3].scenes[0]
    reworded = replace(scene, scene=scene.scene.model_copy(update={"synopsis": "Other words."}))
    edited[3] = replace(edited[3], scenes=(reworded, *edited[3].scenes[1:]))
    _, after = folded(edited)
    assert before[3].digest != after[3].digest
    assert any(a.digest == b.digest for a, b in zip(before[4:], after[4:], strict=True))


def test_a_chapter_of_many_scenes_is_grafted_like_any_other() -> None:
    story = [chapter("c1", 1, [Told(1 + nth // 20, stray=nth) for nth in range(100)])]
    _, records = folded(story)
    assert violations(WORK, story, records, project(records).values()) == ()
    attached = [op.scene for op in records[0].operations if isinstance(op, AttachScene)]
    assert attached == [inputs.scene.scene_id for inputs in story[0].scenes]


def test_invariants_hold_where_storylines_of_storylines_split() -> None:
    many = [
        chapter(f"a{n:02}", n, [Told(7 * n + k + 1, people=(f"Person {n}{k}",)) for k in range(7)])
        for n in range(12)
    ]
    one = [chapter(f"b{n:02}", 20, [Told(1, stray=6 * n + k) for k in range(6)]) for n in range(40)]
    story = [*many, *one]
    _, records = folded(story)
    assert any(isinstance(op, MoveStoryline) for record in records for op in record.operations)
    assert violations(WORK, story, records, project(records).values()) == ()


def test_each_chapter_describes_a_storyline_at_most_once() -> None:
    _, records = folded(long_story(30, 6, subjects=4))
    for record in records:
        described = Counter(op.storyline for op in record.operations if isinstance(op, Describe))
        assert max(described.values(), default=0) <= 1


def test_every_storyline_has_a_description_from_its_first_chapter_on() -> None:
    _, records = folded(long_story(60, 6, subjects=5))
    for record in records:
        opened = {op.storyline for op in record.operations if isinstance(op, OpenStoryline)}
        described = {op.storyline for op in record.operations if isinstance(op, Describe)}
        assert opened <= described


def test_a_long_story_stays_shallow_and_its_state_small() -> None:
    story = long_story(120, 6, subjects=5)
    state, records = folded(story)
    tree = snapshot(project(records).values(), Ordinal.parse(1000))
    parents = {row.child: row.parent for row in tree.children}
    depths = set()
    for home in tree.homes:
        depth, above = 1, parents.get(home.storyline)
        while above is not None:
            depth, above = depth + 1, parents.get(above)
        depths.add(depth)
    assert max(depths) <= 5
    assert len(tree.storylines) > len(state.storylines)
    assert all(len(known.window) <= CAPACITY for known in state.storylines.values())
