"""An estimate as it is told: counts, money, time."""

from __future__ import annotations

from collections.abc import Iterable

from contracts.events import ChapterPublished
from contracts.prices import Terms
from contracts.reports import EstimateReport, Foretold
from streams.estimating.pricing import (
    duration,
    given_rate,
    money,
    rate_of_past_calls,
    with_local_rate,
)
from streams.estimating.texts import TextEstimator
from streams.settings import Settings


async def reported(
    estimator: TextEstimator,
    parts: Iterable[Foretold],
    settings: Settings,
    terms: Terms,
    sample: Iterable[ChapterPublished],
    *,
    cuts: bool,
) -> EstimateReport:
    """Return what was estimated; what asks no model is timed on a `sample`, cutting if it `cuts`.

    Raises:
        TransientError: the memo cannot be reached.
    """
    told = tuple(part for part in parts if part.calls)
    given = terms.tokens_a_s
    rates = given_rate(given) if given else await rate_of_past_calls(estimator.memo)
    rates = await with_local_rate(rates, sample, settings, cuts=cuts)
    read = sum(part.input_tokens for part in told)
    written = sum(part.output_tokens for part in told)
    calls = sum(part.calls for part in told)
    return EstimateReport(
        segmenter=estimator.segmenter.version.partition(" ")[0],
        model=estimator.model,
        chapters=estimator.chapters.total(),
        words=estimator.words,
        calls=calls,
        remembered=sum(part.remembered for part in told),
        input_tokens=read,
        output_tokens=written,
        tokens=read + written,
        due_tokens=sum(part.due_input_tokens + part.due_output_tokens for part in told),
        counted=estimator.counted and calls > 0,
        parts=told,
        money=money(told, terms.prices),
        time=duration(told, estimator.words, rates, terms.at_once),
        problems=tuple(estimator.problems),
    )
