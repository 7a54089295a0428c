"""A story read through another tree than its own: storylines that see the whole book at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

import numpy as np

from contracts.ids import ChapterId, Generation, SceneId, WorkId
from contracts.ordinals import Ordinal
from contracts.outline import Outline
from contracts.ports import BoundStory, ChapterScenes, PassageCounts, TreeSnapshot, TreeStore
from contracts.story_graph import StoryGraph
from contracts.tree import ChildRow, DescriptionRow, StorylineKind, StorylineRow
from contracts.works import ChapterRecord
from replay.evaluation.batch_threads import Likeness, directions, signs, top_down
from replay.evaluation.thread_books import ThreadBook

_Read = TypeVar("_Read")

_ROOT: Final = "root"
_TITLES: Final = 2
"""Scenes whose titles make a storyline's: the most central ones."""


@dataclass(frozen=True, slots=True)
class OtherTreeView:
    """Implements `BoundStory`: the view of a story, but for its outline."""

    view: BoundStory
    other: Outline

    @property
    def work_id(self) -> WorkId:
        """See `BoundStory.work_id`."""
        return self.view.work_id

    @property
    def generation(self) -> Generation:
        """See `BoundStory.generation`."""
        return self.view.generation

    @property
    def as_of(self) -> Ordinal:
        """See `BoundStory.as_of`."""
        return self.view.as_of

    async def chapters(self) -> tuple[ChapterRecord, ...]:
        """See `BoundStory.chapters`."""
        return await self.view.chapters()

    async def scenes(self) -> tuple[ChapterScenes, ...]:
        """See `BoundStory.scenes`."""
        return await self.view.scenes()

    async def texts(self, chapter_ids: Collection[ChapterId]) -> Mapping[ChapterId, str]:
        """See `BoundStory.texts`."""
        return await self.view.texts(chapter_ids)

    async def snapshot(self) -> TreeSnapshot:
        """See `BoundStory.snapshot`."""
        return await self.view.snapshot()

    async def outline(self) -> Outline:
        """Return the other tree's outline."""
        return self.other

    async def passage_counts(self, terms: Collection[str]) -> PassageCounts:
        """See `BoundStory.passage_counts`."""
        return await self.view.passage_counts(terms)

    async def confirm(self, pairs: Iterable[tuple[SceneId, int]]) -> frozenset[tuple[SceneId, int]]:
        """See `BoundStory.confirm`."""
        return await self.view.confirm(pairs)

    async def consult(self, read: Callable[[StoryGraph], Awaitable[_Read]]) -> _Read:
        """See `BoundStory.consult`: it tells of the story's own graph."""
        return await self.view.consult(read)


async def with_batch_tree(tree: TreeStore, view: BoundStory) -> OtherTreeView:
    """Return a view of the same story under a tree built from the top, the whole book at hand.

    It is that of `batch_threads.top_down`; a storyline is called by its most central scenes.
    """
    outline = await view.outline()
    inputs = await tree.inputs(view.work_id, view.generation)
    chapters = sorted(inputs.values(), key=lambda each: (each.ordinal, each.chapter_id))
    labels = tuple(range(len(outline.scenes)))
    book = ThreadBook(view.work_id, tuple(chapters), np.zeros((0, 0), dtype=np.int64), labels, ())
    records = await tree.records(view.work_id, view.generation)
    threads = top_down(signs(book, records).weighed(Likeness())).threads
    return OtherTreeView(view, _outline(outline, threads, _titles(book, outline, threads)))


def _titles(book: ThreadBook, outline: Outline, threads: Sequence[str]) -> dict[str, str]:
    vectors = directions(book)
    titles = {}
    for thread in dict.fromkeys(threads):
        members = [n for n, own in enumerate(threads) if own == thread]
        nearness = vectors[members] @ vectors[members].sum(axis=0)
        best = sorted(members, key=lambda n: (-nearness[members.index(n)], n))[:_TITLES]
        titles[thread] = "; ".join(outline.scenes[n].title for n in sorted(best))
    return titles


def _outline(outline: Outline, threads: Sequence[str], titles: Mapping[str, str]) -> Outline:
    scenes = zip(outline.scenes, threads, strict=True)
    return Outline(
        scenes=tuple(replace(scene, home=thread) for scene, thread in scenes),
        storylines=(
            StorylineRow(_ROOT, StorylineKind.GROUP, 0),
            *(StorylineRow(thread, StorylineKind.THREAD, 0) for thread in titles),
        ),
        children=tuple(ChildRow(thread, _ROOT, 0, None) for thread in titles),
        versions=tuple(
            DescriptionRow(thread, 0, "", title, "", ()) for thread, title in titles.items()
        ),
    )
