"""Asks a sample of questions of two generations, by search alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from contracts.answers import FoundPassage
from contracts.ids import WorkId
from contracts.reports import ComparedQuestion
from contracts.verifying import Sample
from contracts.works import ChapterRecord, WorkRecord
from streams.generations.evidence import compare_evidence
from streams.generations.questions import (
    Draw,
    SampledQuestion,
    SentenceSampler,
    asked_questions,
)
from streams.generations.registry import KnownGeneration
from streams.session import Home


@dataclass(frozen=True, slots=True)
class BothAsked:
    """Draws questions, and asks them of `live` and of `candidate`."""

    home: Home
    live: KnownGeneration
    candidate: KnownGeneration
    sample: Sample

    async def drawn(
        self, live: Mapping[WorkId, WorkRecord], candidate: Mapping[WorkId, WorkRecord]
    ) -> tuple[SampledQuestion, ...]:
        """Draw questions on the works: half of them asked ones where there are enough.

        Raises:
            TransientError: a store or the log is down.
        """
        shared = {
            work_id: chapters
            for work_id in sorted(live.keys() & candidate.keys())
            if (chapters := _shared(live[work_id], candidate[work_id]))
        }
        half = Draw(self.sample.questions // 2, self.sample.seed)
        asked = await asked_questions(self.home.log, half, shared)
        rest = Draw(self.sample.questions - len(asked), self.sample.seed)
        sampler = SentenceSampler(self.home.tree, self.home.retriever.lexicon, rest)
        return (*asked, *await sampler(shared, live))

    async def asked(self, sampled: SampledQuestion) -> ComparedQuestion:
        """Return what both find, next to each other.

        Raises:
            TransientError: a store or the embedder is down.
        """
        found = [await self._found(sampled, each) for each in (self.live, self.candidate)]
        return compare_evidence(sampled, *found)

    async def _found(
        self, sampled: SampledQuestion, known: KnownGeneration
    ) -> tuple[FoundPassage, ...]:
        view = await self.home.tree.view(sampled.work_id, sampled.as_of, known.generation)
        if view is None:
            return ()
        words = self.sample.words
        return (await self.home.retriever.search(view, sampled.question, words)).passages


def _shared(live: WorkRecord, candidate: WorkRecord) -> Sequence[ChapterRecord]:
    """Return the chapters that readers of both see, in the story order of the live one."""
    here = {chapter.chapter_id for chapter in candidate.live_chapters()}
    return [chapter for chapter in live.live_chapters() if chapter.chapter_id in here]
