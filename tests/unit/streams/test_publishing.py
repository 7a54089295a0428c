"""Publishing says in the log what the log does not say yet, and nothing twice."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from contracts.events import ChapterEvent, ChapterMoved, WorkWithdrawn, chapter_event
from contracts.ids import ChapterId, WorkId
from contracts.ports import EventLog, NewRecord
from contracts.reports import PublishReport
from contracts.topics import CHAPTERS
from streams.indexing import index
from streams.inputs.values import EventInput, Problem, UnusableInput
from streams.logs import batches
from streams.logs.sqlite_log import SqliteEventLog
from streams.operations import NOBODY
from streams.publishing import publish, record_of, withdraw
from streams.wiring import open_home
from tests.unit.streams.homes import IN_MEMORY, story
from tests.unit.streams.stand_ins import published

ONE = published("1", "Ilse came down to the sea. Marrow was waiting for her there.")
TWO = published("2", "Marrow kept the key. Ilse asked him for it twice.")
THREE = published("3", "The key was gone. Nobody had seen Marrow since noon.")
WORK = WorkId("w")


@pytest.fixture
async def log() -> AsyncIterator[EventLog]:
    log = SqliteEventLog(Path(":memory:"))
    yield log
    await log.close()


def counts(report: PublishReport) -> tuple[int, ...]:
    return (report.appended, report.new, report.changed, report.moved, report.unchanged)


async def events(log: EventLog) -> list[ChapterEvent]:
    records = await log.read(CHAPTERS, 0, 1_000_000, 1_000_000_000)
    assert all(record.key == b"w" for record in records)
    return [chapter_event.validate_json(record.value or b"") for record in records]


async def test_the_work_is_described_and_its_chapters_follow(log: EventLog) -> None:
    given = story(TWO, ONE)
    assert counts(await publish(log, given)) == (3, 2, 0, 0, 0)
    assert await events(log) == [given.described, ONE, TWO]


async def test_a_second_time_appends_nothing(log: EventLog) -> None:
    await publish(log, story(ONE, TWO))
    assert counts(await publish(log, story(ONE, TWO))) == (0, 0, 0, 0, 2)
    assert await log.end(CHAPTERS) == 3


async def test_what_differs_from_the_newest_event_of_a_chapter_is_appended(log: EventLog) -> None:
    await publish(log, story(ONE, TWO, THREE))
    edited = published("1", "Ilse never came down to the sea.")
    assert counts(await publish(log, story(edited, TWO))) == (1, 0, 1, 0, 1)
    # Back to the first text: it is in the log, but it is not the newest.
    report = await publish(log, story(ONE, TWO))
    assert (counts(report), report.missing) == ((1, 0, 1, 0, 1), 1)
    assert (await events(log))[-2:] == [edited, ONE]


async def test_a_move_is_a_move_and_no_new_text(log: EventLog) -> None:
    await publish(log, story(ONE, TWO))
    moved = published("2", TWO.body, ordinal="7")
    assert counts(await publish(log, story(ONE, moved))) == (1, 0, 0, 1, 1)
    assert (await events(log))[-1] == ChapterMoved(
        work_id=WORK, chapter_id=ChapterId("2"), ordinal=moved.ordinal
    )
    assert counts(await publish(log, story(ONE, moved))) == (0, 0, 0, 0, 2)


async def test_what_is_published_is_indexed_later_and_then_unchanged() -> None:
    async with open_home(IN_MEMORY) as home:
        await publish(home.log, story(ONE, TWO))
        report = await index(home, story(ONE, TWO), NOBODY)
        assert (report.resumed, report.new, report.unchanged) == (3, 0, 2)
        assert counts(await publish(home.log, story(ONE, TWO))) == (0, 0, 0, 0, 2)


async def test_events_that_nobody_can_read_change_nothing(log: EventLog) -> None:
    await publish(log, story(ONE))
    await log.append([NewRecord(CHAPTERS, b"w", b"rubbish"), NewRecord(CHAPTERS, b"w", None)])
    assert counts(await publish(log, story(ONE))) == (0, 0, 0, 0, 1)


async def test_an_event_with_a_higher_revision_stands(log: EventLog) -> None:
    higher = published("1", "Ilse stayed.").model_copy(update={"revision": 5})
    lower = ONE.model_copy(update={"revision": 4})
    await log.append([record_of(higher), record_of(lower)])
    assert counts(await publish(log, story(ONE)))[1:] == (0, 1, 0, 0)


async def test_problems_and_notes_are_passed_on(log: EventLog) -> None:
    given = story(ONE)
    problem = Problem("a.txt", "2", "it is no text", "save it")
    given = type(given)(given.described, given.chapters, (problem,), ("a note",))
    report = await publish(log, given)
    assert (report.problems, report.notes) == (
        ("a.txt, chapter 2: it is no text; save it.",),
        ("a note",),
    )


async def test_an_event_file_goes_in_once_and_a_longer_one_adds_the_rest(
    log: EventLog, tmp_path: Path
) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(b"\n".join([ONE.to_json(), b"rubbish", TWO.to_json()]))
    first = await publish(log, EventInput(path))
    assert (first.works, first.unit, counts(first)) == ((WORK,), "events", (3, 3, 0, 0, 0))
    path.write_bytes(b"\n".join([ONE.to_json(), b"rubbish", TWO.to_json(), THREE.to_json()]))
    assert counts(await publish(log, EventInput(path))) == (1, 1, 0, 0, 3)
    values = [one.value for one in await log.read(CHAPTERS, 0, 100, 1_000_000)]
    assert values == [ONE.to_json(), b"rubbish", TWO.to_json(), THREE.to_json()]


async def test_an_event_file_that_cannot_be_read(log: EventLog, tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match="cannot be read"):
        await publish(log, EventInput(tmp_path))


async def test_a_line_without_an_end_is_refused_before_it_fills_the_memory(
    log: EventLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("streams.inputs.json_lines._LONGEST_LINE", 1_000)
    path = tmp_path / "events.jsonl"
    path.write_bytes(ONE.to_json() + b"\n" + b"x" * 2_000)
    with pytest.raises(UnusableInput, match=r"events\.jsonl.*line 2 is longer than 1,000 bytes"):
        await publish(log, EventInput(path))


def test_batches_are_bounded_by_bytes_and_by_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "_MOST_BYTES", 10)
    monkeypatch.setattr(batches, "_MOST_RECORDS", 3)
    sizes = [4, 4, 4, 20, 1, 1, 1, 1, 0]
    records = [NewRecord("t", None, b"x" * size) for size in sizes]
    found = [[len(record.value or b"") for record in batch] for batch in batches.batches(records)]
    assert found == [[4, 4], [4], [20], [1, 1, 1], [1, 0]]


async def test_chapters_are_withdrawn_once(log: EventLog) -> None:
    await publish(log, story(ONE, TWO))
    first = await withdraw(log, WORK, [ChapterId("2"), ChapterId("2"), ChapterId("9")])
    assert (first.appended, first.chapters, first.unknown) == (1, ("2",), ("9",))
    again = await withdraw(log, WORK, [ChapterId("2")])
    assert (again.appended, again.chapters, again.unknown) == (0, (), ("2",))
    report = await publish(log, story(ONE, TWO))
    assert (report.appended, report.withdrawn, report.unchanged) == (0, 1, 1)
    assert counts(await publish(log, story(ONE, TWO), republish=True)) == (1, 1, 0, 0, 1)


async def test_a_work_is_withdrawn_once_and_may_come_back(log: EventLog) -> None:
    await publish(log, story(ONE, TWO))
    first = await withdraw(log, WORK, None)
    assert (first.whole, first.appended, first.chapters) == (True, 1, ("1", "2"))
    assert (await events(log))[-1] == WorkWithdrawn(work_id=WORK)
    assert (await withdraw(log, WORK, None)).appended == 0
    report = await publish(log, story(ONE))
    assert (report.new, report.withdrawn) == (0, 1)
    assert counts(await publish(log, story(ONE), republish=True)) == (2, 1, 0, 0, 0)
    assert counts(await publish(log, story(ONE, TWO))) == (1, 1, 0, 0, 1)


async def test_a_withdrawn_chapter_leaves_the_index() -> None:
    async with open_home(IN_MEMORY) as home:
        await index(home, story(ONE, TWO), NOBODY)
        await withdraw(home.log, WORK, [ChapterId("1")])
        await home.runner().run_until_idle()
        view = await home.view("w", None)
        assert [chapter.chapter_id for chapter in await view.chapters()] == ["2"]
