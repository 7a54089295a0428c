"""What is wrong with a generation's build of a work: its tree, and the rows that it links."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from contracts.ids import ChapterId, RowKey
from contracts.reports import Finding, FindingKind
from contracts.works import WorkRecord
from graph.grafting_plan import linked_keys
from graph.placement_weights import Weights
from streams.doctor.checking_rows import chapter_findings
from streams.doctor.checking_tree import TreeCheck
from streams.doctor.row_states import row_states
from streams.generations.builds import Build
from streams.session import Home

_AS_OFS: Final = 3
"""Readers' views that are compared with the rows of each work; `doctor` compares more of them."""


@dataclass(frozen=True, slots=True)
class BuildCheck:
    """Checks the builds of one generation; `weights` are as `TreeCheck` takes them."""

    home: Home
    weights: Weights | None

    async def findings(self, build: Build) -> tuple[Finding, ...]:
        """Return what is wrong with the tree, and which of the rows it links are not there.

        Raises:
            TransientError: a store is down.
        """
        work = build.work
        if work is None:
            return ()
        trees = TreeCheck(self.home.tree, self.weights, _AS_OFS)
        found = [each async for each in trees.findings(work, build.inputs)]
        keys = await self.home.vectors.keys(work.work_id, work.generation)
        return (*found, *_lost_rows(work, keys))

    async def row_findings(
        self, work: WorkRecord, chapter_ids: Collection[ChapterId]
    ) -> tuple[Finding, ...]:
        """Return what is wrong with the rows of some chapters, each made again from its text.

        Raises:
            TransientError: a store or the embedder is down.
        """
        some = tuple(each for each in work.chapters if each.chapter_id in chapter_ids)
        states = row_states(self.home, work.model_copy(update={"chapters": some}))
        return tuple(
            [
                finding
                async for state in states
                for finding in chapter_findings(state, name_lost=False)
            ]
        )


def _lost_rows(work: WorkRecord, keys: Collection[RowKey]) -> Iterator[Finding]:
    for chapter in work.story_chapters():
        linked = linked_keys(work, [chapter])
        lost = len(set(linked).difference(keys))
        if lost:
            yield Finding(
                kind=FindingKind.ROW_LOST,
                chapter_id=chapter.chapter_id,
                text=f"{lost:,} of the {len(linked):,} vector rows of chapter "
                f"{chapter.chapter_id!r} are not there",
            )
