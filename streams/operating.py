"""How things stand: what is indexed, what waits, what is held, what is dead."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from contracts.ids import ChapterId
from contracts.messages import Outcome
from contracts.ordinals import Ordinal
from contracts.reports import (
    ChapterOutcome,
    ChapterWarnings,
    DeadLetterLine,
    StatusReport,
    Tie,
    WorkStatus,
)
from contracts.works import ChapterRecord, WorkRecord
from streams import pausing
from streams.dead_letters import DeadLetter, Failure
from streams.gaps import GapFinder
from streams.generations.path import path_of
from streams.holds import current_holds
from streams.identity import Identity
from streams.index_version import index_version
from streams.intakes import ANSWER
from streams.lags import waiting
from streams.not_found import NotFound, not_found
from streams.session import Home

_NOTEWORTHY: Final = frozenset({Outcome.UNCHANGED, Outcome.STALE, Outcome.WAITING})
"""Outcomes that a publisher did not expect: the index is not what the last event says."""

_MODEL_SEGMENTERS: Final = "litseg"


async def status(home: Home, work_id: str | None = None) -> StatusReport:
    """Return how all works stand, or one.

    Raises:
        NotFound: nobody has heard of the work.
        TransientError: a store is down.
    """
    live = await home.gaps.live()
    works = await home.tree.works(live.generation)
    await live.parking.refresh()
    await live.refresh()
    paused, letters = live.parking.aside(), live.letters.all()
    if work_id is not None:
        known = {work.work_id for work in works} | {letter.identity.work_id for letter in letters}
        known |= {work.work_id for work in paused}
        if work_id not in known:
            raise NotFound(not_found(work_id, works, home.settings))
        works = tuple(work for work in works if work.work_id == work_id)
        letters = tuple(letter for letter in letters if letter.identity.work_id == work_id)
        paused = tuple(work for work in paused if work.work_id == work_id)
    intakes = (*path_of(live.generation), ANSWER)
    await home.generations.refresh()
    built = home.generations.get(live.generation)
    version = await asyncio.to_thread(index_version, home.settings)
    return StatusReport(
        generation=live.generation,
        index_version=built.version.digest if built else "",
        settings_version=version.digest,
        works=tuple([await _work_status(home, live, work) for work in works]),
        lag=await waiting(home.log, intakes),
        held=await current_holds(home.log, intakes),
        dead_letters=tuple(_letter_line(letter) for letter in letters),
        paused=tuple(map(pausing.told, paused)),
    )


def dead_letter_line(
    source: str, offset: int, stage: str, failure: Failure, identity: Identity
) -> DeadLetterLine:
    """Return what is told of a dead letter."""
    return DeadLetterLine(
        source=source,
        offset=offset,
        stage=stage,
        kind=failure.kind.value,
        reason=failure.reason,
        work_id=identity.work_id,
        chapter_id=identity.chapter_id,
        ordinal=identity.ordinal,
    )


def _letter_line(letter: DeadLetter) -> DeadLetterLine:
    return dead_letter_line(
        letter.source, letter.offset, letter.stage, letter.failure, letter.identity
    )


async def _work_status(home: Home, finder: GapFinder, work: WorkRecord) -> WorkStatus:
    view = await home.tree.view(work.work_id, None, work.generation)
    scenes = await view.scenes() if view else ()
    storylines = (await view.snapshot()).storylines if view else ()
    chapters = work.live_chapters()
    return WorkStatus(
        work_id=work.work_id,
        title=work.title,
        generation=work.generation,
        chapters=len(chapters),
        words=sum(chapter.words for chapter in chapters),
        scenes=sum(len(chapter.scenes) for chapter in scenes),
        storylines=max(0, len(storylines) - 1),  # the root is no storyline to a reader
        indexed_to=chapters[-1].place if chapters else None,
        waiting=finder.waiting(work.work_id),
        gaps=finder.of(work.work_id, work),
        warnings=tuple(_warnings(chapters)),
        ties=_ties(chapters),
        outcomes=tuple(
            ChapterOutcome(chapter_id=chapter.chapter_id, outcome=chapter.last_outcome)
            for chapter in work.chapters
            if chapter.last_outcome in _NOTEWORTHY and chapter.last_outcome is not None
        ),
        calls=sum(chapter.repairs.attempts for chapter in chapters if _by_model(chapter)),
        tokens=sum(chapter.tokens for chapter in chapters),
    )


def _by_model(chapter: ChapterRecord) -> bool:
    """Say whether a model segmented the chapter: its attempts are answers then."""
    return chapter.segmenter.startswith(_MODEL_SEGMENTERS)


def _warnings(live: Sequence[ChapterRecord]) -> Iterable[ChapterWarnings]:
    for chapter in live:
        if chapter.warnings and chapter.place is not None:
            yield ChapterWarnings(
                chapter_id=chapter.chapter_id, ordinal=chapter.place, warnings=chapter.warnings
            )


def _ties(live: Sequence[ChapterRecord]) -> tuple[Tie, ...]:
    at: defaultdict[Ordinal, list[ChapterId]] = defaultdict(list)
    for chapter in live:
        if chapter.place is not None:
            at[chapter.place].append(chapter.chapter_id)
    return tuple(
        Tie(ordinal=ordinal, chapter_ids=tuple(ids)) for ordinal, ids in at.items() if len(ids) > 1
    )
