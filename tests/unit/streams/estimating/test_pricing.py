"""Tokens become money at given prices, and time at rates that somebody gave or measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.events import ChapterPublished
from contracts.ids import ChapterId, WorkId
from contracts.ordinals import Ordinal
from contracts.prices import Prices
from contracts.reports import Duration, Money
from graph.memory import MemoryMemo
from streams.estimating.pricing import (
    Rates,
    duration,
    given_rate,
    money,
    rate_of_past_calls,
    shared,
    with_local_rate,
)
from streams.estimating.shares import Shares
from streams.estimating.tally import Tally
from streams.settings import Settings
from tests.contract.memo import NOON, entry, paid, source

CHAPTER = ChapterPublished(
    work_id=WorkId("w"),
    chapter_id=ChapterId("1"),
    ordinal=Ordinal.parse(1),
    body="Hedda took the ledger. Nobody saw her but Morrow.",
)


def tally(*, read: int, written: int, remembered: bool = False) -> Tally:
    made = Tally("segmentation")
    made.add(1, read, written, remembered=remembered)
    return made


def test_only_what_is_due_costs_money() -> None:
    made = tally(read=1_000_000, written=500_000)
    made.add(3, 9_000_000, 9_000_000, remembered=True)
    told = made.told()
    assert (told.calls, told.remembered, told.input_tokens) == (4, 3, 10_000_000)
    prices = Prices(input=0.15, output=0.6, currency="USD")
    assert money([told, told], prices) == Money(amount=0.9, currency="USD")
    assert money([told], None) is None


def test_calls_that_are_under_way_at_once_take_the_time_of_one() -> None:
    parts = [tally(read=9_000, written=1_000).told()]
    rates = Rates(tokens_a_s=500, words_a_s=2_000, told=("so",))
    assert duration(parts, 8_000, rates, 1).model_s == 20
    told = duration(parts, 8_000, rates, 4)
    assert (told.model_s, told.local_s, told.how) == (5, 4, ("so",))
    unknown = duration(parts, 8_000, Rates(), 4)
    assert (unknown.model_s, unknown.local_s) == (None, None)
    free = [tally(read=9_000, written=1_000, remembered=True).told()]
    assert duration(free, 8_000, Rates(), 1).model_s == 0


def test_a_share_of_the_time_makes_it_longer() -> None:
    time = Duration(model_s=10, local_s=None, how=("so",))
    assert shared(time, 1) == time
    told = shared(time, 0.25)
    assert (told.model_s, told.local_s) == (40, None)
    assert "25% of the time" in told.how[1]


async def test_the_rate_is_that_of_the_calls_that_the_ledger_knows() -> None:
    memo = MemoryMemo()
    for number in range(4):
        await memo.put_if_absent(paid(entry(f"{number}", "x", source("w", "c")), "g1", NOON, 500))
    assert (await rate_of_past_calls(memo)).tokens_a_s is None, "four calls are no rate"
    await memo.put_if_absent(paid(entry("5", "x", source("w", "c")), "g1", NOON, 500))
    rates = await rate_of_past_calls(memo)
    assert rates.tokens_a_s == pytest.approx(154 / 0.5)
    assert "5 past calls" in rates.told[0]
    assert given_rate(70).tokens_a_s == 70


@pytest.mark.parametrize("cuts", [True, False])
async def test_what_asks_no_model_is_measured_on_the_first_words(
    tmp_path: Path, *, cuts: bool
) -> None:
    settings = Settings(home=tmp_path, model="http://127.0.0.1:9/v1", model_name="m")
    rates = await with_local_rate(given_rate(9), [CHAPTER], settings, cuts=cuts)
    assert rates.words_a_s is not None
    assert rates.words_a_s > 0
    assert len(rates.told) == 2
    assert await with_local_rate(given_rate(9), [], settings, cuts=cuts) == given_rate(9)


def test_placing_grows_with_the_root_of_the_chapters_before() -> None:
    shares = Shares(answer=0, placed=0.5, shown=100, growth=10, placement=0)
    assert shares.placing(0) == shares.placing(1) == (0, 0)
    calls, words = shares.placing(5)
    assert calls == 2
    assert words == pytest.approx(0.5 * (400 + 10 * (1 + 2**0.5 + 3**0.5 + 2)))
