"""What becomes of a record: outputs, a dead letter with its reason, or a hold."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from contracts.events import ChapterEvent, ChapterWithdrawn
from contracts.frozen import Frozen
from contracts.ids import ChapterId, WorkId
from contracts.messages import ChapterSegmented, EmbeddedMessage
from contracts.ports import Record
from streams.dead_letters import FailureKind, read_back
from streams.identity import identity_of
from streams.intakes import GRAFT
from streams.runner import Held, Processed, StageRunner
from streams.stage import Arrival, BatchLimits, Stage, each_with_position
from tests.unit.streams.stand_ins import (
    NOW_MS,
    StandInTree,
    as_record,
    embed,
    now_ms,
    path_to,
    published,
    segment,
)

SECRET = "Nobody may log this sentence"


def at(offset: int, value: bytes | None, key: bytes | None = b"w") -> Record:
    return Record("chapters", offset, key, value, (), 0)


def event(offset: int, chapter: str, body: str = "It rained.") -> Record:
    return at(offset, published(chapter, body).to_json())


async def process(records: Sequence[Record], tree: StandInTree | None = None) -> Processed | Held:
    stage = path_to(tree or StandInTree())[2 if tree else 0]
    return await StageRunner(stage, now_ms).process(records)


async def embedded(chapters: Sequence[str], work: str = "w") -> list[Record]:
    values = []
    for n, chapter in enumerate(chapters):
        message = await embed(await segment(published(chapter, SECRET, work), n))
        values.append(message.to_json())
    return [Record("embedded.g1", n, work.encode(), v, (), 0) for n, v in enumerate(values)]


async def test_a_good_record_goes_to_the_sink_under_its_key() -> None:
    result = await process([event(7, "1")])
    assert isinstance(result, Processed)
    (out,) = result.records
    assert (out.topic, out.key) == ("scenes.g1", b"w")
    assert json.loads(out.value or b"")["head"]["position"] == 7


async def test_a_retried_dead_letter_keeps_its_first_position() -> None:
    record = Record(
        "chapters", 90, b"w", published("1").to_json(), (("storygraft-position", b"3"),), 0
    )
    result = await process([record])
    assert isinstance(result, Processed)
    assert json.loads(result.records[0].value or b"")["head"]["position"] == 3


_START = b'{"kind": "chapter.published", "work_id": "w", "chapter_id": "1", "ordinal": 1, '
UNFIT = [
    (None, b"w", FailureKind.UNREADABLE, "no value"),
    (b"\xff\xfe", b"w", FailureKind.UNREADABLE, "byte 0 of the value is not UTF-8"),
    (b"", b"w", FailureKind.UNREADABLE, "JSON"),
    (b"[1, 2]", b"w", FailureKind.UNREADABLE, "object"),
    (b"[" * 9_999, b"w", FailureKind.UNREADABLE, "recursion"),
    (b'{"kind": "chapter.exploded", "work_id": "w"}', b"w", FailureKind.UNREADABLE, "exploded"),
    (b'{"work_id": "w"}', b"w", FailureKind.UNREADABLE, "kind"),
    (
        b'{"kind": "work.withdrawn", "work_id": "w", "schema_version": 2}',
        b"w",
        FailureKind.UNREADABLE,
        "knows version 1 only",
    ),
    (
        _START + b'"body": "a \\ud800 b"}',
        b"w",
        FailureKind.UNREADABLE,
        "half a character",
    ),
    (
        _START + b'"body": " \\u200b "}',
        b"w",
        FailureKind.UNREADABLE,
        "the body is empty",
    ),
    (b'{"kind": "work.withdrawn", "work_id": "w"}', None, FailureKind.WRONG_KEY, "no key"),
    (b'{"kind": "work.withdrawn", "work_id": "w"}', b"x", FailureKind.WRONG_KEY, "'x'"),
]


@pytest.mark.parametrize(("value", "key", "kind", "says"), UNFIT)
async def test_what_is_no_event_is_dead_lettered_unchanged(
    value: bytes | None, key: bytes | None, kind: FailureKind, says: str
) -> None:
    result = await process([at(5, value, key), event(6, "2")])
    assert isinstance(result, Processed)
    assert len(result.steps) == 1
    (dead,) = result.records
    assert (dead.topic, dead.key, dead.value) == ("chapters.dlq", key, value)
    letter = read_back(Record(dead.topic, 0, dead.key, dead.value, dead.headers, 0))
    assert letter.failure.kind is kind
    assert says in letter.failure.reason
    place = -1 if kind is FailureKind.WRONG_KEY else 5  # under a wrong key it has none
    assert (letter.source, letter.offset, letter.position) == ("chapters", 5, place)
    assert (letter.stage, letter.time_ms) == ("segment", NOW_MS)


async def test_a_dead_letter_tells_whose_it_is_even_when_it_does_not_decode() -> None:
    broken = (
        b'{"kind":"chapter.published","work_id":"w","chapter_id":"c\xff",'
        b'"ordinal":"6.50","revision":4,"body":"x"}'
    )
    result = await process([at(0, broken)])
    assert isinstance(result, Processed)
    dead = result.records[0]
    found = read_back(Record(dead.topic, 0, dead.key, dead.value, dead.headers, 0)).identity
    assert (found.work_id, found.chapter_id, str(found.ordinal)) == ("w", "c\ufffd", "6.5")
    assert (found.revision, found.kind) == (4, "chapter.published")


async def test_a_reason_never_quotes_the_text() -> None:
    value = json.dumps(
        {"kind": "chapter.published", "work_id": "w", "chapter_id": 7, "body": [SECRET]}
    )
    with capture_logs() as logs:
        result = await process([at(0, value.encode())])
    assert isinstance(result, Processed)
    assert SECRET not in repr(result.records[0].headers)
    assert SECRET not in repr(logs)
    assert [entry["event"] for entry in logs] == ["message_dead_lettered"]


async def test_a_permanent_error_is_a_dead_letter_with_the_events_identity() -> None:
    result = await process([event(3, "5", "poison")])
    assert isinstance(result, Processed)
    dead = result.records[0]
    letter = read_back(Record(dead.topic, 0, dead.key, dead.value, dead.headers, 0))
    assert letter.failure.kind is FailureKind.UNFIT
    assert letter.failure.reason == "this chapter cannot be read"
    assert (letter.identity.chapter_id, str(letter.identity.ordinal)) == ("5", "5")


async def test_a_batch_is_of_consecutive_records_of_one_key() -> None:
    tree = StandInTree()
    records = [*await embedded(["1", "2"]), *await embedded(["1"], "v"), *await embedded(["3"])]
    result = await process(records, tree)
    assert isinstance(result, Processed)
    assert len(result.steps) == 2
    assert tree.batches == [2]
    assert tree.works == [{"w"}]


async def test_a_stage_that_takes_works_mixed_sends_each_message_under_its_own_key() -> None:
    async def pass_on(arrivals: Sequence[Arrival[EmbeddedMessage]]) -> Sequence[Frozen]:
        return sorted(
            (arrival.message for arrival in arrivals),
            key=lambda message: identity_of(message).work_id or "",
        )

    stage = Stage(GRAFT, pass_on, "sink", BatchLimits(messages=3, mixed=True))
    records = [*await embedded(["1"]), *await embedded(["1"], "v"), *await embedded(["2", "3"])]
    result = await StageRunner(stage, now_ms).process(records)
    assert isinstance(result, Processed)
    assert len(result.steps) == 3
    assert [record.key for record in result.records] == [b"v", b"w", b"w"]


async def test_a_batch_ends_before_an_unfit_record() -> None:
    tree = StandInTree()
    records = [*await embedded(["1", "2"]), at(2, b"?"), *await embedded(["3"])]
    result = await process(records, tree)
    assert isinstance(result, Processed)
    assert tree.batches == [2]


async def test_of_a_batch_that_fails_only_the_poison_is_lost() -> None:
    tree = StandInTree(refuses="2")
    result = await process(await embedded(["1", "2", "3"]), tree)
    assert isinstance(result, Processed)
    assert sorted(tree.chapters) == [("w", "1"), ("w", "3")]
    assert [record.topic for record in result.records] == [
        "grafts.g1",
        "embedded.g1.dlq",
        "grafts.g1",
    ]


async def test_what_waiting_may_mend_is_held() -> None:
    tree = StandInTree(down=True)
    with capture_logs() as logs:
        result = await process(await embedded(["1"]), tree)
    assert isinstance(result, Held)
    assert result.reason == "the graph is down"
    assert [entry["event"] for entry in logs] == ["message_held"]


async def test_a_bug_costs_one_chapter_and_its_text_stays_out_of_the_log() -> None:
    tree = StandInTree(refuses="2", bug=True)
    with capture_logs() as logs:
        result = await process(await embedded(["1", "2", "3"]), tree)
    assert isinstance(result, Processed)
    assert [step.failure is None for step in result.steps] == [True, False, True]
    failure = result.steps[1].failure
    assert failure is not None
    assert failure.kind is FailureKind.UNEXPECTED
    assert failure.reason.startswith("KeyError in tests.unit.streams.stand_ins.graft, line ")
    assert "secret" not in repr(logs)


async def test_an_event_without_text_passes() -> None:
    withdrawn = ChapterWithdrawn(work_id=WorkId("w"), chapter_id=ChapterId("1"))
    sent = as_record(withdrawn)
    result = await process([Record(sent.topic, 4, sent.key, sent.value, (), 0)])
    assert isinstance(result, Processed)
    passed = json.loads(result.records[0].value or b"")
    assert (passed["kind"], passed["position"]) == ("event.passed", 4)


async def test_what_no_topic_takes_is_a_dead_letter_that_says_so() -> None:
    async def thrice(event: ChapterEvent, position: int) -> Frozen:
        made = await segment(event, position)
        assert isinstance(made, ChapterSegmented)
        return made.model_copy(update={"text": made.text * 3})

    stage = replace(path_to(StandInTree())[0], handler=each_with_position(thrice))
    large = event(3, "1", SECRET * (6_000_000 // len(SECRET)))
    result = await StageRunner(stage, now_ms).process([large, event(4, "2")])
    assert isinstance(result, Processed)
    (letter,) = result.records
    assert (letter.topic, letter.key, letter.value) == ("chapters.dlq", large.key, large.value)
    (step,) = result.steps
    assert step.failure is not None
    assert step.failure.kind is FailureKind.UNFIT
    assert "a topic takes 16,777,216 at most: publish it as several" in step.failure.reason
    assert SECRET not in step.failure.reason
