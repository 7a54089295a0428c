"""Kafka as the event log of whoever asks: by key, how far the groups are, and why they wait."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from contracts.errors import PermanentError, TransientError
from contracts.events import QuestionAsked
from contracts.ids import WorkId
from contracts.ordinals import Ordinal
from contracts.ports import NewRecord
from contracts.topics import CHAPTERS, QUESTIONS
from streams.generations.questions import Draw, asked_questions
from tests.e2e.kafka.cluster import Corner, corner, home_in, partition_of, until, working
from tests.unit.streams.stand_ins import StandInTree, path_to, published

pytestmark = pytest.mark.real


async def test_records_are_read_by_key_in_order_as_they_came(kafka_url: str) -> None:
    async with corner(kafka_url, "keys.") as where:
        headers = (("h", b"\x00\xff"),)
        sent = [
            NewRecord(CHAPTERS, key, b"%d" % n, headers) for n in range(6) for key in (b"a", b"b")
        ]
        assert await where.log.append(sent) == len(sent)
        found = await where.log.read_key(CHAPTERS, b"a")
        assert [(r.value, r.headers, r.partition) for r in found] == [
            (b"%d" % n, headers, partition_of(b"a")) for n in range(6)
        ]
        assert [await where.log.record_at(CHAPTERS, b"a", r.offset) for r in found] == list(found)
        assert await where.log.record_at(CHAPTERS, b"a", found[-1].offset + 99) is None
        assert await where.log.record_at("no.such.topic", b"a", 0) is None
        assert await where.log.read_key(CHAPTERS, b"never") == ()
        assert await where.log.read_key("no.such.topic", b"a") == ()
        assert await where.log.end(CHAPTERS) == 12
        with pytest.raises(PermanentError, match="several partitions"):
            await where.log.read(CHAPTERS, 0, 1, 1)
        with pytest.raises(PermanentError, match="storygraft worker"):
            await where.log.advance("segment.g1", CHAPTERS, 1, [])


async def test_it_tells_how_far_the_stages_are(kafka_url: str, tmp_path: Path) -> None:
    async with corner(kafka_url, "far.") as where, home_in(where, tmp_path) as home:
        await where.tell(published("1", work="w0"), published("2", work="w0"))
        before = await where.log.standing("segment.g1", CHAPTERS)
        assert [line.lag for line in before if line.lag] == [2]
        (line,) = [line for line in before if line.lag]
        span = where.log.span(CHAPTERS, line.partition, line.position, line.end)
        assert [record.offset async for record in span] == [0, 1]
        assert home.finder.waiting(WorkId("w0")) == 0
        (gap, _) = await home.finder(published("1", work="w0").work_id)
        assert gap.reason == "waiting to be indexed"
        assert home.finder.waiting(WorkId("w0")) == 2
        async with working(where, path_to(StandInTree()), tmp_path / "worker"):

            async def grafted() -> bool:
                return await where.done("graft.g1", "embedded.g1") == 2

            await until(grafted)
        assert await home.finder(WorkId("w0")) == ()
        assert not any(line.lag for line in await where.log.standing("segment.g1", CHAPTERS))
        with pytest.raises(PermanentError, match="workers"):
            home.runner()


async def test_who_asks_as_a_topic_is_deleted_is_told_soon_that_nothing_is_there(
    kafka_url: str,
) -> None:
    async with corner(kafka_url, "going.") as where, corner(kafka_url, "going.") as other:
        await where.tell(published("1", work="w0"))
        assert await where.log.end(CHAPTERS) == 1
        await other.log.remove([CHAPTERS], [])
        where.log._heard_at = time.monotonic()  # it has just heard of topics, and of this one
        async with asyncio.timeout(15):
            assert not any(line.lag for line in await where.log.standing("segment.g1", CHAPTERS))
            assert await where.log.end(CHAPTERS) == 0


async def test_a_group_begins_where_it_is_told_in_each_partition(
    kafka_url: str, tmp_path: Path
) -> None:
    async with corner(kafka_url, "begin.") as where:
        await where.tell(*(published(str(n), work="w0") for n in range(4)))
        at = partition_of(b"w0")
        await where.log.begin("segment.g1", CHAPTERS, {at: 3})
        assert await _positions(where, "segment.g1") == {at: 3}
        await where.log.begin("segment.g1", CHAPTERS, {at: 2})
        assert await _positions(where, "segment.g1") == {at: 3}, "it is further already"
        await where.log.begin("segment.g1", CHAPTERS, {at: 3})
        tree = StandInTree()
        async with working(where, path_to(tree), tmp_path / "worker"):

            async def grafted() -> bool:
                return await where.done("graft.g1", "embedded.g1") == 1

            await until(grafted)
            with pytest.raises(TransientError):  # it is reading: nothing is set behind its back
                await where.log.begin("segment.g1", CHAPTERS, {at: 99})
        assert await _positions(where, "segment.g1") == {at: 4}


async def test_topics_and_groups_are_removed_once_nobody_reads(
    kafka_url: str, tmp_path: Path
) -> None:
    async with corner(kafka_url, "remove.") as where:
        await where.tell(published("1", work="w0"))
        groups = ("segment.g1", "embed.g1", "graft.g1")
        async with working(where, path_to(StandInTree()), tmp_path / "worker"):

            async def grafted() -> bool:
                return await where.done("graft.g1", "embedded.g1") == 1

            await until(grafted)
            with pytest.raises(TransientError, match="workers"):
                await where.log.remove(["scenes.g1"], groups)
            assert await where.log.end("scenes.g1") == 1, "nothing was deleted"
        await where.log.remove(["scenes.g1", "no.such"], [*groups, "no.such"])
        assert await where.log.ends("scenes.g1") == ()
        assert await _positions(where, "segment.g1") == {}
        assert await where.log.end(CHAPTERS) == 1
        assert await where.log.end("embedded.g1") == 1
        await where.log.remove(["scenes.g1"], groups)


async def _positions(where: Corner, group: str) -> dict[int, int]:
    standing = await where.log.standing(group, CHAPTERS)
    return {line.partition: line.position for line in standing if line.position}


async def test_questions_are_drawn_out_of_every_partition(kafka_url: str) -> None:
    async with corner(kafka_url, "asked.") as where:
        asked = [
            QuestionAsked(
                question_id=name, work_id=WorkId(name), question="Who?", as_of=Ordinal.parse(1)
            )
            for name in ("a", "b", "c", "d")
        ]
        records = [
            NewRecord(QUESTIONS, each.work_id.encode(), each.model_dump_json().encode())
            for each in asked
        ]
        await where.log.append(records)
        assert len({partition_of(each.work_id.encode()) for each in asked}) > 1
        found = await asked_questions(where.log, Draw(9, ""), [each.work_id for each in asked])
        assert {each.work_id for each in found} == {"a", "b", "c", "d"}
