"""Compares a generation with the live one: work by work, then question by question.

Nothing is written. Works are read one at a time. Equal stores and logs give equal reports.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from contracts.ids import ChapterId, Generation, WorkId
from contracts.reports import (
    ChapterState,
    ComparedGeneration,
    ComparedWork,
    DeadLetterLine,
    VerifyReport,
)
from contracts.verifying import USUAL_SAMPLE, USUAL_THRESHOLDS, Sample, Thresholds
from contracts.works import WorkRecord
from streams.generations.asking_both import BothAsked
from streams.generations.comparing_works import WorkComparer
from streams.generations.judging import Seen, breaches
from streams.generations.path import intakes_of, topics_of
from streams.generations.questions import SampledQuestion
from streams.generations.registry import KnownGeneration
from streams.holds import current_holds
from streams.index_version import folding_weights, index_version
from streams.lags import waiting
from streams.operating import dead_letter_line
from streams.operations import NOBODY, Watcher
from streams.session import Home

_STAGE: Final = "verify"

_T = TypeVar("_T")


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
        there = await self._records(self.live.generation)
        here = await self._records(self.candidate.generation)
        names = sorted(there.keys() | here.keys())
        self.watcher.begin(len(names) + self.sample.questions)
        comparer = WorkComparer(self.home, self.live, self.candidate)
        works = [self._done(await comparer.compared(name)) for name in names]
        both = BothAsked(self.home, self.live, self.candidate, self.sample)
        questions = await both.drawn(there, here)
        compared = [self._done(await both.asked(each)) for each in questions]
        works = await self._with_row_findings(comparer, works, questions)
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
            dead_letters=await self._dead_letters(works),
            questions=tuple(compared),
            breaches=breaches(Seen(works, compared, lag, held), self.limits),
            unchecked=tuple(self._unchecked()),
        )

    async def _records(self, generation: Generation) -> Mapping[WorkId, WorkRecord]:
        return {work.work_id: work for work in await self.home.tree.works(generation)}

    def _done(self, found: _T) -> _T:
        self.watcher.passed(_STAGE, 0)
        return found

    async def _with_row_findings(
        self,
        comparer: WorkComparer,
        works: Sequence[ComparedWork],
        questions: Sequence[SampledQuestion],
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
            wrong = await comparer.row_findings(work.work_id, sampled.get(work.work_id, ()))
            findings = (*work.findings, *wrong)
            looked_at.append(work.model_copy(update={"findings": findings}) if wrong else work)
        return looked_at

    async def _dead_letters(self, works: Sequence[ComparedWork]) -> tuple[DeadLetterLine, ...]:
        """Return the letters of the candidate's stages; `chapters` is read by others, too."""
        own = topics_of(self.candidate.generation)
        missing = {
            (work.work_id, chapter.chapter_id)
            for work in works
            for chapter in work.in_state(ChapterState.MISSING)
        }
        gaps = self.home.gaps.of_generation(self.candidate.generation)
        await gaps.refresh()
        return tuple(
            dead_letter_line(
                letter.source, letter.offset, letter.stage, letter.failure, letter.identity
            )
            for letter in gaps.letters.all()
            if letter.source in own
            or (letter.identity.work_id, letter.identity.chapter_id) in missing
        )

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
