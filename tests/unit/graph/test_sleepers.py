"""Threads that are not told any more: found again for a long time, and then ended for good."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from contracts.ids import SceneId, StorylineId
from contracts.ordinals import Ordinal
from contracts.tree import ChapterInputs, GraftRecord, StorylineKind
from graph.fold import FoldState, graft, start
from graph.invariants import violations
from graph.projection import project, snapshot
from graph.state import RECENT
from tests.unit.graph.stories import WORK, Told, chapter, folded

MAIN = Told(1, people=("Ada Byron",))
ASIDE = Told(2, people=("Grace Hopper",))
BEGINNING = [
    chapter(f"a{nth}", nth, [Told(2, nth, ("Grace Hopper",)), Told(1, nth, ("Ada Byron",))])
    for nth in range(4)
]


def asleep(chapters: int) -> list[ChapterInputs]:
    """Return a story that leaves one of its two threads for so many chapters, and takes it up."""
    between = [chapter(f"b{nth}", 10 + nth, [MAIN]) for nth in range(chapters)]
    return [*BEGINNING, *between, chapter("z", 10_000, [ASIDE])]


def thread_of(records: Sequence[GraftRecord], scene: SceneId) -> StorylineId:
    """Return the thread above a scene at the end."""
    tree = snapshot(project(records).values(), Ordinal.parse(20_000))
    kinds = {line.id: line.kind for line in tree.storylines}
    above = {row.child: row.parent for row in tree.children}
    at = {home.scene: home.storyline for home in tree.homes}[scene]
    while kinds[at] is not StorylineKind.THREAD:
        at = above[at]
    return StorylineId(at)


def test_a_thread_that_sleeps_300_chapters_is_found_again() -> None:
    story = asleep(300)
    _, records = folded(story)
    first, last = (story[at].scenes[0].scene.scene_id for at in (0, -1))
    assert thread_of(records, last) == thread_of(records, first)


def test_a_thread_that_no_remembered_chapter_tells_has_ended() -> None:
    story = asleep(RECENT)
    before, _ = folded(story[:-1])
    state, records = folded(story)
    first, last = (story[at].scenes[0].scene.scene_id for at in (0, -1))
    old, new = thread_of(records, first), thread_of(records, last)
    assert old != new
    assert not before.storylines[old].closed
    assert state.storylines[old].closed
    assert len(state.storylines[old].window) == 1
    assert state.threads == 2
    assert violations(WORK, story, records, project(records).values()) == ()


def test_chapters_without_scenes_let_nothing_fall_asleep() -> None:
    nothing = [chapter(f"b{nth}", 10 + nth, []) for nth in range(RECENT)]
    story = [*BEGINNING, *nothing, chapter("z", 10_000, [ASIDE])]
    _, records = folded(story)
    first, last = (story[at].scenes[0].scene.scene_id for at in (0, -1))
    assert thread_of(records, last) == thread_of(records, first)


def episodes(chapters: int) -> Iterator[ChapterInputs]:
    """Yield a serial of episodes of ten chapters: each has a plot and people of its own."""
    for nth in range(chapters):
        plot = 1 + nth // 10
        people = (f"Ada{plot} Byron{plot}", f"Emmy{plot} Noether{plot}")
        yield chapter(f"c{nth:05}", nth, [Told(plot, nth, people)])


def test_what_is_remembered_grows_with_what_goes_on_and_not_with_the_work() -> None:
    state, records, story = start(WORK), list[GraftRecord](), list(episodes(3 * RECENT))
    sizes = []
    for nth, each in enumerate(story, 1):
        state, record = graft(state, each)
        records.append(record)
        if nth % RECENT == 0:
            sizes.append(size(state))
    assert sizes[2] <= 1.2 * sizes[1], sizes
    assert violations(WORK, story, records, project(records).values()) == ()
    closed = [line for line in state.storylines.values() if line.closed]
    assert any(line.kind is StorylineKind.GROUP for line in closed)


def size(state: FoldState) -> int:
    """Return how many scenes a state holds."""
    return sum(len(line.window) for line in state.storylines.values())


def test_an_edit_of_what_has_ended_is_forgotten() -> None:
    story = list(episodes(2 * RECENT))
    edited = list(story)
    people = ("Ada1 Byron1", "Emmy1 Noether1")
    edited[2] = chapter("c00002", 2, [Told(1, 700, people)])
    one, other = start(WORK), start(WORK)
    same = 0
    for before, after in zip(story, edited, strict=True):
        one, other = graft(one, before)[0], graft(other, after)[0]
        same = same + 1 if one.digest == other.digest else 0
    assert same >= RECENT // 2
