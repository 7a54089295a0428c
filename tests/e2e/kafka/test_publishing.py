"""Publishing to a real broker: everything arrives, in order, byte for byte, whatever happens."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from contracts.errors import PermanentError
from contracts.events import chapter_event
from contracts.ports import NewRecord
from contracts.reports import PublishReport
from contracts.topics import CHAPTERS, dead_letters
from deploy.kafka_server import KafkaHome, KafkaServer
from graph.locking import AlreadyInUse
from graph.loopback import free_port
from streams.inputs.reading import read_input
from streams.inputs.values import ChapterInput, EventInput, Naming
from streams.kafka import topics
from streams.kafka.access import KafkaAccess, brokers_of
from streams.kafka.admin import create_topics
from streams.kafka.producing import record_producer
from streams.kafka.publishing import publish
from streams.kafka.topic_plan import TopicPlan, TopicShape
from streams.message_sizes import MAX_MESSAGE_BYTES, size_of
from tests.conftest import SHORT_LIVED
from tests.e2e.kafka.reading import arrived, records_of

pytestmark = pytest.mark.real

MAX_BODY_BYTES = 4_000_000
_MAIN = "from streams.cli import main; main()"
_INTERRUPTIBLE = (  # whatever runs the tests may have interrupts ignored, and children inherit that
    f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler); {_MAIN}"
)


class Sent:
    """Counts what it is told."""

    def __init__(self) -> None:
        self.events = 0

    def sent(self, size: int) -> None:
        assert size > 0
        self.events += 1


@pytest.fixture
async def access(kafka_url: str, request: pytest.FixtureRequest) -> KafkaAccess:
    access = KafkaAccess(brokers_of(kafka_url), prefix=f"{request.node.originalname}.")
    await topics.create(access, TopicShape(partitions=3))
    return access


def serial(folder: Path, texts: dict[str, str]) -> ChapterInput:
    folder.mkdir()
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    given = read_input(folder, Naming())
    assert isinstance(given, ChapterInput)
    return given


def storygraft(
    *words: str, prefix: str, given: bytes | None = None
) -> subprocess.CompletedProcess[bytes]:
    done = subprocess.run(
        [sys.executable, "-c", _MAIN, *words],
        input=given,
        capture_output=True,
        timeout=120,
        check=False,
        env=os.environ | {"STORYGRAFT_TOPIC_PREFIX": prefix},
    )
    assert b"Traceback" not in done.stderr
    return done


async def test_a_folder_arrives_under_its_works_key_in_story_order(
    access: KafkaAccess, tmp_path: Path
) -> None:
    texts = {f"{number}.txt": f"Ilse came to door {number}.\n" for number in (1, 2, 10)}
    given, sent = serial(tmp_path / "The Doors", texts), Sent()
    report = await publish(access, given, MAX_BODY_BYTES, sent)
    assert report.appended == sent.events == 4
    assert report.works == ("the-doors",)
    records = await records_of(access, CHAPTERS)
    assert {record.key for record in records} == {b"the-doors"}
    events = [chapter_event.validate_json(record.value) for record in records]
    assert events == [given.described, *given.chapters]


async def test_publishing_again_sends_the_same_again(access: KafkaAccess, tmp_path: Path) -> None:
    given = serial(tmp_path / "twice", {"1.txt": "A lamp burned.\n"})
    for _ in range(2):
        await publish(access, given, MAX_BODY_BYTES, Sent())
    values = [record.value for record in await records_of(access, CHAPTERS)]
    assert values[:2] == values[2:]


async def test_lines_arrive_byte_for_byte_whatever_they_hold(
    access: KafkaAccess, tmp_path: Path
) -> None:
    lines = [
        b'{"kind": "work.described",  "work_id": "w", "title": "\\u00e9t\xc3\xa9"}',
        b"no JSON at all \xff",
        b'{"kind": "chapter.withdrawn", "work_id": "other", "chapter_id": "1"}',
        b'{"no": "work"}',
    ]
    file = tmp_path / "events.jsonl"
    file.write_bytes(b"\n\n".join(lines))
    report = await publish(access, EventInput(file), MAX_BODY_BYTES, Sent())
    assert (report.appended, report.works) == (4, ("other", "w"))
    by_value = {record.value: record.key for record in await records_of(access, CHAPTERS)}
    assert by_value == dict(zip(lines, (b"w", None, b"other", None), strict=True))


async def test_large_chapters_arrive_and_too_large_ones_are_named(
    access: KafkaAccess, tmp_path: Path
) -> None:
    line = "A line of the sea, and another. "
    texts = {
        "1.txt": line * (3_990_000 // len(line)),
        "2.txt": line * (4_010_000 // len(line)),
        "3.txt": "Short.\n",
    }
    report = await publish(access, serial(tmp_path / "sea", texts), MAX_BODY_BYTES, Sent())
    assert report.appended == 3
    (problem,) = report.problems
    assert "sea, chapter 2: its body has 4," in problem
    assert "the limit is 4,000,000" in problem

    file = tmp_path / "events.jsonl"
    event = json.dumps({"work_id": "sea", "metadata": "x" * (17 * 1024 * 1024)})
    file.write_text(event + '\n{"work_id": "sea"}\n', "utf-8")
    report = await publish(access, EventInput(file), MAX_BODY_BYTES, Sent())
    assert report.appended == 1
    assert "events.jsonl, line 1: has 17,8" in report.problems[0]


async def test_the_largest_message_arrives_and_so_does_its_dead_letter(access: KafkaAccess) -> None:
    overhead = size_of(NewRecord(CHAPTERS, b"w", b""))
    largest = NewRecord(CHAPTERS, b"w", os.urandom(MAX_MESSAGE_BYTES - overhead))
    reasons = (("storygraft-error-message", b"x" * 32_000),)
    letter = NewRecord(dead_letters(CHAPTERS), b"w", largest.value, reasons)
    async with record_producer(access) as producer:
        await producer.send(largest)
        await producer.send(letter)
    for record in (largest, letter):
        (arrived_one,) = await records_of(access, record.topic)
        assert arrived_one.value == record.value
        assert arrived_one.headers == record.headers


async def test_a_topic_that_takes_only_small_messages_is_named_with_the_command_that_tells_more(
    kafka_url: str, tmp_path: Path
) -> None:
    access = KafkaAccess(brokers_of(kafka_url), prefix="small.")
    small = {"max.message.bytes": "1000"}
    await create_topics(access, [TopicPlan(access.topic(CHAPTERS), 1, 1, small)])
    given = serial(tmp_path / "small", {"1.txt": "A long way. " * 500})
    with pytest.raises(PermanentError, match=r"no message so large: run `storygraft topics check`"):
        await publish(access, given, MAX_BODY_BYTES, Sent())


async def test_a_missing_topic_is_named_at_once(kafka_url: str, tmp_path: Path) -> None:
    access = KafkaAccess(brokers_of(kafka_url), prefix="missing.")
    given = serial(tmp_path / "missing", {"1.txt": "A way.\n"})
    with pytest.raises(PermanentError, match=r"have no topic missing\.chapters: run `storygraft"):
        await publish(access, given, MAX_BODY_BYTES, Sent())


async def test_a_pipe_is_published_while_it_is_still_written(access: KafkaAccess) -> None:
    command = [sys.executable, "-c", _MAIN, "publish", "-", "--json"]
    process = await asyncio.create_subprocess_exec(
        *command,
        *("--to", f"kafka://{access.shown}"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=os.environ | {"STORYGRAFT_TOPIC_PREFIX": access.prefix},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b'{"work_id": "piped", "n": 1}\n')
    await process.stdin.drain()
    await arrived(access, CHAPTERS, 1)
    process.stdin.write(b'{"work_id": "piped", "n": 2}\n')
    process.stdin.close()
    report = PublishReport.model_validate_json(await process.stdout.read())
    assert await process.wait() == 0
    assert report.appended == len(await records_of(access, CHAPTERS)) == 2


async def test_an_interrupt_ends_the_wait_for_a_pipe(access: KafkaAccess) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _INTERRUPTIBLE, "publish", "-", "--to", f"kafka://{access.shown}"),
        stdin=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=os.environ | {"STORYGRAFT_TOPIC_PREFIX": access.prefix},
    )
    assert process.stdin is not None
    assert process.stderr is not None
    process.stdin.write(b'{"work_id": "interrupted"}\n')
    await process.stdin.drain()
    await arrived(access, CHAPTERS, 1)
    async with asyncio.timeout(60):
        process.send_signal(signal.SIGINT)
        assert await process.wait() == 130
        assert b"Traceback" not in await process.stderr.read()


def test_the_commands_say_in_one_sentence_what_is_wrong(tmp_path: Path) -> None:
    nowhere = f"kafka://127.0.0.1:{free_port()}"
    (tmp_path / "events.jsonl").write_text('{"work_id": "w"}\n', "utf-8")
    events = str(tmp_path / "events.jsonl")
    for words in (
        ("publish", events, "--to", nowhere),
        ("topics", "check", "--to", nowhere),
    ):
        done = storygraft(*words, prefix="")
        assert done.returncode == 4
        assert done.stderr.decode().count("\n") == 1
        assert "does not answer: start it" in done.stderr.decode()
    usage: dict[tuple[str, ...], str] = {
        ("publish", events, "--to", "kafka://"): "write kafka://HOST:PORT",
        ("publish", events, "--to", nowhere, "--republish"): "leave out --republish",
        ("publish", "-", "--to", nowhere, "--work", "w"): "leave out --work",
        ("topics", "check"): "Give --to kafka://HOST:PORT",
    }
    for wrong, said in usage.items():
        done = storygraft(*wrong, prefix="")
        assert done.returncode == 2
        assert said in done.stderr.decode()
    assert b"publish it, or name a file" in storygraft("index", "-", prefix="").stderr


def test_topics_and_publish_work_from_the_command_line(kafka_url: str, tmp_path: Path) -> None:
    (tmp_path / "events.jsonl").write_text('{"work_id": "w"}\n', "utf-8")
    prefix = "command."
    made = storygraft("topics", "create", "--to", kafka_url, prefix=prefix)
    assert made.returncode == 0
    assert b"command.scenes.g1" in made.stdout
    assert storygraft("topics", "check", "--to", kafka_url, "--json", prefix=prefix).returncode == 0
    published = storygraft(
        "publish", str(tmp_path / "events.jsonl"), "--to", kafka_url, prefix=prefix
    )
    assert published.returncode == 0
    assert b"1 events appended" in published.stdout


async def test_a_broker_killed_in_the_middle_costs_no_event_and_doubles_none(
    tmp_path: Path, kafka_jars: Path
) -> None:
    """And the broker itself comes back at its port, to its data."""
    home = tmp_path / "données of a broker"
    place = KafkaHome(home, kafka_jars, free_port(), jvm_flags=SHORT_LIVED)
    server = KafkaServer(place)
    url = server.start()
    access = KafkaAccess(brokers_of(url))
    try:
        with pytest.raises(AlreadyInUse):
            KafkaServer(place).start()
        await topics.create(access, TopicShape(partitions=2))
        async with record_producer(access) as producer:
            for number in range(3_000):
                if number == 1_000:
                    assert server.pid is not None
                    os.kill(server.pid, signal.SIGKILL)
                    assert await asyncio.to_thread(server.start) == url
                key = f"work-{number % 5}".encode()
                await producer.send(NewRecord(CHAPTERS, key, f"{number}".encode() * 50))
            await producer.settle()
            assert producer.acknowledged == 3_000
        by_key: dict[bytes | None, list[bytes]] = {}
        for record in await records_of(access, CHAPTERS):
            by_key.setdefault(record.key, []).append(record.value or b"")
        assert by_key == {
            f"work-{rest}".encode(): [f"{n}".encode() * 50 for n in range(rest, 3_000, 5)]
            for rest in range(5)
        }
    finally:
        await asyncio.to_thread(server.stop)
    assert not (home / "server.pid.json").exists()
