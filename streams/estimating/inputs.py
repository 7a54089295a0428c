"""What indexing an input will cost under some settings."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Final

from contracts.ports import Memo
from contracts.prices import Terms
from contracts.reports import EstimateReport
from processors.asking import prompt_version
from processors.prompts import prompt
from processors.remembering import Payer
from processors.sif import SifEmbedder
from streams.adapters import open_chat, open_memo
from streams.estimating.questions import no_count, published_of
from streams.estimating.rehearsing import Rehearsal, rehearse
from streams.estimating.reports import reported
from streams.estimating.shares import SHARES, Shares
from streams.estimating.tally import Tally
from streams.estimating.texts import TextEstimator
from streams.inputs.values import ChapterInput, EventInput
from streams.publishing import record_of
from streams.segmenters import open_segmenter
from streams.settings import Settings
from streams.wiring import opened

_PLACEMENT: Final = "placement"


async def estimated(
    settings: Settings,
    given: ChapterInput | EventInput,
    terms: Terms | None = None,
    shares: Shares = SHARES,
) -> EstimateReport:
    """Return what indexing `given` as a new work will cost under `settings`.

    Raises:
        UnusableInput: an event file cannot be read to its end.
        TransientError: the memo cannot be reached, or the model's context is too small.
    """
    async with AsyncExitStack() as stack:
        memo = open_memo(settings)
        stack.push_async_callback(memo.close)
        chat = open_chat(settings)
        if chat is not None:
            stack.push_async_callback(chat.close)
        estimator = TextEstimator(
            segmenter=open_segmenter(settings, SifEmbedder(), Payer(memo), chat),
            model=settings.model_name,
            memo=memo,
            count=no_count if chat is None else chat.count_tokens,
            advised=chat is not None and settings.placement_advice != "none",
            shares=shares,
        )
        await estimator.add(published_of(given))
        if estimator.advised and settings.chosen_segmenter == "cohesion":
            placing = await _rehearsed(estimator, settings, given)
        else:
            placing = await _placing(estimator)
        parts = [estimator.cutting.told(), placing.told()]
        cuts = settings.chosen_segmenter == "cohesion"
        sample = published_of(given)
        return await reported(estimator, parts, settings, terms or Terms(), sample, cuts=cuts)


async def _rehearsed(
    estimator: TextEstimator, settings: Settings, given: ChapterInput | EventInput
) -> Tally:
    """Return what placing costs where no model cuts: the scenes are there before it is asked."""
    stores = dict.fromkeys(("log", "vectors", "graph", "memo"), "memory:")
    alone = settings.model_copy(update={**stores, "placement_advice": "none"})
    async with opened(alone) as scratch:
        await scratch.log.append([record_of(event) for event in published_of(given)])
        await scratch.runner().run_until_idle()
        live = await scratch.tree.live()
        rehearsal = Rehearsal(settings, scratch.tree, live, estimator.memo)
        works = await scratch.tree.works(live)
        rehearsed = await rehearse(rehearsal, works, estimator)
    if rehearsed:
        estimator.placing.grown(estimator.chapters.total() / rehearsed)
    return estimator.placing


async def _placing(estimator: TextEstimator) -> Tally:
    """Return what placing costs.

    Where the memo has every answer that cuts the chapters, they are cut as they were, and what
    it has of placing them is what will be asked.
    """
    cutting = estimator.cutting
    if estimator.advised and cutting.calls and cutting.remembered == cutting.calls:
        known = await _known(estimator.memo, estimator)
        if known.calls:
            return known
    await estimator.add_placing(estimator.chapters.values())
    return estimator.placing


async def _known(memo: Memo, estimator: TextEstimator) -> Tally:
    tally, version = Tally(_PLACEMENT), prompt_version(_PLACEMENT, prompt(_PLACEMENT))
    for work_id in estimator.chapters:
        for entry in await memo.of_work(work_id):
            if (entry.asked.prompt, entry.asked.model) == (version, estimator.model):
                tally.add(1, entry.input_tokens, entry.output_tokens, remembered=True)
    return tally
