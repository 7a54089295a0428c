"""What is wrong with the tree of one build of a work, as findings."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from contracts.errors import PermanentError
from contracts.ids import ChapterId
from contracts.ordinals import Ordinal
from contracts.ports import TreeStore
from contracts.reports import Finding, FindingKind
from contracts.tree import ChapterInputs, GraftRecord, TreeRow
from contracts.works import WorkRecord
from graph import presence
from graph.invariants import record_violations, tree_violations
from graph.placement_weights import Weights
from graph.presence import Presence
from graph.refolding import told
from graph.snapshots import snapshot
from streams.doctor.checking_checkpoints import checkpoint_faults

AS_OFS: Final = 12
"""How many readers' views are compared with the rows; the rows themselves all are."""


@dataclass(frozen=True, slots=True)
class TreeCheck:
    """Checks trees in a store.

    `weights` are those that they were folded with. Where they are None, this program does not
    fold as the one that built them did, and the records are not folded again. As of so many
    ordinals as `as_ofs` says, readers' views are compared.
    """

    tree: TreeStore
    weights: Weights | None
    as_ofs: int = AS_OFS

    async def findings(
        self, work: WorkRecord, stored: Mapping[ChapterId, ChapterInputs]
    ) -> AsyncIterator[Finding]:
        """Yield what is wrong with the tree of `work`, whose stored inputs are these.

        A long work is folded for many seconds: in a thread, so that readers are answered meanwhile.

        Raises:
            TransientError: the store is down.
        """
        for chapter in work.story_chapters():
            if chapter.chapter_id not in stored:
                yield Finding(
                    kind=FindingKind.TEXT_LOST,
                    chapter_id=chapter.chapter_id,
                    text=f"chapter {chapter.chapter_id!r} has neither text nor scenes",
                )
        try:
            records = await self.tree.records(work.work_id, work.generation)
        except PermanentError as error:
            text = f"no graft record can be read: {error}"
            yield Finding(kind=FindingKind.RECORD_WRONG, text=text)
            return
        rows = await self.tree.rows(work.work_id, work.generation)
        found = _Tree(work, told(work, stored), records, rows)
        if self.weights is not None:
            faults = await asyncio.to_thread(
                record_violations, work.work_id, found.chapters, records, self.weights
            )
            for text in faults:
                yield Finding(kind=FindingKind.RECORD_WRONG, text=text)
        for text in await asyncio.to_thread(tree_violations, found.chapters, records, rows):
            yield Finding(kind=FindingKind.TREE_WRONG, text=text)
        async for text in self._unlike_views(found):
            yield Finding(kind=FindingKind.TREE_WRONG, text=text)
        async for text in checkpoint_faults(self.tree, work, records):
            yield Finding(kind=FindingKind.TREE_WRONG, text=text)

    async def _unlike_views(self, found: _Tree) -> AsyncIterator[str]:
        """Compare what readers are shown with what the stored rows say."""
        work = found.work
        for as_of in found.ordinals(self.as_ofs):
            view = await self.tree.view(work.work_id, as_of, work.generation)
            rows = presence.told(found.rows, found.presence(as_of))
            if view is None or await view.snapshot() != snapshot(rows, as_of):
                yield f"as of {as_of} readers are shown another tree than the stored one"
        view = await self.tree.view(work.work_id, None, work.generation)
        shown = await view.chapters() if view else ()
        if shown != work.live_chapters():
            yield "readers are shown other chapters than those that are live"


@dataclass(frozen=True, slots=True)
class _Tree:
    """A work's tree as it is stored, and the inputs that it comes from."""

    work: WorkRecord
    chapters: Sequence[ChapterInputs]
    records: Sequence[GraftRecord]
    rows: Sequence[TreeRow]

    def ordinals(self, most: int) -> Sequence[Ordinal]:
        """Return ordinals of the story, evenly over it where there are many, the last included."""
        live = sorted({chapter.story_place for chapter in self.work.live_chapters()})
        step = max(1, -(-len(live) // most))
        return live[::-step][::-1]

    def presence(self, as_of: Ordinal) -> Presence:
        """Return who is there for a reader of the story up to `as_of`."""
        live = {chapter.chapter_id for chapter in self.work.live_chapters()}
        absent = [record for record in self.records if record.chapter_id not in live]
        return Presence(
            scenes=_scenes(self.chapters, live, as_of),
            absent=frozenset(record.chapter_id for record in absent),
            absent_ordinals=frozenset(int(record.ordinal) for record in absent),
        )


def _scenes(
    chapters: Sequence[ChapterInputs], live: Collection[ChapterId], as_of: Ordinal
) -> frozenset[str]:
    return frozenset(
        inputs.scene.scene_id
        for chapter in chapters
        if chapter.chapter_id in live and chapter.ordinal <= as_of
        for inputs in chapter.scenes
    )
