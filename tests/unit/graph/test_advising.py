from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from contracts.advice import Advice, Advised, PersonAdvice, SceneAdvice
from contracts.ids import StorylineId
from contracts.placement import (
    MAX_SCENES_SHOWN,
    MAX_THREADS_SHOWN,
    AdviceScope,
    PlacementCase,
    ShownScene,
)
from contracts.tree import (
    ChapterInputs,
    GraftRecord,
    LinkIdentity,
    OpenStoryline,
    StorylineKind,
    TouchStoryline,
)
from graph.advising import Advising, consider
from graph.fold import FoldState, graft, start
from graph.invariants import violations
from graph.placement import TOGETHER
from graph.projection import project
from tests.advisers import FixedAdviser
from tests.unit.graph.stories import WORK, Told, chapter, folded, home_threads, long_story

ADA, GRACE = ("Ada Byron",), ("Grace Hopper",)
TWO_PLOTS = [
    chapter("c1", 1, [Told(1, stray=n, people=ADA) for n in range(3)]),
    chapter("c2", 2, [Told(2, stray=n, people=GRACE) for n in range(3)]),
]
BETWEEN = chapter("c3", 3, [Told(1, stray=9, people=GRACE), Told(1, stray=8, people=ADA)])

UNDECIDED = Told(0, people=(*ADA, *GRACE, *(f"Person{n} Unknown{n}" for n in range(4))))
"""Whose words say nothing, and whose people are of two plots and of none."""


def case_of(
    story: Sequence[ChapterInputs], scope: AdviceScope = AdviceScope.ALL
) -> PlacementCase | None:
    """Return the case that the last chapter makes."""
    state, _ = folded(story[:-1])
    return consider(state, story[-1], scope)


def advised(*scenes: SceneAdvice) -> Advised:
    return Advised(Advice(scenes=scenes), 1, 100, 10, 1)


def told(
    story: Sequence[ChapterInputs], *scenes: SceneAdvice
) -> tuple[GraftRecord, list[str], FoldState]:
    """Graft the last chapter as advised: its record, and every scene's thread."""
    state, records = folded(story[:-1])
    after, record = graft(state, story[-1], advised(*scenes))
    assert violations(WORK, story, [*records, record], project([*records, record]).values()) == ()
    return record, home_threads([*records, record]), after


# --- what is asked ----------------------------------------------------------------------------


def test_the_first_chapter_has_nothing_to_choose_among() -> None:
    assert case_of(TWO_PLOTS[:1]) is None


def test_a_chapter_without_scenes_makes_no_case() -> None:
    assert case_of([*TWO_PLOTS, chapter("c3", 3, [])]) is None


def test_threads_are_shown_with_their_newest_synopses_and_where_these_come_from() -> None:
    case = case_of([*TWO_PLOTS, BETWEEN])
    assert case is not None
    assert [thread.drawn_on for thread in case.threads] == [("c1",), ("c2",)]
    assert [len(thread.synopses) for thread in case.threads] == [3, 3]
    assert "scene 2 of c1" in case.threads[0].synopses[-1]
    assert "Ada Byron" in case.threads[0].title
    assert case.scenes[0].characters == GRACE
    assert case.scenes[0].synopsis == BETWEEN.scenes[0].scene.synopsis


def test_only_what_the_scores_leave_open_is_a_close_call() -> None:
    story = [*TWO_PLOTS, chapter("c3", 3, [Told(1, stray=9, people=ADA), UNDECIDED])]
    case = case_of(story, AdviceScope.CLOSE)
    assert case is not None
    assert [scene.number for scene in case.close_calls] == [2]
    assert len(case.scenes) == 2
    everything = case_of(story, AdviceScope.ALL)
    assert everything is not None
    assert [scene.number for scene in everything.close_calls] == [1, 2]


async def test_a_case_is_bounded_however_long_the_work_and_the_chapter() -> None:
    def new(_: PlacementCase, scene: ShownScene) -> SceneAdvice:
        return SceneAdvice(number=scene.number, home=None, opens=scene.number)

    state, advising = start(WORK), Advising(FixedAdviser(new), AdviceScope.ALL)
    for plot in (chapter(f"c{n:03}", n, [Told(n)]) for n in range(1, MAX_THREADS_SHOWN + 9)):
        state, _ = graft(state, plot, await advising(state, plot))
    long = chapter("d", 100, [Told(1 + n, stray=n) for n in range(MAX_SCENES_SHOWN + 5)])
    case = consider(state, long, AdviceScope.ALL)
    assert case is not None
    assert state.threads > MAX_THREADS_SHOWN
    assert len(case.threads) == MAX_THREADS_SHOWN
    assert len(case.scenes) == MAX_SCENES_SHOWN


def test_nothing_later_is_in_a_case() -> None:
    story = long_story(12, 4, 3)
    alone = case_of(story[:6])
    state, _ = folded(story[:5])
    assert alone == consider(state, story[5], AdviceScope.ALL)


# --- what is done -----------------------------------------------------------------------------


def test_a_scene_goes_where_it_is_advised_to_go() -> None:
    story = [*TWO_PLOTS, BETWEEN]
    case = case_of(story)
    assert case is not None
    first, second = (thread.storyline for thread in case.threads)
    for number, home in ((1, first), (1, second), (2, second)):
        _, threads, _ = told(story, SceneAdvice(number=number, home=home))
        assert threads[5 + number] == home


def test_scenes_may_be_advised_to_open_threads_together_or_each_its_own() -> None:
    story = [*TWO_PLOTS, BETWEEN]
    new = (SceneAdvice(number=1, home=None, opens=1), SceneAdvice(number=2, home=None, opens=1))
    record, threads, _ = told(story, *new)
    opened = [op for op in record.operations if isinstance(op, OpenStoryline)]
    assert [op.kind for op in opened] == [StorylineKind.THREAD]
    assert threads[-2:] == [opened[0].storyline] * 2
    _, threads, _ = told(story, new[0], SceneAdvice(number=2, home=None, opens=2))
    assert len({*threads[-2:]} | {*threads[:6]}) == 4


def test_a_thread_that_is_opened_together_is_found_beyond_those_placed_together() -> None:
    long = chapter("c3", 3, [Told(1, stray=n, people=ADA) for n in range(TOGETHER + 3)])
    ends = (1, TOGETHER + 3)
    record, threads, _ = told(
        [*TWO_PLOTS, long], *(SceneAdvice(number=n, home=None, opens=1) for n in ends)
    )
    here = threads[6:]
    assert here[0] == here[-1]
    assert here[0] not in threads[:6]
    assert sum(isinstance(op, OpenStoryline) for op in record.operations) >= 1


def test_touches_are_those_that_were_advised() -> None:
    story = [*TWO_PLOTS, BETWEEN]
    case = case_of(story)
    assert case is not None
    first, second = (thread.storyline for thread in case.threads)
    record, _, _ = told(story, SceneAdvice(number=1, home=first, touches=(second,)))
    touches = [op for op in record.operations if isinstance(op, TouchStoryline)]
    assert (BETWEEN.scenes[0].scene.scene_id, second) in [
        (op.scene, op.storyline) for op in touches
    ]


def test_advice_on_a_thread_that_is_not_in_play_is_left_aside() -> None:
    story = [*TWO_PLOTS, BETWEEN]
    gone = SceneAdvice(number=1, home=StorylineId("gone"), touches=(StorylineId("gone"),))
    record, threads, _ = told(story, gone)
    assert "gone" not in threads
    assert not [op for op in record.operations if isinstance(op, TouchStoryline)]


def test_the_record_tells_what_was_advised_and_what_it_cost() -> None:
    story = [*TWO_PLOTS, BETWEEN]
    record, _, state = told(story, SceneAdvice(number=2, home=None, opens=1))
    assert record.advice is not None
    assert record.tokens == 110
    before, _ = folded(TWO_PLOTS)
    again, same = graft(before, BETWEEN, record.advised)
    assert (again.digest, same) == (state.digest, record)


@pytest.mark.parametrize("scope", AdviceScope)
async def test_whatever_is_advised_the_tree_is_sound(scope: AdviceScope) -> None:
    story = [
        replace(each, scenes=(*each.scenes, *chapter(each.chapter_id, 1, [UNDECIDED]).scenes))
        for each in long_story(40, 5, 4)
    ]
    advising = Advising(FixedAdviser(), scope)
    state, records = start(WORK), []
    for each in story:
        state, record = graft(state, each, await advising(state, each))
        records.append(record)
    assert violations(WORK, story, records, project(records).values()) == ()
    assert any(record.advice for record in records)


async def test_nobody_is_asked_where_nothing_is_open() -> None:
    def never(_: PlacementCase, scene: ShownScene) -> SceneAdvice:
        raise AssertionError(scene)

    state, _ = folded(TWO_PLOTS)
    nothing = Advising(FixedAdviser(never))
    assert await nothing(state, chapter("c3", 3, [])) is None


# --- persons ----------------------------------------------------------------------------------

MASKED = chapter("c1", 1, [Told(1, people=("the stranger",)), Told(1, people=ADA)])
UNMASKED = chapter("c2", 2, [Told(1, stray=1, people=ADA)])


def test_whom_the_story_has_only_described_is_shown_with_who_is_there() -> None:
    shown = case_of([MASKED, UNMASKED])
    assert shown is not None
    assert [(each.words, each.drawn_on) for each in shown.hidden] == [(("the stranger",), ("c1",))]
    assert [each.name for each in shown.named] == ["Ada Byron"]
    assert {source.chapter_id for source in shown.sources} == {"c1", "c2"}


def test_who_has_proved_to_be_somebody_is_shown_no_more() -> None:
    shown = case_of([MASKED, UNMASKED])
    assert shown is not None
    advice = Advice(
        scenes=(),
        persons=(PersonAdvice(person=shown.hidden[0].character, same_as=shown.named[0].character),),
    )
    state, _ = folded([MASKED])
    after, record = graft(state, UNMASKED, Advised(advice, 1, 100, 10, 1))
    assert [type(each) for each in record.operations].count(LinkIdentity) == 1
    assert record.advice == advice
    later = consider(after, chapter("c3", 3, [Told(1, stray=2, people=ADA)]), AdviceScope.ALL)
    assert later is not None
    assert later.hidden == ()
