"""Whether the checkpoints of a work are those that its story calls for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from contracts.ids import ChapterId, WorkId
from contracts.ports import TreeStore
from graph import checkpoints, folding
from graph.fold import FoldState, graft, start
from graph.folding import Change, Folded, Folding
from graph.refolding import told


async def restored(tree: TreeStore, work_id: WorkId) -> dict[ChapterId, FoldState]:
    """Return, by chapter, the states that the stored checkpoints give."""
    work = await tree.load(work_id)
    assert work is not None
    states = {}
    for chapter_id in await tree.checkpointed(work_id, work.generation):
        stored = await tree.checkpoint(work_id, work.generation, chapter_id)
        assert stored is not None
        saved = checkpoints.read(stored.data)
        scenes = await tree.scenes(work_id, work.generation, saved.scenes)
        states[chapter_id] = saved.state(work_id, stored.digest, scenes)
    return states


async def assert_marks_are_sound(tree: TreeStore, work_id: WorkId, every: int) -> None:
    """Each is the state after its chapter, and nowhere are there too few of them."""
    work = await tree.load(work_id)
    if work is None:
        return
    stored = await tree.inputs(work_id, work.generation)
    marks = await restored(tree, work_id)
    state, since = start(work_id), 0
    for chapter in told(work, stored):
        state, _ = graft(state, chapter)
        since += 1
        mark = marks.pop(chapter.chapter_id, None)
        if mark is not None:
            assert mark == state
            assert mark.digest == state.digest
            since = 0
        assert since < every
    assert marks == {}, "checkpoints of chapters that are not in the story"


@contextmanager
def watched() -> Iterator[list[Folded]]:
    """Give a list of what each folding came to."""
    seen: list[Folded] = []
    call = Folding.__call__

    async def watching(self: Folding, change: Change) -> Folded:
        folded = await call(self, change)
        seen.append(folded)
        return folded

    with mock.patch.object(folding.Folding, "__call__", watching):
        yield seen
