"""The contract of `Memo`, one test a sentence; an adapter adds a class with one fixture."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable
from random import Random

import pytest

from contracts.errors import PermanentError
from contracts.ids import ChapterId, Generation, WorkId
from contracts.memo import Asked, MemoEntry, Source
from contracts.ports import Memo
from contracts.spending import Payment, Spent


def asked(input_hash: str, attempt: int = 0) -> Asked:
    return Asked(
        purpose="segmentation",
        prompt="lite-1",
        model="small",
        sampling='{"temperature":0}',
        input_hash=input_hash,
        attempt=attempt,
    )


def source(work: str, chapter: str) -> Source:
    return Source(work_id=WorkId(work), chapter_id=ChapterId(chapter))


def entry(input_hash: str, answer: str, *sources: Source, attempt: int = 0) -> MemoEntry:
    return MemoEntry(
        asked=asked(input_hash, attempt),
        answer=answer,
        sources=sources,
        input_tokens=120,
        output_tokens=34,
    )


NOON: int = 1_796_040_000_000  # 2026-11-30
A_DAY: int = 86_400_000


def paid(put: MemoEntry, generation: str, at_ms: int = NOON, took_ms: int = 250) -> MemoEntry:
    """Return the entry as it is put by who paid for it."""
    payment = Payment(generation=Generation(generation), at_ms=at_ms, took_ms=took_ms)
    return put.model_copy(update={"paid": payment})


class MemoContract:
    @pytest.fixture
    def opened(self) -> Callable[[], Memo]:
        """Open the same memo once more; what one handle put the next one reads."""
        raise NotImplementedError

    @pytest.fixture
    async def memo(self, opened: Callable[[], Memo]) -> AsyncIterator[Memo]:
        memo = opened()
        yield memo
        await memo.close()

    @pytest.fixture
    def generation(self) -> Generation:
        """A generation that no other test on the same server knows."""
        return Generation(f"g {uuid.uuid4()}")

    @pytest.fixture
    def work(self) -> WorkId:
        """A work that no other test on the same server knows."""
        return WorkId(f"work {uuid.uuid4()}")

    async def test_of_two_that_claim_one_is_to_ask_until_it_lets_go(
        self, memo: Memo, work: WorkId
    ) -> None:
        question = asked(work)
        claimed = await asyncio.gather(*(memo.claim(question, by, 60.0) for by in "abcd"))
        assert sorted(claimed) == [False, False, False, True]
        winner, loser = ("abcd"[claimed.index(wanted)] for wanted in (True, False))
        assert await memo.claim(question, winner, 60.0)
        await memo.release(question, loser)
        assert not await memo.claim(question, loser, 60.0)
        assert await memo.claim(asked(work, attempt=1), loser, 60.0)
        await memo.release(question, winner)
        assert await memo.claim(question, loser, 60.0)

    async def test_a_claim_ends_when_its_time_is_over(self, memo: Memo, work: WorkId) -> None:
        assert await memo.claim(asked(work), "a", 0.05)
        await asyncio.sleep(0.2)
        assert await memo.claim(asked(work), "b", 60.0)
        assert not await memo.claim(asked(work), "a", 60.0)

    async def test_what_has_an_answer_is_not_to_be_asked(self, memo: Memo, work: WorkId) -> None:
        put = entry(work, "yes", source(work, "c1"))
        assert await memo.claim(put.asked, "a", 60.0)
        assert await memo.get(put.asked) is None
        assert await memo.put_if_absent(put) == put
        assert not await memo.claim(put.asked, "a", 60.0)
        assert not await memo.claim(put.asked, "b", 60.0)
        await memo.release(put.asked, "a")
        assert await memo.get(put.asked) == put
        assert await memo.of_work(work) == (put,)
        await memo.forget(work, None)
        assert await memo.claim(put.asked, "b", 60.0)

    async def test_what_was_put_is_got(self, memo: Memo, work: WorkId) -> None:
        put = entry(work, '{"segments": [1, 2]}', source(work, "c1"), source(work, "c2"))
        assert await memo.put_if_absent(put) == put
        assert await memo.get(put.asked) == put

    @pytest.mark.parametrize("answer", ["", "no JSON at all", "第一章" * 9_000, "\0\ud7ff🦈\r\n"])
    async def test_an_answer_is_kept_as_it_came_valid_or_not(
        self, memo: Memo, work: WorkId, answer: str
    ) -> None:
        put = entry(work, answer, source(work, "c1"))
        await memo.put_if_absent(put)
        assert await memo.get(put.asked) == put

    async def test_an_answer_of_twenty_megabytes_is_kept(self, memo: Memo, work: WorkId) -> None:
        noise = Random(20).randbytes(10_000_000).hex()  # noqa: S311 - no secret
        put = entry(work, noise, source(work, "c1"))
        await memo.put_if_absent(put)
        found = await memo.get(put.asked)
        assert found is not None
        assert found.answer == put.answer

    async def test_half_a_surrogate_pair_is_refused(self, memo: Memo, work: WorkId) -> None:
        broken = entry(work, "x").model_copy(update={"answer": "\ud800"})
        with pytest.raises(PermanentError, match="surrogate"):
            await memo.put_if_absent(broken)
        assert await memo.get(broken.asked) is None

    async def test_what_nobody_put_is_not_there(self, memo: Memo, work: WorkId) -> None:
        assert await memo.get(asked(work)) is None
        assert await memo.of_work(work) == ()
        assert await memo.forget(work, None) == 0

    @pytest.mark.parametrize(
        "change",
        [
            {"purpose": "titles"},
            {"prompt": "lite-2"},
            {"model": "large"},
            {"sampling": "{}"},
            {"attempt": 1},
        ],
        ids=lambda change: next(iter(change)),
    )
    async def test_another_call_has_another_answer(
        self, memo: Memo, work: WorkId, change: dict[str, object]
    ) -> None:
        await memo.put_if_absent(entry(work, "yes", source(work, "c1")))
        other = asked(work).model_copy(update=change)
        assert await memo.get(other) is None

    async def test_the_first_answer_stays_and_the_second_putter_gets_it(
        self, memo: Memo, work: WorkId
    ) -> None:
        first = entry(work, "yes", source(work, "c1"))
        await memo.put_if_absent(first)
        second = first.model_copy(update={"answer": "no", "input_tokens": 7, "output_tokens": 8})
        assert await memo.put_if_absent(second) == first
        assert await memo.get(first.asked) == first

    async def test_sources_are_those_of_all_who_put_sorted_without_repetition(
        self, memo: Memo, work: WorkId
    ) -> None:
        other = WorkId(f"a {work}")
        await memo.put_if_absent(entry(work, "yes", source(work, "c2"), source(work, "c2")))
        stored = await memo.put_if_absent(
            entry(work, "no", source(work, "c1"), source(other, "c9"), source(work, "c2"))
        )
        expected = (source(other, "c9"), source(work, "c1"), source(work, "c2"))
        assert stored.sources == expected
        assert await memo.get(stored.asked) == stored

    async def test_of_fifty_competing_answers_one_is_stored_and_everybody_gets_it(
        self, memo: Memo, work: WorkId
    ) -> None:
        puts = [entry(work, f"answer {n}", source(work, f"c{n:02}")) for n in range(50)]
        got = await asyncio.gather(*(memo.put_if_absent(put) for put in puts))
        assert len({each.answer for each in got}) == 1
        assert all(put.sources[0] in each.sources for put, each in zip(puts, got, strict=True))
        stored = await memo.get(asked(work))
        assert stored is not None
        assert stored.answer == got[0].answer
        assert stored.sources == tuple(source(work, f"c{n:02}") for n in range(50))
        assert len(await memo.of_work(work)) == 1

    async def test_it_is_durable_when_the_call_returns(
        self, memo: Memo, opened: Callable[[], Memo], work: WorkId
    ) -> None:
        put = await memo.put_if_absent(entry(work, "yes" * 1_000, source(work, "c1")))
        again = opened()
        assert await again.get(put.asked) == put
        assert await again.of_work(work) == (put,)
        await again.close()

    async def test_a_closed_memo_opens_again_with_all_it_had(
        self, opened: Callable[[], Memo], work: WorkId
    ) -> None:
        first = opened()
        put = await first.put_if_absent(entry(work, "yes", source(work, "c1")))
        await first.close()
        await first.close()  # a second call does nothing
        second = opened()
        assert await second.get(put.asked) == put
        await second.close()

    async def test_the_entries_of_a_work_come_by_key_whatever_chapter_they_draw_on(
        self, memo: Memo, work: WorkId
    ) -> None:
        other = WorkId(f"{work} II")
        shared = entry(f"{work} 1", "shared", source(work, "c1"), source(other, "c1"))
        puts = [shared, *(entry(f"{work} {n}", "x", source(work, f"c{n}")) for n in (2, 3, 4))]
        for put in (*puts, entry(f"{work} 5", "theirs", source(other, "c2"))):
            await memo.put_if_absent(put)
        assert await memo.of_work(work) == tuple(sorted(puts, key=lambda each: each.asked.key))
        assert shared in await memo.of_work(other)

    async def test_forgetting_chapters_deletes_what_they_are_a_source_of(
        self, memo: Memo, work: WorkId
    ) -> None:
        other = WorkId(f"{work} II")
        gone = entry(f"{work} 1", "secret", source(work, "c1"))
        shared = entry(f"{work} 2", "secret too", source(work, "c1"), source(other, "c1"))
        stays = entry(f"{work} 3", "theirs", source(other, "c1"))
        kept = entry(f"{work} 4", "ours", source(work, "c2"))
        for put in (gone, shared, stays, kept):
            await memo.put_if_absent(put)
        assert await memo.forget(work, {ChapterId("c1"), ChapterId("c9")}) == 2
        assert await memo.get(gone.asked) is None
        assert await memo.get(shared.asked) is None  # the other work pays again
        assert await memo.get(stays.asked) == stays
        assert await memo.of_work(work) == (kept,)
        assert await memo.forget(work, set()) == 0
        assert await memo.forget(work, {ChapterId("c1")}) == 0

    async def test_forgetting_a_work_deletes_all_of_it(self, memo: Memo, work: WorkId) -> None:
        other = WorkId(f"{work} II")
        for n in range(3):
            await memo.put_if_absent(entry(f"{work} {n}", "x" * 2_000, source(work, f"c{n}")))
        stays = await memo.put_if_absent(entry(f"{work} 9", "y", source(other, "c1")))
        assert await memo.forget(work, None) == 3
        assert await memo.of_work(work) == ()
        assert await memo.of_work(other) == (stays,)

    async def test_what_was_forgotten_can_be_put_anew(self, memo: Memo, work: WorkId) -> None:
        await memo.put_if_absent(entry(work, "old", source(work, "c1"), source(work, "c2")))
        await memo.forget(work, {ChapterId("c2")})
        new = entry(work, "new", source(work, "c1"))
        assert await memo.put_if_absent(new) == new

    # --- what was spent -----------------------------------------------------------------------

    async def test_an_entry_tells_when_it_was_paid_for_which_generation_and_how_long_it_took(
        self, memo: Memo, opened: Callable[[], Memo], work: WorkId
    ) -> None:
        put = paid(entry(work, "yes", source(work, "c1")), "g2")
        assert await memo.put_if_absent(put) == put
        again = opened()
        assert await again.get(put.asked) == put
        await again.close()

    async def test_what_was_paid_is_in_a_sum_a_day_and_a_sum_a_work(
        self, memo: Memo, work: WorkId, generation: Generation
    ) -> None:
        other = WorkId(f"{work} II")
        places = asked(f"{work} p").model_copy(update={"purpose": "placement"})
        for n, (of, at_ms) in enumerate([(work, NOON), (work, NOON + A_DAY), (other, NOON)]):
            await memo.put_if_absent(
                paid(entry(f"{work} {n}", "x", source(of, "c1")), generation, at_ms)
            )
        placed = entry("", "x", source(work, "c1")).model_copy(update={"asked": places})
        await memo.put_if_absent(paid(placed, generation))
        days = await memo.spent_by_day(generation)
        assert [
            (each.day, each.purpose, each.calls, each.tokens, each.took_ms) for each in days
        ] == [
            ("2026-11-30", "placement", 1, 154, 250),
            ("2026-11-30", "segmentation", 2, 308, 500),
            ("2026-12-01", "segmentation", 1, 154, 250),
        ]
        works = await memo.spent_by_work(generation, None)
        assert [(each.work_id, each.purpose, each.calls, each.tokens) for each in works] == [
            (work, "placement", 1, 154),
            (work, "segmentation", 2, 308),
            (other, "segmentation", 1, 154),
        ]
        assert await memo.spent_by_work(generation, other) == works[2:]
        assert Spent.total(days) == Spent.total(works)

    async def test_generations_have_sums_of_their_own(
        self, memo: Memo, work: WorkId, generation: Generation
    ) -> None:
        later = Generation(f"{generation} later")
        await memo.put_if_absent(paid(entry(f"{work} 1", "x", source(work, "c1")), generation))
        await memo.put_if_absent(paid(entry(f"{work} 2", "x", source(work, "c1")), later))
        assert [each.calls for each in await memo.spent_by_day(generation)] == [1]
        both = {generation, later}
        days = [each for each in await memo.spent_by_day(None) if each.generation in both]
        assert [each.generation for each in days] == [generation, later]
        works = await memo.spent_by_work(None, work)
        assert [(each.generation, each.calls) for each in works] == [(generation, 1), (later, 1)]

    async def test_a_payment_enters_once_however_often_it_is_put(
        self, memo: Memo, work: WorkId, generation: Generation
    ) -> None:
        put = paid(entry(work, "yes", source(work, "c1")), generation)
        for chapter in ("c1", "c1", "c2"):
            await memo.put_if_absent(put.model_copy(update={"sources": (source(work, chapter),)}))
        assert [each.calls for each in await memo.spent_by_work(generation, work)] == [1]

    async def test_who_pays_for_an_answer_that_another_has_stored_has_paid_too(
        self, memo: Memo, work: WorkId, generation: Generation
    ) -> None:
        first = paid(entry(work, "yes", source(work, "c1")), generation)
        second = paid(entry(work, "no", source(work, "c1")), generation, NOON + 1)
        for put in (first, second, second, first):
            assert await memo.put_if_absent(put) == first
        assert [each.calls for each in await memo.spent_by_work(generation, work)] == [2]
        assert [each.calls for each in await memo.spent_by_day(generation)] == [2]

    async def test_fifty_who_pay_at_once_are_all_in_the_sums(
        self, memo: Memo, work: WorkId, generation: Generation
    ) -> None:
        await asyncio.gather(
            *(
                memo.put_if_absent(
                    paid(entry(f"{work} {n % 25}", "x", source(work, "c1")), generation, NOON + n)
                )
                for n in range(50)
            )
        )
        assert [each.calls for each in await memo.spent_by_day(generation)] == [50]
        assert [each.calls for each in await memo.spent_by_work(generation, work)] == [50]

    async def test_what_nobody_noted_as_paid_is_in_no_sum(
        self, memo: Memo, work: WorkId, generation: Generation
    ) -> None:
        await memo.put_if_absent(entry(work, "yes", source(work, "c1")))
        assert await memo.spent_by_work(None, work) == ()
        assert await memo.spent_by_day(generation) == ()

    async def test_what_was_forgotten_was_paid_all_the_same(
        self, memo: Memo, work: WorkId, generation: Generation
    ) -> None:
        put = paid(entry(work, "yes", source(work, "c1")), generation)
        await memo.put_if_absent(put)
        await memo.forget(work, None)
        await memo.put_if_absent(
            put.model_copy(update={"paid": paid(put, generation, NOON + 1).paid})
        )
        assert [each.calls for each in await memo.spent_by_work(generation, work)] == [2]
