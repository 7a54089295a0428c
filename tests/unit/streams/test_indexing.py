"""Indexing an input twice does no work, and one bad chapter costs one chapter."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from contracts.ports import NewRecord
from contracts.reports import IndexReport
from graph.exporting import export
from replay.evaluation.shared_data import shared_data
from streams import operating
from streams.doctor import checking
from streams.indexing import index
from streams.inputs.values import EventInput, UnusableInput
from streams.not_found import NotFound
from streams.operations import NOBODY
from streams.session import Home
from streams.wiring import open_home
from tests.unit.streams.homes import IN_MEMORY, at, story
from tests.unit.streams.stand_ins import published

ONE = published("1", "Ilse came down to the sea. Marrow was waiting for her there.")
TWO = published("2", "Marrow kept the key. Ilse asked him for it twice.")
THREE = published("3", "The key was gone. Nobody had seen Marrow since noon.")
IMAGE = published("4", "<img src='x.png'>", format="html")


@pytest.fixture
async def home() -> AsyncIterator[Home]:
    async with open_home(IN_MEMORY) as opened:
        yield opened


def counts(report: IndexReport) -> tuple[int, ...]:
    return (report.new, report.changed, report.moved, report.unchanged, report.missing)


async def test_a_second_time_does_no_work(home: Home) -> None:
    assert counts(await index(home, story(ONE, TWO), NOBODY)) == (2, 0, 0, 0, 0)
    end = await home.log.end("chapters")
    assert counts(await index(home, story(ONE, TWO), NOBODY)) == (0, 0, 0, 2, 0)
    assert await home.log.end("chapters") == end == 3  # the work's name, and two chapters


async def test_only_news_is_published(home: Home) -> None:
    await index(home, story(ONE, TWO), NOBODY)
    edited = published("1", "Ilse never came down to the sea.")
    assert counts(await index(home, story(edited, TWO, THREE), NOBODY)) == (1, 1, 0, 1, 0)
    moved = published("3", THREE.body, ordinal="5")
    assert counts(await index(home, story(moved), NOBODY)) == (0, 0, 1, 0, 2)
    view = await home.view("w", None)
    assert view.as_of == at(5)
    assert [str(each.ordinal) for each in (await export(view, with_text=False)).chapters] == [
        "1",
        "2",
        "5",
    ]


async def test_what_is_unfit_is_told_once_and_not_sent_again(home: Home) -> None:
    first = await index(home, story(ONE, IMAGE), NOBODY)
    assert [letter.chapter_id for letter in first.dead_letters] == ["4"]
    second = await index(home, story(ONE, IMAGE), NOBODY)
    assert (second.refused, second.new, second.dead_letters) == (1, 0, ())
    (status,) = (await operating.status(home, "w")).works
    assert [(gap.chapter_id, str(gap.ordinal)) for gap in status.gaps] == [("4", "4")]
    assert await home.gaps.as_of(await home.view("w", at(3))) == ()


async def test_a_body_above_the_limit_is_dead_and_the_rest_goes_on() -> None:
    settings = IN_MEMORY.model_copy(update={"max_body_bytes": 1_000})
    long = published("2", "It rained on. " * 100)
    async with open_home(settings) as home:
        report = await index(home, story(ONE, long, THREE), NOBODY)
        assert [letter.chapter_id for letter in report.dead_letters] == ["2"]
        assert "1,400 bytes, the limit is 1,000" in report.dead_letters[0].reason
        assert len(await (await home.view("w", None)).chapters()) == 2


async def test_an_event_file_is_known_again_and_a_longer_one_adds_the_rest(
    home: Home, tmp_path: Path
) -> None:
    path = tmp_path / "events.jsonl"
    lines = [ONE.to_json(), b"rubbish", TWO.to_json()]
    path.write_bytes(b"\n".join(lines))
    first = await index(home, EventInput(path), NOBODY)
    assert (first.works, first.new, first.unchanged) == (("w",), 3, 0)
    assert [letter.kind for letter in first.dead_letters] == ["unreadable"]
    path.write_bytes(b"\n\n".join([*lines, THREE.to_json()]))
    second = await index(home, EventInput(path), NOBODY)
    assert (second.new, second.unchanged, second.dead_letters) == (1, 3, ())
    assert len(await (await home.view("w", None)).chapters()) == 3


async def test_an_event_file_that_cannot_be_read(home: Home, tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match="cannot be read"):
        await index(home, EventInput(tmp_path), NOBODY)


async def test_the_lifecycle_ends_as_it_says(home: Home) -> None:
    path = shared_data("input_shapes", "fixtures", "events_lifecycle.jsonl")
    report = await index(home, EventInput(path), NOBODY)
    assert report.new == 29
    assert [letter.chapter_id for letter in report.dead_letters] == ["c8"]
    (work,) = (await operating.status(home)).works
    assert (work.chapters, str(work.indexed_to), work.gaps) == (1, "1", ())


async def test_the_lifecycle_half_way(home: Home, tmp_path: Path) -> None:
    whole = shared_data("input_shapes", "fixtures", "events_lifecycle.jsonl").read_bytes()
    lines = whole.splitlines()
    path = tmp_path / "events.jsonl"
    path.write_bytes(b"\n".join(lines[:19]))  # up to the tie of c4 and c4b
    await index(home, EventInput(path), NOBODY)
    status = await operating.status(home, "salt-stair")
    (work,) = status.works
    assert [tie.chapter_ids for tie in work.ties] == [("c4", "c4b")]
    assert [(gap.chapter_id, str(gap.ordinal)) for gap in work.gaps] == [("c8", "8")]
    assert all(lag.waiting == 0 for lag in status.lag)
    found = await checking.check(home, "salt-stair")
    assert [each.findings for each in found.works] == [()]


async def test_questions_are_answered_from_their_topic(home: Home) -> None:
    await index(home, story(ONE, TWO), NOBODY)
    asked = {
        "kind": "question.asked",
        "question_id": "q1",
        "work_id": "w",
        "question": "Who kept the key?",
        "as_of": "2",
    }
    await home.log.append(
        [
            NewRecord("questions", b"w", json.dumps(asked).encode()),
            NewRecord("questions", b"v", json.dumps({**asked, "work_id": "v"}).encode()),
            NewRecord("questions", b"w", json.dumps({**asked, "as_of": None}).encode()),
        ]
    )
    await home.runner().run_until_idle()
    answers = await home.log.read("answers", 0, 9, 10**6)
    known, unknown = [json.loads(record.value or b"") for record in answers]
    assert (known["question_id"], known["answer"]["as_of"]) == ("q1", "2")
    assert (unknown["answer"]["abstained"], unknown["answer"]["indexed_to"]) == (True, None)
    assert await home.log.end("questions.dlq") == 1


async def test_an_unknown_work_is_told_from_one_of_a_like_name(home: Home) -> None:
    with pytest.raises(NotFound, match="Nothing is indexed"):
        await home.view("w", None)
    await index(home, story(ONE), NOBODY)
    with pytest.raises(NotFound, match="there is w"):
        await home.view("salt-stair", None)
    await index(home, story(published("1", work="salt-stair"), work="salt-stair"), NOBODY)
    with pytest.raises(NotFound, match="did you mean salt-stair"):
        await home.view("salt-stairs", None)
    with pytest.raises(NotFound):
        await operating.status(home, "nobody")
    with pytest.raises(NotFound):
        await checking.check(home, "nobody")


async def test_a_work_that_only_waits_is_said_to_wait(home: Home) -> None:
    await home.log.append([NewRecord("chapters", b"w", ONE.to_json())])
    with pytest.raises(NotFound, match="chapters wait in the log"):
        await home.view("w", None)
