"""Reads a work in two generations until what was seen is of one state, and compares it."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from contracts.ids import ChapterId, WorkId
from contracts.reports import ChapterState, ComparedWork, Finding
from contracts.works import WorkRecord
from streams.generations.builds import read_build, read_build_with_texts
from streams.generations.carrying import Carried
from streams.generations.checking import BuildCheck
from streams.generations.comparing import OnItsWay, compare_works, unexplained
from streams.generations.registry import KnownGeneration
from streams.index_version import folding_weights
from streams.session import Home

_ATTEMPTS: Final = 6
"""A work that is written to while it is looked at is looked at again. One that is written to faster
than that is told with what was seen of two states: who finds that verifies again."""

_PAUSE_S: Final = 0.25  # within which the hide stage mostly hides what was withdrawn


@dataclass(frozen=True, slots=True)
class WorkComparer:
    """Compares works of `live` with those of `candidate`, one at a time."""

    home: Home
    live: KnownGeneration
    candidate: KnownGeneration

    async def compared(self, work_id: WorkId) -> ComparedWork:
        """Return how the work compares, and what is wrong with the candidate's build of it.

        Raises:
            TransientError: a store or the log is down.
        """
        for _ in range(_ATTEMPTS - 1):
            work, compared = await self._seen(work_id)
            sound = not compared.findings and not unexplained(compared)
            if compared.in_state(ChapterState.WITHDRAWN):
                await asyncio.sleep(_PAUSE_S)
            elif sound or work == await self._loaded(work_id, self.candidate):
                return compared
        return (await self._seen(work_id))[1]

    async def row_findings(
        self, work_id: WorkId, chapters: Collection[ChapterId]
    ) -> tuple[Finding, ...]:
        """Return what is wrong with the rows of some of the candidate's chapters.

        Raises:
            TransientError: a store or the embedder is down.
        """
        found: tuple[Finding, ...] = ()
        check = BuildCheck(self.home, None)
        for _ in range(_ATTEMPTS if chapters else 0):
            work = await self._loaded(work_id, self.candidate)
            found = await check.row_findings(work, chapters) if work else ()
            if not found or work == await self._loaded(work_id, self.candidate):
                break
        return found

    async def _seen(self, work_id: WorkId) -> tuple[WorkRecord | None, ComparedWork]:
        """Return the candidate's record as it was read, and how the work compares."""
        # In this order: what the live one has, the candidate has had time to get.
        live = await read_build(self.home.tree, await self._loaded(work_id, self.live))
        work = await self._loaded(work_id, self.candidate)
        candidate = await read_build_with_texts(self.home.tree, work)
        check = BuildCheck(self.home, folding_weights(self.candidate.version))
        findings = await check.findings(candidate)
        compared = compare_works(work_id, live, candidate, OnItsWay(), findings)
        if unexplained(compared):
            on_its_way = await self._on_its_way(work_id, work)
            compared = compare_works(work_id, live, candidate, on_its_way, findings)
        return work, compared

    async def _loaded(self, work_id: WorkId, known: KnownGeneration) -> WorkRecord | None:
        return await self.home.tree.load(work_id, known.generation)

    async def _on_its_way(self, work_id: WorkId, work: WorkRecord | None) -> OnItsWay:
        copied = await Carried(self.home.log, self.candidate.started)()
        gaps = self.home.gaps.of_generation(self.candidate.generation)
        await gaps.refresh()
        reasons = {gap.chapter_id: gap.reason for gap in gaps.of(work_id, work)}
        return OnItsWay(reasons, gaps.unfinished(work_id), copying=not copied)
