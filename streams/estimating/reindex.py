"""What a new generation will cost, from what the live one holds, before anything is spent."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from typing import Final, Literal

from contracts.events import ChapterPublished
from contracts.ids import Generation
from contracts.ports import Segmenter, TreeStore
from contracts.prices import Terms
from contracts.reports import ReindexEstimate
from contracts.words import count_words
from contracts.works import ChapterContent, ChapterRecord, WorkRecord
from processors.litseg import LitSeg, LitSegLite
from processors.remembering import Payer
from streams.adapters import open_chat
from streams.estimating.pricing import SAMPLE_WORDS, shared
from streams.estimating.questions import no_count
from streams.estimating.rehearsing import Rehearsal, rehearse
from streams.estimating.reports import reported
from streams.estimating.shares import SHARES, Shares
from streams.estimating.tally import Tally
from streams.estimating.texts import TextEstimator
from streams.segmenters import open_segmenter
from streams.session import Home
from streams.settings import Settings

Source = Literal["chapters", "scenes"]

_BY_MODEL: Final = "litseg"
_PAGE: Final = 16  # chapters read at once


async def estimate_reindex(
    home: Home,
    source: Source,
    terms: Terms | None = None,
    settings: Settings | None = None,
    shares: Shares = SHARES,
) -> ReindexEstimate:
    """Return what building a generation under `settings` (None: the home's) will cost.

    It is built from the live chapters of the live generation: from their texts, or, where only
    later layers change, from their scenes. Nothing is asked of a model but to count tokens, and
    nothing is written.

    Raises:
        TransientError: a store is down, or the model's context is too small.
    """
    settings = settings or home.settings
    async with AsyncExitStack() as stack:
        chat = open_chat(settings)
        if chat is not None:
            stack.push_async_callback(chat.close)
        estimator = TextEstimator(
            segmenter=open_segmenter(settings, home.ports.embedder, Payer(home.memo), chat),
            model=settings.model_name,
            memo=home.memo,
            count=no_count if chat is None else chat.count_tokens,
            advised=chat is not None and settings.placement_advice != "none",
            shares=shares,
        )
        live = await home.tree.live()
        works = [work for work in await home.tree.works(live) if work.live_chapters()]
        sample = await _read(home.tree, live, works, estimator, source)
        rehearsal = Rehearsal(settings, home.tree, live, home.memo)
        placing, rehearsed = await _placing(rehearsal, works, estimator, source)
        report = await reported(
            estimator,
            [estimator.cutting.told(), placing.told()],
            settings,
            terms or Terms(),
            sample,
            cuts=source == "chapters" and settings.chosen_segmenter == "cohesion",
        )
    told = {name: getattr(report, name) for name in type(report).model_fields}
    return ReindexEstimate(
        **{**told, "time": shared(report.time, settings.reindex_share)},
        source=source,
        works=len(works),
        rehearsed=rehearsed,
    )


async def _read(
    tree: TreeStore,
    live: Generation,
    works: Sequence[WorkRecord],
    estimator: TextEstimator,
    source: Source,
) -> list[ChapterPublished]:
    """Add what the works' chapters cost to be cut; return the first of them as a sample."""
    sample: list[ChapterPublished] = []
    words = 0
    for work in works:
        if source == "scenes":
            estimator.chapters[work.work_id] = len(work.live_chapters())
            estimator.words += sum(chapter.words for chapter in work.live_chapters())
        if source == "scenes" and words >= SAMPLE_WORDS:
            continue
        async for event in _published(tree, live, work):
            if source == "chapters":
                await estimator.add([event])
            if words < SAMPLE_WORDS:
                sample.append(event)
                words += count_words(event.body)
            elif source == "scenes":
                break
    return sample


async def _published(
    tree: TreeStore, live: Generation, work: WorkRecord
) -> AsyncIterator[ChapterPublished]:
    """Yield the live chapters of a work as they would be published, in story order."""
    chapters = work.live_chapters()
    for first in range(0, len(chapters), _PAGE):
        page = chapters[first : first + _PAGE]
        contents = await tree.contents(work.work_id, live, [each.chapter_id for each in page])
        for chapter in page:
            if chapter.chapter_id in contents:
                yield _event(work, chapter, contents[chapter.chapter_id])


def _event(work: WorkRecord, chapter: ChapterRecord, content: ChapterContent) -> ChapterPublished:
    return ChapterPublished(
        work_id=work.work_id,
        chapter_id=chapter.chapter_id,
        ordinal=chapter.story_place,
        title=chapter.title,
        body=content.text,
        language=chapter.language or None,
    )


async def _placing(
    rehearsal: Rehearsal, works: Sequence[WorkRecord], estimator: TextEstimator, source: Source
) -> tuple[Tally, int]:
    """Return what placing costs, and how many chapters were rehearsed for it."""
    if not estimator.advised:
        return estimator.placing, 0
    rehearsed = await rehearse(
        rehearsal,
        (work for work in works if source == "scenes" or _told_alike(work, estimator.segmenter)),
        estimator,
    )
    if rehearsed:
        estimator.placing.grown(estimator.chapters.total() / rehearsed)
    else:
        await estimator.add_placing(len(work.live_chapters()) for work in works)
    return estimator.placing, rehearsed


def _told_alike(work: WorkRecord, segmenter: Segmenter) -> bool:
    """Say whether the scenes that a work has are told as those will be that `segmenter` cuts.

    A model's scenes tell of persons without a name, and those are asked about too.
    """
    by_model = isinstance(segmenter, LitSegLite | LitSeg)
    told = (chapter.segmenter.startswith(_BY_MODEL) for chapter in work.live_chapters())
    return all(each == by_model for each in told)
