"""On a real broker: what is unfit goes to the dead-letter topic as it came; the rest goes on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from aiokafka import AIOKafkaProducer

from contracts.events import ChapterEvent, WorkDescribed
from contracts.frozen import Frozen
from contracts.ids import WorkId
from contracts.messages import ChapterSegmented
from contracts.ports import NewRecord
from contracts.topics import CHAPTERS
from streams.dead_letters import POSITION, FailureKind, read_back
from streams.kafka.arguments import client_arguments
from streams.stage import each_with_position
from tests.e2e.kafka.cluster import corner, home_in, partition_of, until, working
from tests.unit.streams.stand_ins import StandInTree, as_record, path_to, published, segment

pytestmark = pytest.mark.real

WORKS = ("w0", "w1")
LIMIT = 4_000_000


def chapter(**changes: object) -> bytes:
    return json.dumps(json.loads(published("99").to_json()) | changes).encode()


KEY = b"w0"
OF_W0 = {"work_id": "w0"}
POISON = {
    "bad JSON": (KEY, b'{"kind": "chapter.published", ', FailureKind.UNREADABLE),
    "wrong schema": (KEY, chapter(**OF_W0, ordinal=["1"]), FailureKind.UNREADABLE),
    "unknown kind": (KEY, chapter(**OF_W0, kind="chapter.sung"), FailureKind.UNREADABLE),
    "null value": (KEY, None, FailureKind.UNREADABLE),
    "null key": (None, chapter(**OF_W0), FailureKind.WRONG_KEY),
    "key of another work": (KEY, chapter(work_id="w1"), FailureKind.WRONG_KEY),
    "empty body": (KEY, chapter(**OF_W0, body=" \n"), FailureKind.UNREADABLE),
    "body over the limit": (KEY, chapter(**OF_W0, body="a " * LIMIT), FailureKind.UNFIT),
    "invalid UTF-8": (KEY, chapter(**OF_W0)[:-2] + b'\xff"}', FailureKind.UNREADABLE),
    "future schema": (KEY, chapter(**OF_W0, schema_version=2), FailureKind.UNREADABLE),
}


async def test_ten_kinds_of_poison(kafka_url: str, tmp_path: Path) -> None:
    async with corner(kafka_url, "poison.") as where, home_in(where, tmp_path) as home:
        records: list[NewRecord] = []
        for n, (key, value, _) in enumerate(POISON.values()):
            body = f"It rained {n} times."
            records += [as_record(published(str(n), body, work)) for work in WORKS]
            records.append(NewRecord(CHAPTERS, key, value, (("theirs", b"kept"),)))
        async with working(where, home.stages, tmp_path / "worker"):
            await where.put(*records)

            async def all_done() -> bool:
                return await where.done("graft.g1", "embedded.g1") == len(POISON) * len(WORKS)

            await until(all_done)
            letters = await where.letters("chapters.dlq")
        by_value = {letter.value: letter for letter in letters}
        assert len(letters) == len(by_value) == len(POISON), "each once"
        for name, (key, value, kind) in POISON.items():
            letter = by_value[value]
            assert letter.key == key, name
            told = dict(letter.headers)
            assert read_back(letter).failure.kind is kind, name
            assert read_back(letter).failure.reason, name
            assert told["storygraft-source-topic"] == b"chapters", name
            assert told["storygraft-stage"] == b"segment", name
            if kind is not FailureKind.WRONG_KEY:
                assert told[POSITION] == told["storygraft-source-offset"], name
            if key is not None:
                partition = str(partition_of(key)).encode()
                assert told["storygraft-source-partition"] == partition, name
        for work in WORKS:
            record = await home.tree.load(WorkId(work))
            assert record is not None
            assert len(record.live_chapters()) == len(POISON)
        assert await where.letters("scenes.g1.dlq") == await where.letters("embedded.g1.dlq") == ()


async def test_an_event_that_is_sent_again_comes_in_at_its_first_position(
    kafka_url: str, tmp_path: Path
) -> None:
    """Its text is older than the edit that came in meanwhile."""
    async with corner(kafka_url, "again.") as where, home_in(where, tmp_path) as home:
        async with working(where, home.stages, tmp_path / "worker"):
            await where.tell(
                WorkDescribed(work_id=WorkId("w0"), title="Weather"),
                published("1", "It snowed.", "w0"),
            )
            old = published("1", "It rained.", "w0").to_json()
            await where.put(NewRecord(CHAPTERS, b"w0", old, ((POSITION, b"0"),)))

            async def grafted() -> bool:
                return await where.done("graft.g1", "embedded.g1") == 3

            await until(grafted)
        view = await home.view("w0", None)
        texts = await view.texts([each.chapter_id for each in await view.chapters()])
        assert list(texts.values()) == ["It snowed."]


async def test_what_is_too_large_for_a_topic_holds_nothing(kafka_url: str, tmp_path: Path) -> None:
    """A chapter whose scenes no topic takes, and one that its producer had packed."""

    async def thrice(event: ChapterEvent, position: int) -> Frozen:
        made = await segment(event, position)
        if not isinstance(made, ChapterSegmented) or len(made.text) < LIMIT:
            return made
        return made.model_copy(update={"text": made.text * 3})

    tree = StandInTree()
    first, *rest = path_to(tree)
    stages = [replace(first, handler=each_with_position(thrice)), *rest]
    grows = as_record(published("1", "x" * 6_000_000, "w0"))
    packed = b'{"kind": "no such kind", "body": "%s"}' % (b" " * 20_000_000)
    async with corner(kafka_url, "large.") as where:
        producer = AIOKafkaProducer(
            **client_arguments(where.access), compression_type="gzip", max_request_size=2**25
        )
        await producer.start()
        await producer.send_and_wait(where.access.topic(CHAPTERS), packed, b"w0")
        await producer.stop()
        await where.put(grows, as_record(published("2", work="w0")))
        async with working(where, stages, tmp_path / "worker"):

            async def grafted() -> bool:
                return await where.done("graft.g1", "embedded.g1") == 1

            await until(grafted)
        by_offset = {read_back(each).offset: each for each in await where.letters("chapters.dlq")}
    assert set(tree.chapters) == {("w0", "2")}
    assert set(by_offset) == {0, 1}
    assert by_offset[0].value is None
    assert "are not copied here" in read_back(by_offset[0]).failure.reason
    assert by_offset[1].value == grows.value
    assert "publish it as several chapters" in read_back(by_offset[1]).failure.reason
