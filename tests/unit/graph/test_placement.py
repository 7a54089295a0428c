from __future__ import annotations

from dataclasses import replace

from contracts.advice import MAX_TOUCHES
from contracts.ids import ChapterId, CharacterId, SceneId, StorylineId
from contracts.ordinals import Ordinal
from contracts.tree import (
    CAPACITY,
    AttachScene,
    GraftRecord,
    OpenStoryline,
    StorylineKind,
    TouchStoryline,
)
from graph.branches import Branches
from graph.clusters import of_scene
from graph.fold import graft, start
from graph.invariants import violations
from graph.placement import Scored, _ways_down, leaf_of, rank
from graph.placement_weights import WEIGHTS
from graph.projection import project
from graph.state import FoldState, Place, Remembered
from tests.unit.graph.stories import (
    NOTHING,
    PEOPLE,
    WORK,
    Told,
    chapter,
    folded,
    home_threads,
    long_story,
    threads_of,
)

ADA, GRACE, EMMY = ("Ada Byron",), ("Grace Hopper",), ("Emmy Noether",)


def test_scenes_of_one_subject_and_company_share_a_thread() -> None:
    one, other = [Told(1, stray=n, people=ADA) for n in range(4)], Told(2, people=GRACE)
    found = threads_of(chapter("c1", 1, one[:2]), chapter("c2", 2, [other, *one[2:]]))
    assert found[0] == found[1] == found[3] == found[4]
    assert found[2] != found[0]


def test_a_thread_is_found_again_after_a_long_time() -> None:
    aside = [
        chapter(f"c{n}", n, [Told(2 + n % 3, stray=10 * n + k, people=GRACE) for k in range(4)])
        for n in range(2, 12)
    ]
    returns = chapter("c12", 12, [Told(1, stray=7, people=ADA)])
    found = threads_of(
        chapter("c1", 1, [Told(1, stray=k, people=ADA) for k in range(3)]), *aside, returns
    )
    assert found[-1] == found[0]


def test_company_decides_where_meaning_does_not() -> None:
    state, records = folded(
        [
            chapter("c1", 1, [Told(1, stray=n, people=ADA) for n in range(3)]),
            chapter("c2", 2, [Told(2, stray=n, people=GRACE) for n in range(3)]),
        ]
    )
    threads = home_threads(records)
    assert _ranked(state, _new(people_of(state, "ada")))[0] == threads[0]
    assert _ranked(state, _new(people_of(state, "hopper")))[0] == threads[3]


def test_of_equal_threads_the_one_told_last_comes_first() -> None:
    state, records = folded(
        [chapter("c1", 1, [Told(1, people=ADA)]), chapter("c2", 2, [Told(2, people=GRACE)])]
    )
    assert _ranked(state, _new(()))[0] == home_threads(records)[1]


def test_recency_counts_scenes_not_ordinals() -> None:
    near, far = (
        folded([chapter("c1", 1, [Told(1)]), chapter("c2", at, [Told(2)])])[0] for at in (2, 900)
    )
    scores = [_scores(state, _new(())) for state in (near, far)]
    assert scores[0] == scores[1]


def test_a_scene_continues_the_thread_of_the_one_before_it() -> None:
    found = threads_of(chapter("c1", 1, [Told(1, people=ADA), Told(0, people=ADA)]))
    assert found[0] == found[1]


def test_an_episode_is_seen_as_one_before_it_is_asked_where_it_belongs() -> None:
    start = [
        chapter(f"c{n}", n, [Told(1 + n // 2, stray=n, people=(ADA, EMMY)[n // 2])] * 3)
        for n in range(4)
    ]
    both = Told(1, stray=9, people=GRACE)
    alone, with_others = (
        threads_of(*start, chapter("c9", 9, scenes))
        for scenes in ([both], [both, *[Told(3, stray=n, people=GRACE) for n in range(4)]])
    )
    assert alone[12] == alone[0]
    assert with_others[12] == with_others[13] != with_others[0]


def test_threads_opened_while_their_group_splits_lie_under_groups() -> None:
    people = [(f"Person {number}",) for number in range(23)]
    first = [
        chapter(f"c{n:02}", n, [Told(n + 1, stray=50 * n + k, people=people[n]) for k in range(40)])
        for n in range(11)
    ]
    told = [Told(n + 1, stray=900 + n, people=people[n]) for n in range(11, 23)]
    story = [*first, chapter("c50", 50, told)]
    _, records = folded(story)
    opened = [op for op in records[-1].operations if isinstance(op, OpenStoryline)]
    assert sum(op.kind is StorylineKind.THREAD for op in opened) > 2
    assert any(op.kind is StorylineKind.GROUP for op in opened)
    assert violations(WORK, story, records, project(records).values()) == ()


def test_scenes_of_one_local_thread_belong_together() -> None:
    state, records = folded([chapter("c1", 1, [Told(1, threads=("war",)), Told(2), Told(3)])])
    here = replace(_new((), chapter_id="c1", number=3), threads=("war",))
    assert _ranked(state, here)[0] == home_threads(records)[0]
    elsewhere = replace(_new((), chapter_id="c2"), threads=("war",))
    assert _ranked(state, elsewhere)[0] != home_threads(records)[0]
    told = [Told(1, threads=("war",)), Told(2), Told(3, threads=("war",))]
    war, _, again = threads_of(chapter("c1", 1, told))
    assert war == again


def test_a_scene_touches_at_most_two_threads_and_never_its_home() -> None:
    meeting = chapter("c99", 99, [Told(0, people=PEOPLE[:2]), Told(0, people=PEOPLE[2:])])
    _, records = folded([*long_story(40, 6, subjects=5), meeting])
    touches: dict[str, list[str]] = {}
    for record in records:
        for operation in record.operations:
            if isinstance(operation, TouchStoryline):
                touches.setdefault(operation.scene, []).append(operation.storyline)
    scenes = [s for record in records for s in _attached(record)]
    homes: dict[str, str] = dict(zip(scenes, home_threads(records), strict=True))
    assert touches
    for scene, touched in touches.items():
        assert 0 < len(set(touched)) == len(touched) <= MAX_TOUCHES
        assert homes[scene] not in touched


def test_a_thread_deep_in_a_group_is_found() -> None:
    people = [(f"Person {number}",) for number in range(24)]
    story = [
        chapter(f"c{n:02}", n, [Told(n + 1, stray=100 * n + k, people=people[n]) for k in range(3)])
        for n in range(24)
    ]
    state, records = folded(story)
    threads = home_threads(records)
    root = state.storylines[StorylineId(state.root or "")]
    assert {state.storylines[StorylineId(c.id)].kind for c in root.children} == {
        StorylineKind.GROUP
    }
    for n in range(24):
        again = chapter("c99", 99, [Told(n + 1, stray=9000, people=people[n])])
        assert home_threads([*records, graft(state, again)[1]])[-1] == threads[3 * n]


def test_a_scene_is_compared_with_few_threads_however_many_there_are() -> None:
    state, hard_to_please = start(WORK), replace(WEIGHTS, fits=60, crowding=0)
    for n in range(120):
        told = [Told(n + 1, stray=2 * n + k, people=(f"Person {n}",)) for k in range(2)]
        state, _ = graft(state, chapter(f"c{n:03}", n, told), weights=hard_to_please)
    tree = Branches(state, ChapterId("c999"), Ordinal.parse(999))
    _, threads = _ways_down(tree, _new(()), [of_scene(_new(()))])
    assert tree.threads > 100
    assert len(threads) <= 3 * CAPACITY


def test_scenes_that_nothing_is_known_of_do_not_all_open_threads() -> None:
    _, records = folded([chapter(f"c{n:03}", n, [Told(0)] * 5) for n in range(80)])
    opened = [
        op
        for record in records
        for op in record.operations
        if isinstance(op, OpenStoryline) and op.kind is StorylineKind.THREAD
    ]
    assert len(opened) <= 3 * 20 + 1  # three for each square root of 400 scenes


def test_a_closed_arc_takes_no_scene() -> None:
    state, _ = folded(long_story(40, 6, subjects=1))
    tree = Branches(state, ChapterId("c99"), Ordinal.parse(99))
    thread = next(s for s in state.storylines.values() if s.kind is StorylineKind.THREAD)
    leaf = tree[leaf_of(tree, _new(()), thread.id)]
    assert leaf.leaf
    assert not leaf.closed
    assert leaf.kind is StorylineKind.ARC


def people_of(state: FoldState, word: str) -> tuple[CharacterId, ...]:
    return state.cast.by_word.get(word) or ()


def _new(present: tuple[CharacterId, ...], chapter_id: str = "new", number: int = 0) -> Remembered:
    """Return a scene with no known word."""
    here = Place(Ordinal.parse(999), ChapterId(chapter_id), number)
    return Remembered(SceneId("new"), here, NOTHING, present, (), "", "")


def _scored(state: FoldState, scene: Remembered) -> list[Scored]:
    tree = Branches(state, scene.place.chapter_id, scene.place.ordinal)
    kinds = state.storylines.values()
    return rank(tree, scene, [each for each in kinds if each.kind is StorylineKind.THREAD])


def _ranked(state: FoldState, scene: Remembered) -> list[str]:
    return [scored.storyline.id for scored in _scored(state, scene)]


def _scores(state: FoldState, scene: Remembered) -> list[int]:
    return [scored.score for scored in _scored(state, scene)]


def _attached(record: GraftRecord) -> list[SceneId]:
    return [op.scene for op in record.operations if isinstance(op, AttachScene)]
