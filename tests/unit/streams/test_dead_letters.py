"""A dead letter comes back as it was written; one that somebody else wrote breaks nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from contracts.events import WorkReordered
from contracts.ids import FIRST_GENERATION
from contracts.messages import EventPassed
from contracts.ordinals import Ordinal
from contracts.ports import NewRecord, Record
from streams.dead_letters import (
    Failure,
    FailureKind,
    dead_letter,
    everyone,
    of_work,
    position_of,
    read_back,
)
from streams.identity import NOBODY, Identity, guessed, identity_of
from streams.message_sizes import MAX_MESSAGE_BYTES, ROOM_FOR_HEADERS, size_of
from tests.unit.streams.stand_ins import opened_log, published, segment

FAILURE = Failure(FailureKind.UNFIT, "zu groß")
IDENTITY = Identity("w", "第一章", Ordinal.parse("6.5"), 3, "chapter.published")


def returned(letter: NewRecord) -> Record:
    return Record(letter.topic, 0, letter.key, letter.value, letter.headers, 5)


def test_it_comes_back_whole() -> None:
    record = Record("scenes.g1", 12, b"w", b"\x00\xff", (("theirs", b"1"),), 0)
    letter = dead_letter(record, "embed", FAILURE, IDENTITY, 7, now_ms=99)
    assert (letter.topic, letter.key, letter.value) == ("scenes.g1.dlq", b"w", b"\x00\xff")
    found = read_back(returned(letter))
    assert (found.source, found.offset, found.position) == ("scenes.g1", 12, 7)
    assert (found.stage, found.failure, found.time_ms) == ("embed", FAILURE, 99)
    assert found.identity == IDENTITY


def test_the_largest_record_has_room_in_a_dead_letter() -> None:
    long = 500 * "第"
    identity = replace(IDENTITY, work_id=long, chapter_id=long)
    failure = Failure(FailureKind.UNFIT, "第" * 1_000)
    value = b"x" * (MAX_MESSAGE_BYTES - size_of(NewRecord("t", long.encode(), b"")))
    letter = dead_letter(Record("t", 1, long.encode(), value, (), 0), "s", failure, identity, 1, 1)
    assert letter.value == value
    assert size_of(letter) < MAX_MESSAGE_BYTES + ROOM_FOR_HEADERS // 2


def test_what_is_too_large_to_be_copied_is_told_of_and_stays_where_it_lies() -> None:
    record = Record("chapters", 12, b"w", bytes(17 * 1024 * 1024), (), 0, partition=3)
    letter = dead_letter(record, "segment", FAILURE, IDENTITY, 12, now_ms=99)
    assert (letter.key, letter.value) == (b"w", None)
    found = read_back(returned(letter))
    assert (found.source, found.offset, found.identity) == ("chapters", 12, IDENTITY)
    assert "its 17,825,792 bytes are not copied here" in found.failure.reason


def test_what_somebody_else_wrote_has_empty_fields() -> None:
    headers = (("storygraft-source-offset", b"x"), ("storygraft-error-kind", b"?"), ("a", b"\xff"))
    found = read_back(Record("chapters.dlq", 0, None, None, headers, 5))
    assert (found.offset, found.position, found.time_ms) == (-1, -1, 5)
    assert found.failure == Failure(FailureKind.UNFIT, "")
    assert found.identity == NOBODY


def test_a_position_is_the_headers_or_the_records_own() -> None:
    assert position_of(Record("chapters", 9, None, None, (), 0)) == 9
    told = (("storygraft-position", b"4"),)
    assert position_of(Record("chapters", 9, None, None, told, 0)) == 4
    broken = (("storygraft-position", b"-4"),)
    assert position_of(Record("chapters", 9, None, None, broken, 0)) == 9


async def test_they_are_found_by_work_and_all_together(tmp_path: Path) -> None:
    async with opened_log(tmp_path) as log:
        for topic, key in (("chapters", b"w"), ("embedded.g1", b"w"), ("chapters", None)):
            record = Record(topic, 0, key, b"x", (), 0)
            await log.append([dead_letter(record, "s", FAILURE, NOBODY, 0, 0)])
        asked = Record("questions", 0, b"w", b"x", (), 0)
        await log.append([dead_letter(asked, "answer", FAILURE, NOBODY, 0, 0)])
        assert [letter.source for letter in await of_work(log, "w", FIRST_GENERATION)] == [
            "chapters",
            "embedded.g1",
        ]
        assert len(await everyone(log, FIRST_GENERATION)) == 4


async def test_identities_of_messages() -> None:
    segmented = await segment(published("5", revision=2), 40)
    assert identity_of(segmented) == Identity(
        "w", "5", Ordinal.parse(5), 2, "chapter.published", 40
    )
    reordered = WorkReordered.model_validate(
        {"work_id": "w", "chapters": [{"chapter_id": "a", "ordinal": 1}]}
    )
    passed = identity_of(EventPassed(position=8, event=reordered))
    assert (passed.kind, passed.chapter_id, passed.position) == ("work.reordered", None, 8)
    assert identity_of("something else") == NOBODY


def test_guesses_take_nothing_for_what_it_is_not() -> None:
    assert guessed(None) == NOBODY
    assert guessed(b"[1]") == NOBODY
    assert guessed(b'{"work_id": 7, "chapter_id": "", "ordinal": -1, "revision": true}') == NOBODY
    assert guessed(b'{"work_id": "\\ud800"}').work_id == "?"
    assert guessed(b'{"chapter_id": "' + b"x" * 900 + b'"}') == NOBODY


def test_the_key_names_the_work_where_the_value_does_not() -> None:
    assert guessed(None, b"w") == Identity(work_id="w")
    assert guessed(b'{"chapter_id": "a"}', b"w") == Identity(work_id="w", chapter_id="a")
    assert guessed(b'{"work_id": "v"}', b"w").work_id == "v"
    assert guessed(None, b"\xff") == NOBODY
