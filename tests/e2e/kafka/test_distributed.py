"""Everything on real servers and in real processes: published, indexed, asked over topics."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from contracts.answers import AnswerGiven
from contracts.events import (
    ChapterEvent,
    ChapterMoved,
    ChapterWithdrawn,
    QuestionAsked,
)
from contracts.ids import WorkId
from contracts.ordinals import Ordinal
from contracts.ports import NewRecord
from contracts.topics import ANSWERS, QUESTIONS
from streams.cli.application import app
from streams.demo_story import read_story
from streams.parking import ParkingLot
from streams.purge.purging import purge
from streams.settings import Settings, load_settings
from streams.wiring import opened
from tests.conftest import BoltServer
from tests.e2e.homes import exported, in_memory, publish
from tests.e2e.kafka.cluster import Corner, corner, until
from tests.e2e.kafka.processes import storygraft, told_by_environment, worker

pytestmark = [pytest.mark.real, pytest.mark.timeout(400)]

WORKS = tuple(WorkId(f"kafka-{n}") for n in range(3))


def lives() -> list[ChapterEvent]:
    """Each work's chapters, the last of them early, then an edit, a move and a withdrawal."""
    told: list[ChapterEvent] = []
    chapters = read_story().given.chapters[:5]
    for chapter in (chapters[4], *chapters[:4]):
        told += [chapter.model_copy(update={"work_id": work}) for work in WORKS]
    for work in WORKS[:2]:
        first, second, third = (chapter.chapter_id for chapter in chapters[:3])
        edited = chapters[0].model_copy(update={"body": chapters[0].body[:1_500], "work_id": work})
        told += [
            edited,
            ChapterMoved(work_id=work, chapter_id=third, ordinal=Ordinal.parse("2.5")),
            ChapterWithdrawn(work_id=work, chapter_id=second),
        ]
        assert first == edited.chapter_id
    return told


async def told_in_process(events: Sequence[ChapterEvent], folder: Path) -> dict[WorkId, bytes]:
    async with opened(in_memory(folder)) as home:
        await publish(home, events)
        return {work: await exported(home, work) for work in WORKS}


async def told_by_workers(settings: Settings) -> dict[WorkId, bytes]:
    async with opened(settings) as home:
        return {work: await exported(home, work) for work in WORKS}


async def grafted(where: Corner, events: int) -> bool:
    return await where.done("graft.g1", "embedded.g1") >= events


async def ask(where: Corner, *questions: QuestionAsked) -> dict[str, AnswerGiven]:
    for question in questions:
        value = question.model_dump_json().encode()
        await where.put(NewRecord(QUESTIONS, question.work_id.encode(), value))
    found: dict[str, AnswerGiven] = {}

    async def answered() -> bool:
        for work in {question.work_id for question in questions}:
            for record in await where.log.read_key(ANSWERS, work.encode()):
                given = AnswerGiven.model_validate_json(record.value or b"")
                found[given.question_id] = given
        return len(found) == len(questions)

    await until(answered)
    return found


async def test_published_indexed_and_asked_with_two_workers_and_a_rebalance(
    kafka_url: str, neo4j_bolt: BoltServer, milvus_uri: str, tmp_path: Path
) -> None:
    settings: dict[str, Any] = {
        "home": str(tmp_path / "home"),
        "log": kafka_url,
        "graph": neo4j_bolt.uri,
        "memo": neo4j_bolt.uri,
        "vectors": milvus_uri,
        "topic_prefix": "two.",
    }
    events = lives()
    expected = asyncio.create_task(told_in_process(events, tmp_path / "calm"))
    async with corner(kafka_url, "two.") as where:
        with (
            worker(settings, tmp_path / "a.log") as first,
            worker(settings, tmp_path / "b.log") as second,
        ):
            await until(lambda: first.ready and second.ready)
            await where.tell(*events[:3])
            await until(lambda: grafted(where, 3))
            lot = ParkingLot(where.log)
            await lot.pause(WORKS[0])
            await asyncio.sleep(1)  # within half of it every worker knows
            await where.tell(*events[3:])
            code = await asyncio.to_thread(first.end)  # and the other gets its partitions
            assert code == 0, first.said
            waiting = sum(event.work_id == WORKS[0] for event in events[3:])
            await until(lambda: grafted(where, len(events) - waiting))
            await lot.refresh()
            assert [(work.work_id, len(work.waits)) for work in lot.aside()] == [
                (WORKS[0], waiting)
            ]
            await lot.resume(WORKS[0])
            await until(lambda: grafted(where, len(events)))
            question = read_story().first("fact")
            asked = QuestionAsked(
                question_id="fact",
                work_id=WORKS[2],
                question=question.question,
                as_of=Ordinal.parse("5"),
                deadline=datetime.now(UTC) + timedelta(minutes=5),
            )
            late = asked.model_copy(update={"question_id": "late", "deadline": _YESTERDAY})
            early = asked.model_copy(update={"question_id": "early", "as_of": Ordinal(0)})
            answers = await ask(where, asked, late, early)
            assert await asyncio.to_thread(second.end) == 0, second.said
        assert await told_by_workers(load_settings(**settings)) == await expected
        assert await where.letters("chapters.dlq") == ()
    report = await purge(load_settings(**settings), WORKS[0])
    assert [told.split(" ")[1] for told in report.remains] == ["graph", "Milvus", "takes", "that"]
    assert (report.rows, [each.chapter_id for each in report.chapters]) == (
        0,
        [read_story().given.chapters[1].chapter_id],
    )
    assert await told_by_workers(load_settings(**settings)) == await expected
    assert not answers["fact"].answer.abstained
    assert answers["fact"].answer.as_of == Ordinal.parse("5")
    assert answers["fact"].answer.gaps == ()
    assert answers["late"].expired
    assert answers["early"].answer.abstained
    assert not answers["early"].expired
    told = await asyncio.to_thread(storygraft, settings, "status", "--json")
    status = json.loads(told.stdout)
    assert status["paused"] == []
    assert {line["waiting"] for line in status["lag"]} == {0}


_YESTERDAY = datetime.now(UTC) - timedelta(days=1)


@pytest.mark.parametrize(
    ("changes", "says", "code"),
    [
        ({"log": "kafka://127.0.0.1:1"}, "The Kafka broker 127.0.0.1:1 does not answer", 4),
        ({"topic_prefix": "never."}, "run `storygraft topics create`", 6),
        ({"graph": "bolt://127.0.0.1:1"}, "the graph server is out of reach", 4),
        ({"log": "sqlite:"}, "Which Kafka?", 2),
    ],
    ids=["no broker", "no topics", "no graph", "no kafka"],
)
def test_a_worker_that_cannot_start_says_why_in_a_sentence(
    kafka_url: str, tmp_path: Path, changes: dict[str, str], says: str, code: int
) -> None:
    settings = {
        "home": str(tmp_path),
        "log": kafka_url,
        "graph": "memory:",
        "memo": "memory:",
        "vectors": "memory:",
    } | changes
    done = CliRunner().invoke(app, ["worker"], env=told_by_environment(settings))
    assert done.exit_code == code, done.stderr
    told = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert len(told) == 1
    assert says in told[0]
