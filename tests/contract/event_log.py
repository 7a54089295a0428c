"""The contract of `EventLog`, one test a sentence; an adapter adds a class with two fixtures."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from contracts.errors import PermanentError
from contracts.ports import EventLog, NewRecord

OPEN_END = 2**40


def record(value: str, topic: str = "t", key: str = "w", source: str | None = None) -> NewRecord:
    return NewRecord(topic, key.encode(), value.encode(), (("h", b"\x00\xff"),), source)


async def values(log: EventLog, topic: str = "t") -> list[str]:
    found = await log.read(topic, 0, 1_000_000, OPEN_END)
    return [(one.value or b"").decode() for one in found]


class EventLogContract:
    @pytest.fixture
    def opened(self) -> Callable[[], EventLog]:
        """Open the same log once more; what one handle wrote the next one reads."""
        raise NotImplementedError

    @pytest.fixture
    async def log(self, opened: Callable[[], EventLog]) -> AsyncIterator[EventLog]:
        log = opened()
        yield log
        await log.close()

    async def test_key_value_and_headers_are_as_they_came(self, log: EventLog) -> None:
        bodies = [None, b"", b"\x00\xff" * 3, "第一章".encode() * 9_000]
        sent = [NewRecord("t", key, body, (("a", b""), ("a", b"\xff"))) for key in (None, b"", b"k")
                for body in bodies]  # fmt: skip
        await log.append(sent)
        found = await log.read("t", 0, 100, OPEN_END)
        assert [NewRecord(r.topic, r.key, r.value, r.headers) for r in found] == sent
        assert all(r.timestamp_ms > 0 for r in found)

    async def test_it_is_durable_when_a_call_returns(
        self, log: EventLog, opened: Callable[[], EventLog]
    ) -> None:
        await log.append([record("a", source="s")])
        await log.advance("g", "t", 1, [record("b", "u")])
        again = opened()
        assert await values(again) == ["a"]
        assert await values(again, "u") == ["b"]
        assert await again.position("g", "t") == 1
        assert await again.append([record("a", source="s")]) == 0
        await again.close()

    async def test_append_returns_how_many_were_new(self, log: EventLog) -> None:
        assert await log.append([record("a"), record("b")]) == 2
        assert await log.append([]) == 0

    async def test_append_takes_all_or_none(self, log: EventLog) -> None:
        unfit = NewRecord("t", b"k", "no bytes", ((7, "x"),))  # type: ignore[arg-type]
        with pytest.raises((AttributeError, TypeError)):
            await log.append([record("a"), unfit])
        assert await values(log) == []
        assert await log.append([record("b")]) == 1

    async def test_records_whose_source_the_log_has_had_are_left_out(self, log: EventLog) -> None:
        lines = [record("a", source="1"), record("b", source="2")]
        assert await log.append(lines) == 2
        assert await log.append(lines) == 0
        assert await values(log) == ["a", "b"]

    async def test_a_longer_version_adds_only_what_is_new(self, log: EventLog) -> None:
        lines = [record("a", source="1"), record("b", source="2"), record("c", source="3")]
        await log.append(lines[:1])
        assert await log.append(lines) == 2
        assert await values(log) == ["a", "b", "c"]

    async def test_a_source_counts_once_within_a_call_too(self, log: EventLog) -> None:
        assert await log.append([record("a", source="1"), record("a", source="1")]) == 1
        assert await values(log) == ["a"]

    async def test_another_source_is_another_record(self, log: EventLog) -> None:
        await log.append([record("a", source="s")])
        assert await log.append([record("a", source="r")]) == 1
        assert await log.append([record("a")]) == 1
        assert await values(log) == ["a", "a", "a"]

    async def test_read_is_in_order_of_offset_from_the_start_on(self, log: EventLog) -> None:
        await log.append([record(str(n)) for n in range(5)])
        offsets = [r.offset for r in await log.read("t", 0, 100, OPEN_END)]
        assert offsets == sorted(set(offsets))
        tail = await log.read("t", offsets[3], 100, OPEN_END)
        assert [r.value for r in tail] == [b"3", b"4"]
        assert await log.read("t", offsets[-1] + 1, 100, OPEN_END) == ()
        assert await log.read("nothing", 0, 100, OPEN_END) == ()

    async def test_read_keeps_its_limits_but_gives_at_least_one(self, log: EventLog) -> None:
        await log.append([record("x" * 900) for _ in range(4)])
        assert len(await log.read("t", 0, 3, OPEN_END)) == 3
        assert len(await log.read("t", 0, 100, 1_800)) == 2
        assert len(await log.read("t", 0, 100, 1)) == 1

    async def test_topics_do_not_see_each_other(self, log: EventLog) -> None:
        await log.append([record("a", "t"), record("b", "u"), record("c", "t")])
        assert await values(log, "t") == ["a", "c"]
        assert await values(log, "u") == ["b"]

    async def test_read_key_returns_every_record_of_the_key(self, log: EventLog) -> None:
        await log.append([record("a"), record("b", key="v"), record("c"), record("d", "u")])
        assert [r.value for r in await log.read_key("t", b"w")] == [b"a", b"c"]
        assert await log.read_key("t", b"nobody") == ()

    async def test_a_span_is_what_a_partition_has_between_two_offsets(self, log: EventLog) -> None:
        await log.append([record(str(n)) for n in range(200)])
        whole = await log.read("t", 0, 1_000, OPEN_END)
        assert [r async for r in log.span("t", 0, 0, 200)] == list(whole)
        assert [r async for r in log.span("t", 0, 70, 140)] == list(whole[70:140])
        assert [r async for r in log.span("t", 0, 190, 999)] == list(whole[190:])
        assert [r async for r in log.span("t", 0, 5, 5)] == []
        assert [r async for r in log.span("no such topic", 0, 0, 9)] == []

    async def test_a_record_is_found_by_its_key_and_offset(self, log: EventLog) -> None:
        await log.append([record("a"), record("b", key="v"), record("c")])
        for sent in await log.read("t", 0, 9, OPEN_END):
            assert await log.record_at("t", sent.key or b"", sent.offset) == sent
        assert await log.record_at("t", b"w", 1) is None, "that is another key's"
        assert await log.record_at("t", b"w", 3) is None
        assert await log.record_at("no such topic", b"w", 0) is None

    async def test_the_next_record_is_not_below_the_end(self, log: EventLog) -> None:
        assert await log.end("t") == 0
        for n in range(3):
            end = await log.end("t")
            await log.append([record(str(n))])
            assert (await log.read("t", end, 1, OPEN_END))[0].value == str(n).encode()
            assert await log.end("t") > end

    async def test_a_group_that_never_committed_stands_at_0(self, log: EventLog) -> None:
        assert await log.position("g", "t") == 0

    async def test_positions_belong_to_group_and_topic(self, log: EventLog) -> None:
        await log.advance("g", "t", 4, [])
        assert await log.position("g", "t") == 4
        assert await log.position("g", "u") == 0
        assert await log.position("h", "t") == 0

    async def test_outputs_come_with_the_position(self, log: EventLog) -> None:
        await log.advance("g", "t", 2, [record("a", "u"), record("b", "u")])
        assert await values(log, "u") == ["a", "b"]
        assert await log.position("g", "t") == 2

    async def test_neither_outputs_nor_position_when_one_fails(self, log: EventLog) -> None:
        unfit = NewRecord("u", b"k", b"v", ((7, "x"),))  # type: ignore[arg-type]
        with pytest.raises((AttributeError, TypeError)):
            await log.advance("g", "t", 2, [record("a", "u"), unfit])
        assert await values(log, "u") == []
        assert await log.position("g", "t") == 0

    async def test_a_position_below_the_committed_one_changes_nothing(self, log: EventLog) -> None:
        await log.advance("g", "t", 5, [])
        await log.advance("g", "t", 4, [record("late", "u")])
        assert await log.position("g", "t") == 5
        assert await values(log, "u") == []

    async def test_a_group_that_never_read_begins_where_it_is_told(self, log: EventLog) -> None:
        await log.append([record(str(n)) for n in range(4)])
        await log.begin("g", "t", {0: 3})
        assert await log.position("g", "t") == 3
        assert [line.lag for line in await log.standing("g", "t")] == [1]
        assert await log.position("h", "t") == await log.position("g", "u") == 0
        await log.begin("h", "t", {})
        assert await log.position("h", "t") == 0

    async def test_a_group_that_is_further_already_stays_where_it_is(self, log: EventLog) -> None:
        await log.advance("g", "t", 5, [])
        await log.begin("g", "t", {0: 3})
        assert await log.position("g", "t") == 5
        await log.begin("g", "t", {0: 7})
        assert await log.position("g", "t") == 7

    async def test_topics_and_positions_are_removed_for_ever(
        self, log: EventLog, opened: Callable[[], EventLog]
    ) -> None:
        await log.append([record("a"), record("b", "u", source="s")])
        await log.advance("g", "t", 1, [])
        await log.advance("h", "t", 1, [])
        await log.remove(["t"], ["g"])
        again = opened()
        for each in (log, again):
            assert await values(each) == []
            assert await each.position("g", "t") == 0
            assert await values(each, "u") == ["b"], "what was not named stays"
            assert await each.position("h", "t") == 1
        await again.close()

    async def test_to_remove_what_is_not_there_is_no_error(self, log: EventLog) -> None:
        await log.append([record("a")])
        await log.remove(["no such topic"], ["no such group"])
        await log.remove([], [])
        assert await values(log) == ["a"]

    async def test_calls_at_once_lose_nothing(self, opened: Callable[[], EventLog]) -> None:
        logs = [opened(), opened()]
        await asyncio.gather(
            *(log.append([record(f"{who}.{n}")]) for n in range(20) for who, log in enumerate(logs))
        )
        found = await logs[0].read("t", 0, 1_000, OPEN_END)
        assert len({r.value for r in found}) == len({r.offset for r in found}) == 40
        for log in logs:
            await log.close()

    async def test_a_second_close_does_nothing(self, log: EventLog) -> None:
        await log.append([record("a")])
        await log.close()
        await log.close()
        with pytest.raises(PermanentError, match="closed"):
            await log.end("t")

    async def test_a_log_that_can_be_read_has_no_fault(self, log: EventLog) -> None:
        assert await log.faults() == ()
        await log.append([record("a"), record("b" * 5_000, "u")])
        assert await log.faults() == ()
