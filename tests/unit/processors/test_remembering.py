"""Nothing is paid for twice, and what was paid for is used."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from contracts.claims import Claims
from contracts.errors import TransientError
from contracts.ids import ChapterId, Generation, WorkId
from contracts.memo import Asked, MemoEntry, Source
from contracts.ports import Memo
from contracts.spending import SpentOnDay, SpentOnWork
from processors import remembering
from processors.remembering import Payer, Said, Tried, first_valid, remembered

ASKED = Asked(purpose="segmentation", prompt="p1", model="m", sampling="{}", input_hash="i")
C1 = (Source(work_id=WorkId("w"), chapter_id=ChapterId("c1")),)
C2 = (Source(work_id=WorkId("w"), chapter_id=ChapterId("c2")),)


class Crash(BaseException):
    """The process ends."""


@dataclass
class Dictionary:
    """A memo of two methods; the real ones are in tests/contract."""

    entries: dict[str, MemoEntry] = field(default_factory=dict)
    claims: Claims = field(default_factory=Claims)
    dies_after_put: bool = False
    is_down: bool = False

    async def claim(self, asked: Asked, by: str, seconds: float) -> bool:
        return asked.key not in self.entries and self.claims.claim(asked.key, by, seconds)

    async def release(self, asked: Asked, by: str) -> None:
        self.claims.release(asked.key, by)

    async def get(self, asked: Asked) -> MemoEntry | None:
        await asyncio.sleep(0)
        return self.entries.get(asked.key)

    async def put_if_absent(self, entry: MemoEntry) -> MemoEntry:
        if self.is_down:
            raise TransientError("the memo is down")
        kept = self.entries.get(entry.asked.key, entry)
        sources = sorted({*kept.sources, *entry.sources}, key=lambda each: each.chapter_id)
        self.entries[entry.asked.key] = kept.model_copy(update={"sources": tuple(sources)})
        if self.dies_after_put:
            raise Crash
        return self.entries[entry.asked.key]

    async def of_work(self, work_id: WorkId) -> tuple[MemoEntry, ...]:
        raise NotImplementedError

    async def forget(self, work_id: WorkId, chapter_ids: object) -> int:
        raise NotImplementedError

    async def spent_by_day(self, generation: object) -> tuple[SpentOnDay, ...]:
        raise NotImplementedError

    async def spent_by_work(self, generation: object, work_id: object) -> tuple[SpentOnWork, ...]:
        raise NotImplementedError

    async def close(self) -> None:
        pass


@dataclass
class Model:
    """Says one thing after the other; None is a line that broke."""

    answers: list[str | None]
    heard: list[int] = field(default_factory=list)

    async def __call__(self, asked: Asked) -> Said:
        self.heard.append(asked.attempt)
        await asyncio.sleep(0)
        answer = self.answers[len(self.heard) - 1]
        if answer is None:
            raise TransientError("the model is down")
        return Said(answer, input_tokens=10, output_tokens=len(answer))


async def test_the_first_time_calls_and_stores() -> None:
    memo, model = Dictionary(), Model(["yes"])
    entry = await remembered(Payer(memo), ASKED, C1, model)
    assert (entry.answer, entry.sources, entry.input_tokens, entry.output_tokens) == (
        "yes", C1, 10, 3,
    )  # fmt: skip
    assert memo.entries[ASKED.key] == entry


async def test_the_second_time_does_not_call() -> None:
    memo, model = Dictionary(), Model(["yes"])
    first = await remembered(Payer(memo), ASKED, C1, model)
    assert await remembered(Payer(memo), ASKED, C1, model) == first
    assert model.heard == [0]


async def test_a_hit_by_a_further_chapter_adds_that_source() -> None:
    memo, model = Dictionary(), Model(["yes"])
    await remembered(Payer(memo), ASKED, C1, model)
    assert (await remembered(Payer(memo), ASKED, C2, model)).sources == C1 + C2
    assert memo.entries[ASKED.key].sources == C1 + C2
    assert model.heard == [0]


@dataclass
class SlowModel:
    """Says yes when it is let go on."""

    heard: int = 0
    hears: asyncio.Event = field(default_factory=asyncio.Event)
    go_on: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, _asked: Asked) -> Said:
        self.heard += 1
        self.hears.set()
        await self.go_on.wait()
        return Said("yes")


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembering, "_LOOK_AGAIN_S", 0.01)


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.usefixtures("hurried")
async def test_of_two_at_once_one_asks_and_both_get_its_answer(processes: int) -> None:
    memo, model = Dictionary(), SlowModel()
    payers = [Payer(memo) for _ in range(processes)] * (2 // processes)
    sources = (C1, C2)
    asking = [
        asyncio.create_task(remembered(payer, ASKED, source, model))
        for payer, source in zip(payers, sources, strict=True)
    ]
    await model.hears.wait()
    await asyncio.sleep(0.05)
    model.go_on.set()
    got = await asyncio.gather(*asking)
    assert model.heard == 1
    assert [entry.answer for entry in got] == ["yes", "yes"]
    assert memo.entries[ASKED.key].sources == C1 + C2


@pytest.mark.usefixtures("hurried")
async def test_who_waits_asks_when_the_other_one_failed() -> None:
    memo, failing, model = Dictionary(), Model([None]), Model(["yes"])
    one = asyncio.create_task(remembered(Payer(memo), ASKED, C1, failing))
    other = asyncio.create_task(remembered(Payer(memo), ASKED, C1, model))
    with pytest.raises(TransientError, match="model is down"):
        await one
    assert (await other).answer == "yes"
    assert (failing.heard, model.heard) == ([0], [0])


async def test_a_call_that_nobody_waits_for_any_more_is_stored() -> None:
    memo, model = Dictionary(), SlowModel()
    payer = Payer(memo)
    asking = asyncio.create_task(remembered(payer, ASKED, C1, model))
    await model.hears.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    back = asyncio.create_task(remembered(payer, ASKED, C1, model))
    await asyncio.sleep(0)
    model.go_on.set()
    assert (await back).answer == memo.entries[ASKED.key].answer == "yes"
    assert model.heard == 1


@pytest.mark.usefixtures("hurried")
async def test_who_waits_for_anothers_call_gives_up_at_once_and_may_come_back() -> None:
    memo, model = Dictionary(), SlowModel()
    here, there = Payer(memo), Payer(memo)
    first = asyncio.create_task(remembered(there, ASKED, C1, model))
    await model.hears.wait()
    waiting = asyncio.create_task(remembered(here, ASKED, C1, model))
    await asyncio.sleep(0.02)
    waiting.cancel()
    back = asyncio.create_task(remembered(here, ASKED, C1, model))
    with pytest.raises(asyncio.CancelledError):
        await waiting
    model.go_on.set()
    assert (await first).answer == (await back).answer == "yes"
    assert model.heard == 1


async def test_closing_gives_up_what_is_under_way_and_frees_it() -> None:
    memo, model = Dictionary(), SlowModel()
    payer = Payer(memo)
    asking = asyncio.create_task(remembered(payer, ASKED, C1, model))
    await model.hears.wait()
    await payer.close()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert memo.entries == {}
    assert (await remembered(Payer(memo), ASKED, C1, Model(["yes"]))).answer == "yes"


async def test_a_claim_is_kept_as_long_as_the_model_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembering, "_RENEW_S", 0.01)
    now = [0.0]
    memo, model = Dictionary(claims=Claims(lambda: now[0])), SlowModel()
    asking = asyncio.create_task(remembered(Payer(memo), ASKED, C1, model))
    await model.hears.wait()
    for _ in range(3):
        now[0] += 10.0
        await asyncio.sleep(0.05)
        assert not await memo.claim(ASKED, "another", 10.0)
    model.go_on.set()
    assert (await asking).answer == "yes"


async def test_an_answer_that_the_memo_could_not_take_is_not_asked_for_again() -> None:
    memo, model, purse = Dictionary(is_down=True), Model(["yes"]), Counting(1)
    payer = Payer(memo, purse=purse)
    with pytest.raises(TransientError, match="memo is down"):
        await remembered(payer, ASKED, C1, model)
    memo.is_down = False
    stored = await remembered(payer, ASKED, C1, model)
    assert (stored.answer, model.heard, purse.noted) == ("yes", [0], [stored])


async def test_a_transport_error_propagates_and_is_not_stored() -> None:
    memo, model = Dictionary(), Model([None, "yes"])
    with pytest.raises(TransientError, match="down"):
        await remembered(Payer(memo), ASKED, C1, model)
    assert memo.entries == {}
    assert (await remembered(Payer(memo), ASKED, C1, model)).answer == "yes"


async def test_a_crash_between_the_put_and_the_use_costs_no_second_call() -> None:
    memo, model = Dictionary(dies_after_put=True), Model(["yes"])
    with pytest.raises(Crash):
        await remembered(Payer(memo), ASKED, C1, model)
    memo.dies_after_put = False
    assert (await remembered(Payer(memo), ASKED, C1, model)).answer == "yes"
    assert model.heard == [0]


async def _tried(memo: Memo, model: Model, attempts: int = 3) -> Tried[object]:
    return await first_valid(Payer(memo), ASKED, C1, model, json.loads, attempts)


async def test_the_first_valid_answer_wins() -> None:
    memo, model = Dictionary(), Model(["nonsense", "[1]"])
    tried = await _tried(memo, model)
    assert tried == Tried([1], attempts=2, input_tokens=20, output_tokens=11, calls=2)
    assert model.heard == [0, 1]


async def test_read_again_it_is_the_same_and_costs_no_call() -> None:
    memo = Dictionary()
    first = await _tried(memo, Model(["nonsense", "[1]"]))
    again = await _tried(memo, Model([]))
    assert (again.value, again.attempts, again.output_tokens, again.calls) == (
        first.value, first.attempts, first.output_tokens, 0,
    )  # fmt: skip


async def test_all_attempts_spent_is_no_value_and_stays_so() -> None:
    memo = Dictionary()
    tried = await _tried(memo, Model(["a", "b"]), attempts=2)
    assert tried == Tried(None, attempts=2, input_tokens=20, output_tokens=2, calls=2)
    assert (await _tried(memo, Model([]), attempts=2)).value is None


async def test_a_stored_invalid_answer_counts_as_its_attempt_spent() -> None:
    memo = Dictionary()
    with pytest.raises(TransientError):
        await _tried(memo, Model(["nonsense", None]))
    model = Model(["{}"])
    tried = await _tried(memo, model)
    assert (tried.value, tried.attempts, tried.calls, model.heard) == ({}, 2, 1, [1])


async def test_another_error_of_the_parser_is_a_bug_and_not_an_attempt() -> None:
    def broken(answer: str) -> object:
        raise KeyError(answer)

    with pytest.raises(KeyError):
        await first_valid(Payer(Dictionary()), ASKED, C1, Model(["yes"]), broken, 3)


@dataclass
class Counting:
    """A purse that holds so many calls."""

    left: int
    noted: list[MemoEntry] = field(default_factory=list)

    @asynccontextmanager
    async def paying(self, _asked: Asked, sources: Sequence[Source]) -> AsyncIterator[None]:
        assert sources == C1
        if not self.left:
            raise TransientError("the purse is empty")
        yield

    def note(self, entry: MemoEntry) -> None:
        self.left -= 1
        self.noted.append(entry)


async def test_what_is_paid_is_noted_with_its_generation_and_time() -> None:
    memo, purse = Dictionary(), Counting(1)
    payer = Payer(memo, Generation("g2"), purse, now_ms=lambda: 1_796_040_000_000)
    entry = await remembered(payer, ASKED, C1, Model(["yes"]))
    assert entry.paid is not None
    assert (entry.paid.generation, entry.paid.day) == ("g2", "2026-11-30")
    assert purse.noted == [entry]


async def test_no_call_is_made_that_the_purse_does_not_permit_and_what_is_stored_is_free() -> None:
    memo, model, purse = Dictionary(), Model(["no", "1"]), Counting(1)
    payer = Payer(memo, purse=purse)
    with pytest.raises(TransientError, match="empty"):
        await first_valid(payer, ASKED, C1, model, json.loads, 3)
    assert model.heard == [0]
    purse.left = 1
    tried = await first_valid(payer, ASKED, C1, model, json.loads, 3)
    assert (tried.value, tried.attempts, tried.calls, model.heard) == (1, 2, 1, [0, 1])
    assert (await first_valid(payer, ASKED, C1, model, json.loads, 3)).calls == 0
