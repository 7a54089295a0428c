"""What a fold reads: from the last sound checkpoint on, and not beyond where nothing differs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

import pytest

from contracts.errors import TransientError
from contracts.ids import FIRST_GENERATION, ChapterId, Generation, WorkId
from contracts.tree import ChapterInputs
from contracts.works import Checkpoint
from graph.memory import MemoryTreeStore
from graph.memory_state import WorkState
from tests.unit.graph.marks import assert_marks_are_sound, watched
from tests.unit.graph.test_long_histories import BASE, Chapter, Deed, Home, W, check

EVERY = 4


class WatchedTree(MemoryTreeStore):
    """Says of which chapters the fold's inputs were read."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []

    async def inputs(
        self,
        work_id: WorkId,
        generation: Generation,
        chapter_ids: Collection[ChapterId] | None = None,
    ) -> Mapping[ChapterId, ChapterInputs]:
        self.read += ["all"] if chapter_ids is None else chapter_ids
        return await super().inputs(work_id, generation, chapter_ids)


async def grown() -> tuple[Home, WatchedTree]:
    """Return a home with the long story, and a grafter that knows nothing of it."""
    home, tree = Home(EVERY), WatchedTree()
    home.tree = tree
    home.grafter = home.starting()
    await home.graft(home.messages(BASE))
    assert tree.read == []
    home.grafter = home.starting()
    return home, tree


def states(tree: MemoryTreeStore) -> WorkState:
    return tree._states[W, FIRST_GENERATION]


async def test_a_cold_worker_reads_what_came_since_the_last_checkpoint() -> None:
    home, tree = await grown()
    await home.graft(home.messages({**BASE, "c31": Chapter("31", (1, 2))}))
    assert tree.read == ["c29", "c30"]
    await home.graft(home.messages({**home.story, "c32": Chapter("32", (3,))}))
    assert tree.read == ["c29", "c30"], "now it is warm"


async def test_a_chapter_without_scenes_changes_nothing_behind_it() -> None:
    home, tree = await grown()
    with watched() as seen:
        await home.graft(home.messages(Deed("insert nothing", 3).done_to(BASE)))
    assert seen[-1].spared == 27
    assert tree.read == ["c01", "c02", "c03"]


async def test_an_edit_reads_from_the_checkpoint_to_where_nothing_differs() -> None:
    home, tree = await grown()
    await home.graft(home.messages(Deed("edit", 7, 2).done_to(BASE)))
    assert tree.read[:3] == ["c05", "c06", "c08"]
    await assert_marks_are_sound(tree, W, EVERY)


@pytest.mark.parametrize("fault", ["scribbled", "of another state", "gone"])
async def test_of_a_checkpoint_that_is_not_sound_the_one_before_is_taken(fault: str) -> None:
    home, tree = await grown()
    state, last = states(tree), ChapterId("c28")
    marks = dict(state.checkpoints)
    if fault == "scribbled":
        marks[last] = replace(marks[last], data=b"no state")
    elif fault == "of another state":
        other = marks[ChapterId("c24")]
        marks[last] = Checkpoint(last, other.digest, other.data)
    else:
        del marks[last]
    tree._states[W, FIRST_GENERATION] = replace(state, checkpoints=marks)
    await home.graft(home.messages({**BASE, "c31": Chapter("31", (1, 2))}))
    assert tree.read == [f"c{nth}" for nth in range(25, 31)]
    await assert_marks_are_sound(tree, W, EVERY)


async def test_without_any_checkpoint_they_are_made_again() -> None:
    home, tree = await grown()
    tree._states[W, FIRST_GENERATION] = replace(states(tree), checkpoints={})
    await home.graft(home.messages({**BASE, "c31": Chapter("31", (1, 2))}))
    assert len(tree.read) == 30
    await assert_marks_are_sound(tree, W, EVERY)


async def test_a_chapter_without_scenes_in_the_store_is_waited_for() -> None:
    home, tree = await grown()
    state = states(tree)
    contents = {key: each for key, each in state.contents.items() if key != "c30"}
    tree._states[W, FIRST_GENERATION] = replace(state, contents=contents)
    with pytest.raises(TransientError, match="no scenes of chapter 'c30'"):
        await home.graft(home.messages({**BASE, "c31": Chapter("31", (1, 2))}))


@pytest.mark.parametrize("every", [1, 2, 7])
async def test_checkpoints_stay_near_each_other_whatever_comes_and_goes(every: int) -> None:
    deeds = [Deed("insert nothing", nth) for nth in (3, 3, 4, 8, 9)]
    deeds += [Deed("gone", nth) for nth in (6, 7, 8, 21)]
    await check(deeds, every, None)
