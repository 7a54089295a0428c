"""Compares a generation with the live one: work by work, then question by question.

Nothing is written. Works are read one at a time. Equal stores and logs give equal reports.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from contracts.answers import FoundPassage
from contracts.ids import ChapterId, Generation, WorkId
from contracts.reports import (
    ComparedGeneration,
    ComparedQuestion,
    ComparedWork,
    Finding,
    VerifyReport,
)
from contracts.verifying import USUAL_SAMPLE, USUAL_THRESHOLDS, Sample, Thresholds
from contracts.works import ChapterRecord, WorkRecord
from streams.gaps import GapFinder
from streams.generations.builds import read_build, read_build_with_texts
from streams.generations.carrying import Carried
from streams.generations.checking import BuildCheck
from streams.generations.comparing import OnItsWay, compare_works, unexplained
from streams.generations.evidence import compare_evidence
from streams.generations.judging import Seen, breaches
from streams.generations.path import intakes_of
from streams.generations.questions import (
    Draw,
    SampledQuestion,
    SentenceSampler,
    asked_questions,
)
from streams.generations.registry import KnownGeneration
from streams.holds import current_holds
from streams.index_version import folding_weights, index_version
from streams.lags import waiting
from streams.operations import NOBODY, Watcher
from streams.session import Home

_ATTEMPTS: Final = 6
"""A work that is written to while it is looked at is looked at again. One that is written to faster
than that is told with what was seen of two states: who finds that verifies again."""
_STAGE: Final = "verify"


@dataclass(frozen=True, slots=True)
class Verifier:
    """Verifies `candidate`, which is built beside `live`, by a sample of questions."""

    home: Home
    live: KnownGeneration
    candidate: KnownGeneration
    sample: Sample = USUAL_SAMPLE
    limits: Thresholds = USUAL_THRESHOLDS
    watcher: Watcher = NOBODY

    async def __call__(self) -> VerifyReport:
        """Return how they compare, and what speaks against a swap.

        Raises:
            TransientError: a store or the log is down.
            PermanentError: a store or the log is damaged.
        """
        there = await self._works(self.live.generation)
        here = await self._works(self.candidate.generation)
        names = sorted(there.keys() | here.keys())
        self.watcher.begin(len(names) + self.sample.questions)
        works = await self._compared_works(names)
        questions = await self._questions(there, here)
        compared = [await self._asked(each) for each in questions]
        works = await self._with_row_findings(works, questions)
        intakes = intakes_of(self.candidate)
        lag = await waiting(self.home.log, intakes)
        held = await current_holds(self.home.log, intakes)
        return VerifyReport(
            live=_told(self.live),
            candidate=_told(self.candidate),
            changes=self.live.version.differences(self.candidate.version),
            works=tuple(works),
            lag=lag,
            held=held,
            questions=tuple(compared),
            breaches=breaches(Seen(works, compared, lag, held), self.limits),
            unchecked=tuple(self._unchecked()),
        )

    # --- works ----------------------------------------------------------------------------------

    async def _works(self, generation: Generation) -> Mapping[WorkId, WorkRecord]:
        return {work.work_id: work for work in await self.home.tree.works(generation)}

    async def _compared_works(self, names: Sequence[WorkId]) -> list[ComparedWork]:
        gaps = self.home.gaps.of_generation(self.candidate.generation)
        check = BuildCheck(self.home, folding_weights(self.candidate.version))
        works = []
        for name in names:
            works.append(await self._compared_work(name, gaps, check))
            self.watcher.passed(_STAGE, 0)
        return works

    async def _compared_work(
        self, work_id: WorkId, gaps: GapFinder, check: BuildCheck
    ) -> ComparedWork:
        compared: ComparedWork | None = None
        for _ in range(_ATTEMPTS):
            # In this order: what the live one has, the candidate has had time to get.
            live = await read_build(self.home.tree, await self._loaded(work_id, self.live))
            work = await self._loaded(work_id, self.candidate)
            candidate = await read_build_with_texts(self.home.tree, work)
            findings = await check.findings(candidate)
            compared = compare_works(work_id, live, candidate, OnItsWay(), findings)
            if unexplained(compared):
                on_its_way = await self._on_its_way(gaps, work_id, work)
                compared = compare_works(work_id, live, candidate, on_its_way, findings)
            sound = not findings and not unexplained(compared)
            if sound or work == await self._loaded(work_id, self.candidate):
                break
        if compared is None:
            raise ValueError("a work is looked at once at least")
        return compared

    async def _loaded(self, work_id: WorkId, known: KnownGeneration) -> WorkRecord | None:
        return await self.home.tree.load(work_id, known.generation)

    async def _on_its_way(
        self, gaps: GapFinder, work_id: WorkId, work: WorkRecord | None
    ) -> OnItsWay:
        copied = await Carried(self.home.log, self.candidate.started)()
        await gaps.refresh()
        reasons = {gap.chapter_id: gap.reason for gap in gaps.of(work_id, work)}
        return OnItsWay(reasons, gaps.unfinished(work_id), copying=not copied)

    async def _with_row_findings(
        self, works: Sequence[ComparedWork], questions: Sequence[SampledQuestion]
    ) -> list[ComparedWork]:
        """Add what is wrong with the rows of the chapters that questions were made of."""
        if not self._embeds_alike(self.candidate):
            return list(works)
        sampled: dict[WorkId, set[ChapterId]] = {}
        for each in questions:
            if each.place:
                sampled.setdefault(each.work_id, set()).add(each.place.chapter_id)
        looked_at = []
        for work in works:
            wrong = await self._row_findings(work.work_id, sampled.get(work.work_id, set()))
            findings = (*work.findings, *wrong)
            looked_at.append(work.model_copy(update={"findings": findings}) if wrong else work)
        return looked_at

    async def _row_findings(
        self, work_id: WorkId, chapters: Collection[ChapterId]
    ) -> tuple[Finding, ...]:
        found: tuple[Finding, ...] = ()
        check = BuildCheck(self.home, None)
        for _ in range(_ATTEMPTS if chapters else 0):
            work = await self._loaded(work_id, self.candidate)
            found = await check.row_findings(work, chapters) if work else ()
            if not found or work == await self._loaded(work_id, self.candidate):
                break
        return found

    # --- questions ------------------------------------------------------------------------------

    async def _questions(
        self, there: Mapping[WorkId, WorkRecord], here: Mapping[WorkId, WorkRecord]
    ) -> tuple[SampledQuestion, ...]:
        """Draw the questions: half of them asked ones where there are enough, the rest made."""
        shared = {
            work_id: chapters
            for work_id in sorted(there.keys() & here.keys())
            if (chapters := _shared(there[work_id], here[work_id]))
        }
        half = Draw(self.sample.questions // 2, self.sample.seed)
        asked = await asked_questions(self.home.log, half, shared)
        rest = Draw(self.sample.questions - len(asked), self.sample.seed)
        sampler = SentenceSampler(self.home.tree, self.home.retriever.lexicon, rest)
        return (*asked, *await sampler(shared, there))

    async def _asked(self, sampled: SampledQuestion) -> ComparedQuestion:
        found = [await self._found(sampled, each) for each in (self.live, self.candidate)]
        self.watcher.passed(_STAGE, 0)
        return compare_evidence(sampled, *found)

    async def _found(
        self, sampled: SampledQuestion, known: KnownGeneration
    ) -> tuple[FoundPassage, ...]:
        view = await self.home.tree.view(sampled.work_id, sampled.as_of, known.generation)
        if view is None:
            return ()
        words = self.sample.words
        return (await self.home.retriever.search(view, sampled.question, words)).passages

    # --- what cannot be looked at ---------------------------------------------------------------

    def _embeds_alike(self, known: KnownGeneration) -> bool:
        """Say whether this program embeds as the one that built the generation did."""
        return known.version.embedding == index_version(self.home.settings).embedding

    def _unchecked(self) -> Iterator[str]:
        name = self.candidate.generation
        if folding_weights(self.candidate.version) is None:
            yield (
                f"The trees of {name} are folded by other rules than this program's, so their "
                "graft records were not compared with what folding gives."
            )
        if not self._embeds_alike(self.candidate):
            yield (
                f"{name} is embedded otherwise than this program embeds, so its vector rows were "
                "not compared with its texts."
            )
        for known in (self.live, self.candidate):
            if not self._embeds_alike(known):
                yield (
                    f"This program's vectors are not those of {known.generation}: there, "
                    "questions were compared by their words alone, or nearly so."
                )


def _told(known: KnownGeneration) -> ComparedGeneration:
    return ComparedGeneration(generation=known.generation, version=known.version.digest)


def _shared(live: WorkRecord, candidate: WorkRecord) -> Sequence[ChapterRecord]:
    """Return the chapters that readers of both see, in the story order of the live one."""
    here = {chapter.chapter_id for chapter in candidate.live_chapters()}
    return [chapter for chapter in live.live_chapters() if chapter.chapter_id in here]
