"""From tokens to money and time: by prices that are given, and rates that are given or measured."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from contracts.events import ChapterPublished
from contracts.ports import Memo
from contracts.prices import Prices
from contracts.reports import Duration, Foretold, Money
from contracts.spending import Spent
from contracts.words import count_words
from streams.inprocess import InProcessRunner
from streams.intakes import SEGMENT
from streams.publishing import record_of
from streams.settings import Settings
from streams.wiring import opened

_A_MILLION: Final = 1_000_000
_MS: Final = 1_000
SAMPLE_WORDS: Final = 10_000  # a second's work, and longer than what the first chapter costs more
_LEAST_S: Final = 0.001
_LEAST_CALLS: Final = 5  # fewer are no rate


@dataclass(frozen=True, slots=True)
class Rates:
    """How fast it goes: tokens a second of one call, words a second without the model.

    None is what nobody knows. `told` says in sentences where each comes from.
    """

    tokens_a_s: float | None = None
    words_a_s: float | None = None
    told: tuple[str, ...] = ()


def money(parts: Sequence[Foretold], prices: Prices | None) -> Money | None:
    """Return what is due of `parts`, None without prices."""
    if prices is None:
        return None
    read = sum(part.due_input_tokens for part in parts)
    written = sum(part.due_output_tokens for part in parts)
    amount = (read * prices.input + written * prices.output) / _A_MILLION
    return Money(amount=round(amount, 2), currency=prices.currency)


def duration(parts: Sequence[Foretold], words: int, rates: Rates, at_once: int) -> Duration:
    """Return how long it takes where `at_once` calls are under way at a time."""
    due = sum(part.due_input_tokens + part.due_output_tokens for part in parts)
    model_s = None if rates.tokens_a_s is None else due / rates.tokens_a_s / at_once
    local_s = None if rates.words_a_s is None else words / rates.words_a_s
    if not due:
        return Duration(model_s=0.0, local_s=_rounded(local_s), how=rates.told)
    return Duration(model_s=_rounded(model_s), local_s=_rounded(local_s), how=rates.told)


def shared(time: Duration, share: float) -> Duration:
    """Return how long it takes where only a `share` of the time is for it."""
    if share == 1:
        return time
    told = (
        f"It is given {share:.0%} of the time, so that what is live keeps its own (reindex_share)."
    )
    model_s, local_s = (
        None if seconds is None else _rounded(seconds / share)
        for seconds in (time.model_s, time.local_s)
    )
    return Duration(model_s=model_s, local_s=local_s, how=(*time.how, told))


async def rate_of_past_calls(memo: Memo) -> Rates:
    """Return how fast the model was in the calls that the ledger knows.

    Raises:
        TransientError: the memo cannot be reached.
    """
    spent = Spent.total(await memo.spent_by_day(None))
    if spent.calls < _LEAST_CALLS or not spent.took_ms or not spent.tokens:
        return Rates(told=("How fast the model is was never measured: tell tokens a second.",))
    rate = spent.tokens * _MS / spent.took_ms
    told = f"The model: {rate:,.0f} tokens a second of a call, as in {spent.calls:,} past calls."
    return Rates(tokens_a_s=rate, told=(told,))


def given_rate(tokens_a_s: float) -> Rates:
    """Return the model's rate as somebody gives it."""
    return Rates(tokens_a_s, None, (f"The model: {tokens_a_s:,.0f} tokens a second, as given.",))


async def with_local_rate(
    rates: Rates, events: Iterable[ChapterPublished], settings: Settings, *, cuts: bool
) -> Rates:
    """Add how fast this machine indexes the first words of `events` in memory, without a model.

    `cuts`: whether it cuts them into scenes, too.
    """
    sample: list[ChapterPublished] = []
    words = 0
    for event in events:
        sample.append(event)
        words += count_words(event.body)
        if words >= SAMPLE_WORDS:
            break
    if not words:
        return rates
    rate = words / await _indexed(sample, settings, cuts=cuts)
    told = (
        f"All else: {rate:,.0f} words a second, measured now on {words:,} words in memory; "
        "stores on disks or servers take their own time."
    )
    return replace(rates, words_a_s=rate, told=(*rates.told, told))


async def _indexed(events: Sequence[ChapterPublished], settings: Settings, *, cuts: bool) -> float:
    """Return the seconds that indexing `events` in memory takes; without cutting, where told so."""
    stores = dict.fromkeys(("log", "vectors", "graph", "memo"), "memory:")
    alone = settings.model_copy(update={**stores, "model": "", "segmenter": "cohesion"})
    async with opened(alone) as home:
        await home.log.append([record_of(event) for event in events])
        first = [stage for stage in home.stages if stage.intake.name == SEGMENT.name]
        if not cuts:
            await InProcessRunner(home.log, first).run_until_idle()
        began = time.monotonic()
        await home.runner().run_until_idle()
        return max(time.monotonic() - began, _LEAST_S)


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 1)
