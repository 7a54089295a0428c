"""The tree store in memory: for replays, tests, and works that need not outlive a process."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from contracts.ids import FIRST_GENERATION, ChapterId, Generation, SceneId, WorkId
from contracts.ordinals import Ordinal
from contracts.outline import Outline
from contracts.ports import BoundStory, ChapterScenes, PassageCounts, TreeSnapshot
from contracts.story_graph import StoryGraph
from contracts.tree import ChapterInputs, GraftRecord, SceneInputs, TreeRow
from contracts.works import ChapterContent, ChapterRecord, Checkpoint, Commit, WorkRecord
from graph import memory_state, presence, tree_rules
from graph.memory_counts import MemoryCounts
from graph.memory_state import WorkState
from graph.outlines import OutlineChapter, SceneWords, Told, outline
from graph.snapshot_graph import SnapshotGraph
from graph.snapshots import snapshot

_States = dict[tuple[WorkId, Generation], WorkState]
_Outlines = dict[tuple[WorkId, Generation], tuple[WorkState, Ordinal, Outline]]
"""The outline that was last read of each work, and of which of its states."""

_Kept = TypeVar("_Kept")
_Result = TypeVar("_Result")


class MemoryTreeStore:
    """Implements `TreeStore`. No method awaits anything, so each is atomic."""

    def __init__(self) -> None:
        self._states: _States = {}
        self._outlines: _Outlines = {}
        self._counts: dict[tuple[WorkId, Generation], MemoryCounts] = {}
        self._live = FIRST_GENERATION

    async def prepare(self) -> None:
        """Nothing to create."""

    async def live(self) -> Generation:
        """Return the generation that the pointer names."""
        return self._live

    async def point(self, to: Generation, instead_of: Generation) -> bool:
        """Make `to` the live generation if `instead_of` is (see `TreeStore.point`)."""
        if self._live != instead_of:
            return False
        self._live = to
        return True

    async def works(self, generation: Generation | None = None) -> tuple[WorkRecord, ...]:
        """Return every work of a generation (see `TreeStore.works`)."""
        wanted = generation or self._live
        ids = sorted(work_id for work_id, of in self._states if of == wanted)
        return tuple(self._states[work_id, wanted].record() for work_id in ids)

    async def load(
        self, work_id: WorkId, generation: Generation | None = None
    ) -> WorkRecord | None:
        """Return the work in a generation (see `TreeStore.load`)."""
        state = self._states.get((work_id, generation or self._live))
        return state.record() if state else None

    async def inputs(
        self,
        work_id: WorkId,
        generation: Generation,
        chapter_ids: Collection[ChapterId] | None = None,
    ) -> Mapping[ChapterId, ChapterInputs]:
        """Return the fold's inputs (see `TreeStore.inputs`)."""
        state = self._states.get((work_id, generation), WorkState())
        return {
            chapter.chapter_id: ChapterInputs(
                chapter.chapter_id,
                chapter.place,
                chapter.language,
                state.contents[chapter.chapter_id].scenes,
            )
            for chapter in _chosen(state.chapters, chapter_ids)
            if chapter.place is not None and chapter.chapter_id in state.contents
        }

    async def records(
        self,
        work_id: WorkId,
        generation: Generation,
        chapter_ids: Collection[ChapterId] | None = None,
    ) -> tuple[GraftRecord, ...]:
        """Return the graft records in story order (see `TreeStore.records`)."""
        state = self._states.get((work_id, generation), WorkState())
        chosen = _chosen(state.records, chapter_ids)
        return tuple(sorted(chosen, key=lambda record: (record.ordinal, record.chapter_id)))

    async def scenes(
        self, work_id: WorkId, generation: Generation, scene_ids: Collection[SceneId]
    ) -> Mapping[SceneId, SceneInputs]:
        """Return the inputs of those scenes that are there."""
        state, asked = self._states.get((work_id, generation), WorkState()), frozenset(scene_ids)
        return {
            inputs.scene.scene_id: inputs
            for content in state.contents.values()
            for inputs in content.scenes
            if inputs.scene.scene_id in asked
        }

    async def checkpointed(self, work_id: WorkId, generation: Generation) -> frozenset[ChapterId]:
        """Return the chapters that have a checkpoint."""
        return frozenset(self._states.get((work_id, generation), WorkState()).checkpoints)

    async def checkpoint(
        self, work_id: WorkId, generation: Generation, chapter_id: ChapterId
    ) -> Checkpoint | None:
        """Return the chapter's checkpoint, if it has one."""
        return self._states.get((work_id, generation), WorkState()).checkpoints.get(chapter_id)

    async def rows(self, work_id: WorkId, generation: Generation) -> tuple[TreeRow, ...]:
        """Return every row of the tree as it is stored."""
        return tuple(self._states.get((work_id, generation), WorkState()).rows.values())

    async def contents(
        self, work_id: WorkId, generation: Generation, chapter_ids: Collection[ChapterId]
    ) -> Mapping[ChapterId, ChapterContent]:
        """Return the texts and scenes of chapters (see `TreeStore.contents`)."""
        contents = self._states.get((work_id, generation), WorkState()).contents
        return {each: contents[each] for each in sorted(chapter_ids) if each in contents}

    async def linking(self) -> tuple[tuple[WorkId, Generation], ...]:
        """Return the works that link rows of the vector store."""
        return tuple(
            sorted(
                key
                for key, state in self._states.items()
                if any(chapter.passages for chapter in state.chapters.values())
            )
        )

    async def commit(self, commit: Commit) -> bool:
        """Write `commit`, all or nothing (see `TreeStore.commit`)."""
        tree_rules.check(commit)
        key = (commit.work.work_id, commit.work.generation)
        state = self._states.get(key, WorkState())
        if (state.work.commit_seq if state.work else 0) != commit.expected_seq:
            return False
        self._states[key] = memory_state.applied(state, commit)
        return True

    async def view(
        self, work_id: WorkId, as_of: Ordinal | None, generation: Generation | None = None
    ) -> BoundStory | None:
        """Bind a generation and an as-of (see `TreeStore.view`)."""
        wanted = generation or self._live
        state = self._states.get((work_id, wanted), WorkState())
        if not state.live_chapters:
            return None
        head = state.live_chapters[-1].story_place
        bound = head if as_of is None else as_of
        counts = self._counts.setdefault((work_id, wanted), MemoryCounts())
        return _MemoryView(self._states, self._outlines, counts, work_id, wanted, bound)

    async def erase(
        self,
        work_id: WorkId,
        generation: Generation,
        most: int,  # noqa: ARG002 - the port's: here nothing takes long
    ) -> bool:
        """Delete a work that is not live (see `TreeStore.erase`)."""
        tree_rules.check_erasable(generation, self._live)
        for kept in (self._states, self._outlines, self._counts):
            kept.pop((work_id, generation), None)
        return False

    async def close(self) -> None:
        """Nothing to let go of: the works go with the object."""


@dataclass(frozen=True, slots=True)
class _MemoryView:
    """Implements `BoundStory`: reads the work as it stands at each call."""

    _states: _States
    _outlines: _Outlines
    _counts: MemoryCounts
    work_id: WorkId
    generation: Generation
    as_of: Ordinal

    async def consult(self, read: Callable[[StoryGraph], Awaitable[_Result]]) -> _Result:
        whole = (await self.chapters(), await self.scenes(), await self.snapshot())
        return await read(SnapshotGraph(self.work_id, self.generation, self.as_of, *whole))

    async def chapters(self) -> tuple[ChapterRecord, ...]:
        return self._chapters(self._state())

    async def scenes(self) -> tuple[ChapterScenes, ...]:
        state = self._state()
        return tuple(
            ChapterScenes(
                chapter.chapter_id, chapter.story_place, state.scenes_of(chapter.chapter_id)
            )
            for chapter in self._chapters(state)
        )

    async def texts(self, chapter_ids: Collection[ChapterId]) -> Mapping[ChapterId, str]:
        state, wanted = self._state(), set(chapter_ids)
        return {
            chapter.chapter_id: state.contents[chapter.chapter_id].text
            for chapter in self._chapters(state)
            if chapter.chapter_id in wanted and chapter.chapter_id in state.contents
        }

    async def snapshot(self) -> TreeSnapshot:
        state = self._state()
        there = state.presence(self._chapters(state))
        return snapshot(presence.told(state.rows.values(), there), self.as_of)

    async def outline(self) -> Outline:
        state, key = self._state(), (self.work_id, self.generation)
        kept = self._outlines.get(key)
        if kept is None or kept[0] is not state or kept[1] != self.as_of:
            kept = self._outlines[key] = (state, self.as_of, self._outline(state))
        return kept[2]

    def _outline(self, state: WorkState) -> Outline:
        there = state.presence(())
        chapters = tuple(
            OutlineChapter(
                each.chapter_id,
                each.story_place,
                tuple(
                    SceneWords(scene.scene_id, scene.title, scene.synopsis)
                    for scene in state.scenes_of(each.chapter_id)
                ),
            )
            for each in self._chapters(state)
        )
        told = Told(chapters, tuple(state.rows.values()), there.absent, there.absent_ordinals)
        return outline(told, self.as_of)

    async def passage_counts(self, terms: Collection[str]) -> PassageCounts:
        return self._counts.count(self._state(), terms, self.as_of)

    async def confirm(self, pairs: Iterable[tuple[SceneId, int]]) -> frozenset[tuple[SceneId, int]]:
        linked = self._state().linked
        return frozenset(pair for pair in pairs if pair in linked and linked[pair] <= self.as_of)

    def _state(self) -> WorkState:
        return self._states.get((self.work_id, self.generation), WorkState())

    def _chapters(self, state: WorkState) -> tuple[ChapterRecord, ...]:
        live = state.live_chapters
        return live[: bisect_right(live, self.as_of, key=lambda chapter: chapter.story_place)]


def _chosen(
    kept: Mapping[ChapterId, _Kept], chapter_ids: Collection[ChapterId] | None
) -> list[_Kept]:
    if chapter_ids is None:
        return list(kept.values())
    return [kept[each] for each in dict.fromkeys(chapter_ids) if each in kept]
