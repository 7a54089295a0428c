"""A purge of the log takes every text of a chapter, and nothing else."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from contracts.answers import Answer, AnswerGiven, Citation, Spent
from contracts.events import (
    ChapterEvent,
    ChapterPublished,
    ChapterPurged,
    ChapterWithdrawn,
    QuestionAsked,
    WorkWithdrawn,
    chapter_event,
)
from contracts.ids import FIRST_GENERATION, ChapterId, SceneId, WorkId
from contracts.messages import EventPassed, embedded_message, scenes_message
from contracts.ordinals import Ordinal
from contracts.ports import NewRecord, Record
from contracts.reports import Settled
from contracts.topics import ANSWERS, CHAPTERS, QUESTIONS
from streams.dead_letters import POSITION, of_work
from streams.inprocess import InProcessRunner
from streams.logs.sqlite_log import SqliteEventLog
from streams.purge.log_purging import LogPlan, log_plan
from streams.purge.purge_journal import PurgeOrder
from streams.settlements import settled_by, settlement
from tests.unit.streams.stand_ins import StandInTree, as_record, opened_log, path_to, published

W, GONE, OPEN_END = WorkId("w"), ChapterId("1"), 2**40


@dataclass
class Written:
    """A log with a path of stand-ins."""

    log: SqliteEventLog

    async def put(self, *events: ChapterEvent | NewRecord) -> None:
        records = [e if isinstance(e, NewRecord) else as_record(e) for e in events]
        await self.log.append(records)
        await InProcessRunner(self.log, path_to(StandInTree())).run_until_idle()

    async def order(self, **more: Any) -> PurgeOrder:
        until = await self.log.end(CHAPTERS)
        fields = {"chapter_ids": (GONE,), "earlier": (GONE,), "floor": -1, "until": until}
        return PurgeOrder(work_id=W, **{**fields, **more})

    async def purge(self, order: PurgeOrder | None = None) -> LogPlan:
        order = order or await self.order()
        plan = await log_plan(self.log, await self.log.topics(), order)
        await self.log.rewrite(tuple(plan.rewrites.values()))
        return plan

    async def all(self) -> dict[tuple[str, int], Record]:
        found = {}
        for topic in await self.log.topics():
            for record in await self.log.read(topic, 0, 1_000, OPEN_END):
                found[topic, record.offset] = record
        return found

    async def holding(self, word: str) -> list[str]:
        """Return the topics in which the word stands."""
        records = (await self.all()).values()
        return sorted({r.topic for r in records if word.encode() in (r.value or b"")})


@pytest.fixture
async def written(tmp_path: Path) -> AsyncIterator[Written]:
    async with opened_log(tmp_path) as log:
        yield Written(log)


def _events(records: Sequence[Record]) -> list[ChapterEvent]:
    return [chapter_event.validate_json(record.value or b"") for record in records]


async def test_every_version_goes_at_every_stage_and_all_else_stays_as_it_is(
    written: Written,
) -> None:
    await written.put(
        published("1", "Xyzzy once.", title="Xyzzy", revision=2),
        published("2", "Kept."),
        published("1", "Xyzzy twice.", ordinal="1.5", revision=3),
        published("1", "Xyzzy elsewhere.", work="other"),
        ChapterWithdrawn(work_id=W, chapter_id=GONE),
    )
    before = await written.all()
    plan = await written.purge()
    after = await written.all()
    assert await written.holding("Xyzzy") == [CHAPTERS, "embedded.g1", "scenes.g1"]  # the other's
    assert {place for place in before if before[place] != after[place]} == set(plan.rewrites)
    assert [(topic, offset) for topic, offset in plan.rewrites] == [
        (topic, offset) for topic in (CHAPTERS, "scenes.g1", "embedded.g1") for offset in (0, 2)
    ]
    assert all(before[place].key == after[place].key for place in before)
    assert _events([after[CHAPTERS, 0], after[CHAPTERS, 2]]) == [
        ChapterPurged(work_id=W, chapter_id=GONE, ordinal=Ordinal.parse(place), revision=revision)
        for place, revision in (("1", 2), ("1.5", 3))
    ]
    for topic, adapter in (("scenes.g1", scenes_message), ("embedded.g1", embedded_message)):
        message = adapter.validate_json(after[topic, 2].value or b"")
        assert isinstance(message, EventPassed)
        assert message.position == 2
        assert message.event == _events([after[CHAPTERS, 2]])[0]


async def test_done_again_it_finds_nothing_but_still_knows_whose_it_was(written: Written) -> None:
    await written.put(published("1", "Xyzzy."), ChapterWithdrawn(work_id=W, chapter_id=GONE))
    order = await written.order()
    await written.purge(order)
    before = await written.all()
    again = await written.purge(order)
    assert (again.rewrites, again.chapter_ids) == ({}, {GONE})
    assert await written.all() == before


async def test_what_was_published_since_stays(written: Written) -> None:
    await written.put(published("1", "Xyzzy."), ChapterWithdrawn(work_id=W, chapter_id=GONE))
    order = await written.order()
    await written.put(published("1", "Xyzzy anew."))
    await written.purge(order)
    records = await written.log.read(CHAPTERS, 0, 9, OPEN_END)
    assert [isinstance(event, ChapterPublished) for event in _events(records)] == [
        False, False, True,
    ]  # fmt: skip


async def test_dead_letters_go_with_what_became_them_and_that_counts_for_nothing(
    written: Written,
) -> None:
    unread = {"kind": "chapter.published", "work_id": W, "chapter_id": GONE, "body": "Xyzzy"}
    await written.put(
        NewRecord(CHAPTERS, W.encode(), json.dumps(unread).encode()),
        NewRecord(CHAPTERS, b"other", published("1", "Xyzzy under another's key.").to_json()),
        NewRecord(CHAPTERS, None, published("1", "Xyzzy under no key.").to_json()),
        published("1", "Xyzzy, poison to the segmenter.", revision=4),
        published("2", "poison of another chapter"),
    )
    assert await written.holding("Xyzzy") == [CHAPTERS, "chapters.dlq"]
    plan = await written.purge()
    assert (plan.letters, plan.nameless_letters) == (4, 0)
    assert await written.holding("Xyzzy") == []
    records = await written.log.read(CHAPTERS, 0, 9, OPEN_END)
    nothing = ChapterPurged(work_id=W, chapter_id=GONE)
    assert _events(records)[:4] == [nothing] * 4
    assert [r.key for r in records] == [b"w", b"other", None, b"w", b"w"]
    (letter,) = await written.log.read("chapters.dlq", 0, 9, OPEN_END)
    assert letter.offset == 4
    assert b"poison of another" in (letter.value or b"")


async def test_a_dead_letter_that_was_retried_with_success_counts(written: Written) -> None:
    poison = published("1", "Xyzzy, poison.")
    await written.put(poison, published("2", "Kept."))
    retried = published("1", "Xyzzy, mended.").to_json()
    header = ((POSITION, b"0"), ("theirs", b"Xyzzy"))
    await written.put(NewRecord(CHAPTERS, W.encode(), retried, header))
    await written.purge()
    assert await written.holding("Xyzzy") == []
    records = await written.log.read(CHAPTERS, 0, 9, OPEN_END)
    assert records[2].headers == ((POSITION, b"0"),)
    assert _events(records)[2] == ChapterPurged(
        work_id=W, chapter_id=GONE, ordinal=Ordinal.parse(1)
    )


async def test_a_dead_letter_that_names_no_chapter_is_told_of_or_goes_with_its_work(
    written: Written,
) -> None:
    await written.put(
        NewRecord(CHAPTERS, W.encode(), b'{"kind": "chapter.published", "body": "Xyzzy"'),
        WorkWithdrawn(work_id=W),
    )
    plan = await written.purge()
    assert (plan.letters, plan.nameless_letters) == (0, 1)
    assert await written.holding("Xyzzy") == [CHAPTERS, "chapters.dlq"]
    plan = await written.purge(await written.order(chapter_ids=(), earlier=None, floor=1))
    assert plan.letters == 1
    assert await written.holding("Xyzzy") == []


async def test_of_a_withdrawn_work_goes_what_was_before(written: Written) -> None:
    await written.put(
        published("1", "Xyzzy."),
        published("2", "Xyzzy too."),
        WorkWithdrawn(work_id=W),
        published("2", "Plugh."),
    )
    named = await written.order(chapter_ids=(), earlier=(GONE,), floor=2)
    assert (await written.purge(named)).chapter_ids == {GONE}
    whole = await written.order(chapter_ids=(), earlier=None, floor=2)
    assert (await written.purge(whole)).chapter_ids == {GONE, ChapterId("2")}
    assert await written.holding("Xyzzy") == []
    assert await written.holding("Plugh") == [CHAPTERS, "embedded.g1", "scenes.g1"]


def _asked(question_id: str) -> NewRecord:
    asked = QuestionAsked(
        question_id=question_id, work_id=W, question="Who is Xyzzy?", as_of=Ordinal.parse(9)
    )
    return NewRecord(QUESTIONS, W.encode(), asked.model_dump_json(exclude_none=True).encode())


def _answered(question_id: str, *chapters: str) -> NewRecord:
    citations = tuple(
        Citation(
            chapter_id=ChapterId(chapter), ordinal=Ordinal.parse(1), scene_id=SceneId("s"),
            start=0, end=5, quote="Xyzzy",
        )
        for chapter in chapters
    )  # fmt: skip
    answer = Answer(
        answer="Xyzzy is Plugh.", abstained=False, as_of=Ordinal.parse(9), indexed_to=None,
        gaps=(), citations=citations, spent=Spent(searches=2), channels=("passage",),
    )  # fmt: skip
    given = AnswerGiven(question_id=question_id, work_id=W, answer=answer)
    return NewRecord(ANSWERS, W.encode(), given.to_json())


async def test_answers_that_cite_the_chapter_go_with_their_questions(written: Written) -> None:
    await written.put(published("1", "Xyzzy."), ChapterWithdrawn(work_id=W, chapter_id=GONE))
    await written.put(_asked("a"), _asked("b"), _answered("a", "2", "1"), _answered("b", "2"))
    plan = await written.purge()
    assert plan.answers == 1
    answers = await written.log.read(ANSWERS, 0, 9, OPEN_END)
    first, second = [AnswerGiven.model_validate_json(r.value or b"") for r in answers]
    assert (first.question_id, first.answer.abstained, first.answer.citations) == ("a", True, ())
    assert first.answer.answer == ""
    assert second.answer.answer == "Xyzzy is Plugh."
    questions = await written.log.read(QUESTIONS, 0, 9, OPEN_END)
    asked = [QuestionAsked.model_validate_json(r.value or b"").question for r in questions]
    assert asked == ["(removed by a purge)", "Who is Xyzzy?"]


async def test_no_byte_of_it_stays_in_the_file(written: Written, tmp_path: Path) -> None:
    for n in range(30):
        await written.put(published("1", f"Xyzzyplugh {n} " * 20), published("2", f"Kept {n}."))
    await written.purge()
    found = [path.name for path in _files(tmp_path) if b"Xyzzyplugh" in path.read_bytes()]
    assert found == []
    assert await written.holding("Kept 29.") != []


def _files(folder: Path) -> list[Path]:
    return list(folder.iterdir())


async def test_letters_that_were_settled_go_too_with_what_settled_them(written: Written) -> None:
    await written.put(
        published("1", "Xyzzy, poison."),
        published("1", "Xyzzy, poison still."),
        published("2", "poison of another chapter"),
    )
    told = [settlement("chapters.dlq", at, W.encode(), Settled.RETRIED, 9) for at in (0, 2)]
    await written.put(*told)
    assert [letter.at for letter in await of_work(written.log, W, FIRST_GENERATION)] == [1]
    plan = await written.purge()
    assert plan.letters == 2
    assert await written.holding("Xyzzy") == []
    left = await written.log.read("chapters.dlq", 0, 9, OPEN_END)
    assert [(record.offset, settled_by(record) is None) for record in left] == [
        (2, True),
        (4, False),
    ]
