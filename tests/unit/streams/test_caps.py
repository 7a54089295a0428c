"""A call is made while less was spent than the cap, whoever spent it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest

from contracts.errors import TransientError, WorkMustWait
from contracts.events import ChapterPublished
from contracts.ids import ChapterId, Generation, WorkId
from contracts.memo import Asked, MemoEntry, Source
from contracts.ordinals import Ordinal
from contracts.spending import Payment, SpentOnDay
from graph.memory import MemoryMemo
from processors.cohesion import CohesionSegmenter
from processors.remembering import Purse
from processors.text import read_chapter
from streams.caps import (
    CappedPurse,
    CappedSegmenter,
    Caps,
    Till,
    at_the_door,
    capped_payer,
    for_placing,
)
from tests.unit.processors.handmade import HashedWords

G = Generation("g2")
NOON, A_DAY = 1_796_040_000_000, 86_400_000


@dataclass
class Clock:
    ms: int = NOON

    def now_ms(self) -> int:
        return self.ms

    def monotonic(self) -> float:
        return self.ms / 1_000


def answer(number: int, work: str = "w", at_ms: int = NOON, generation: str = G) -> MemoEntry:
    """Return an answer that cost 100 tokens."""
    asked = Asked(purpose="x", prompt="p", model="m", sampling="{}", input_hash=f"{work}{number}")
    return MemoEntry(
        asked=asked,
        answer="yes",
        sources=(source(work),),
        input_tokens=90,
        output_tokens=10,
        paid=Payment(generation=Generation(generation), at_ms=at_ms),
    )


def source(work: str) -> Source:
    return Source(work_id=WorkId(work), chapter_id=ChapterId("c1"))


async def asked_for(purse: Purse, work: str = "w") -> None:
    """Have a call permitted that fails."""
    async with purse.paying(answer(99).asked, (source(work),)):
        pass


@dataclass
class Worker:
    """Spends from one memo, by its own clock."""

    memo: MemoryMemo
    clock: Clock
    purse: CappedPurse

    @classmethod
    def of(cls, memo: MemoryMemo, caps: Caps, clock: Clock | None = None) -> Worker:
        clock = clock or Clock()
        till = Till(memo, G, clock.now_ms, clock.monotonic)
        return cls(memo, clock, CappedPurse(till, caps))

    async def pays(self, entry: MemoEntry) -> None:
        async with self.purse.paying(entry.asked, entry.sources):
            await asyncio.sleep(0)
            await self.memo.put_if_absent(entry)
            self.purse.note(entry)


async def test_the_whole_generation_is_capped_and_another_one_does_not_count() -> None:
    worker = Worker.of(MemoryMemo(), Caps(whole=250))
    await worker.memo.put_if_absent(answer(9, generation="g1"))
    for number in range(3):  # 0, 100 and 200 are less than 250
        await worker.pays(answer(number, f"w{number}"))
    with pytest.raises(TransientError, match=r"g2 has cost 300 tokens, and max_tokens is 250"):
        await worker.pays(answer(3))


async def test_a_day_is_over_at_midnight() -> None:
    worker = Worker.of(MemoryMemo(), Caps(a_day=100))
    await worker.pays(answer(1))
    worker.clock.ms = NOON + A_DAY // 2 - 1
    with pytest.raises(TransientError, match=r"100 tokens today, and max_tokens_per_day is 100"):
        await worker.pays(answer(2))
    worker.clock.ms = NOON + A_DAY // 2
    await worker.pays(answer(2, at_ms=worker.clock.ms))
    with pytest.raises(TransientError, match="per_day"):
        await worker.pays(answer(3))


async def test_a_work_that_has_cost_too_much_waits_alone() -> None:
    worker = Worker.of(MemoryMemo(), Caps(a_work=100))
    await worker.pays(answer(1))
    with pytest.raises(WorkMustWait, match=r"100 tokens .* resume w"):
        await worker.pays(answer(2))
    await worker.pays(answer(1, "v"))


@pytest.mark.parametrize("caps", [Caps(whole=300), Caps(a_day=300), Caps(a_work=300)])
async def test_calls_that_may_reach_the_cap_together_are_made_one_after_the_other(
    caps: Caps,
) -> None:
    worker = Worker.of(MemoryMemo(), caps)
    await worker.pays(answer(0))
    worker.clock.ms += 3_000
    at_once = [worker.pays(answer(number)) for number in range(1, 20)]
    done = await asyncio.gather(*at_once, return_exceptions=True)
    assert sum(each is None for each in done) == 2
    assert {type(each) for each in done if each} <= {TransientError, WorkMustWait}
    assert await worker.purse.till.whole() == 300


async def test_a_call_that_fails_is_waited_for_no_longer() -> None:
    worker = Worker.of(MemoryMemo(), Caps(whole=300))
    entered = asyncio.Event()

    async def fails() -> None:
        async with worker.purse.paying(answer(1).asked, (source("w"),)):
            entered.set()
            await asyncio.sleep(0.01)
            raise TransientError("the model is down")

    failing = asyncio.create_task(fails())
    await entered.wait()
    await worker.pays(answer(2))
    with pytest.raises(TransientError, match="down"):
        await failing
    assert await worker.purse.till.whole() == 100


class Slow(MemoryMemo):
    """A memo whose ledger takes some time to answer; it counts how often it was asked."""

    def __init__(self, clock: Clock, ms: int) -> None:
        super().__init__()
        self.clock, self.ms, self.asked = clock, ms, 0

    async def spent_by_day(self, generation: Generation | None) -> tuple[SpentOnDay, ...]:
        self.asked += 1
        found = await super().spent_by_day(generation)
        self.clock.ms += self.ms
        return found


@pytest.mark.parametrize(("took_ms", "fresh_ms"), [(0, 0), (10, 200), (1_000, 2_000)])
async def test_the_ledger_is_asked_again_the_sooner_the_less_time_it_takes(
    took_ms: int, fresh_ms: int
) -> None:
    clock = Clock()
    memo = Slow(clock, took_ms)
    ours, theirs = (Worker.of(memo, Caps(whole=300), clock) for _ in range(2))
    began = clock.ms
    await ours.pays(answer(1))
    await theirs.pays(answer(2))
    await theirs.pays(answer(3))
    clock.ms = began + max(took_ms, fresh_ms - 1)
    asked = memo.asked
    if fresh_ms:
        await asked_for(ours.purse)
        assert memo.asked == asked, "as far as it knows, 100 tokens were spent"
    clock.ms = began + fresh_ms
    with pytest.raises(TransientError, match=r"300 tokens"):
        await asked_for(ours.purse)


async def test_what_was_paid_here_counts_at_once_and_once() -> None:
    worker = Worker.of(MemoryMemo(), Caps(whole=10_000))
    for number in range(20):
        await worker.pays(answer(number))
        worker.clock.ms += 300
    assert await worker.purse.till.whole() == 2_000
    assert await worker.purse.till.of_work(WorkId("w")) == 2_000


async def test_placing_stops_no_work() -> None:
    payer = capped_payer(MemoryMemo(), G, Caps(whole=300, a_work=100))
    await payer.memo.put_if_absent(answer(1))
    with pytest.raises(WorkMustWait):
        await asked_for(payer.purse)
    placing = for_placing(payer)
    await asked_for(placing.purse)
    for number in (2, 3):
        placing.purse.note(await placing.memo.put_if_absent(answer(number)))
    with pytest.raises(TransientError, match="max_tokens is 300"):
        await asked_for(placing.purse)


async def test_without_caps_nothing_is_read() -> None:
    payer = capped_payer(MemoryMemo(), G, Caps())
    assert for_placing(payer) is payer
    assert at_the_door(segmenter := _cohesion(), payer) is segmenter
    await asked_for(payer.purse)


async def test_a_segmenter_that_asks_nobody_is_stopped_at_the_door() -> None:
    payer = capped_payer(MemoryMemo(), G, Caps(a_work=100))
    stopped = at_the_door(_cohesion(), payer)
    assert isinstance(stopped, CappedSegmenter)
    assert stopped.version == _cohesion().version
    body = "Hedda hid the ledger."
    chapter = read_chapter(
        ChapterPublished(
            work_id=WorkId("w"), chapter_id=ChapterId("1"), ordinal=Ordinal.parse(1), body=body
        )
    )
    await payer.memo.put_if_absent(answer(1))
    with pytest.raises(WorkMustWait):
        await stopped.segment(chapter)


def _cohesion() -> CohesionSegmenter:
    return CohesionSegmenter(HashedWords())
