"""Questions are drawn by hash: the same again, of all works, spread over their chapters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from contracts.events import QuestionAsked
from contracts.ids import FIRST_GENERATION, WorkId
from contracts.ordinals import Ordinal
from contracts.ports import NewRecord
from contracts.topics import QUESTIONS
from contracts.works import ChapterRecord, WorkRecord
from graph.grafter import Grafter
from graph.memory import MemoryTreeStore, MemoryVectorStore
from processors.embedding import EmbedStage
from processors.lexicon import Lexicon
from processors.segmenting import SegmentStage
from processors.sif import SifEmbedder
from streams.generations.questions import (
    Draw,
    SampledQuestion,
    SentenceSampler,
    asked_questions,
)
from streams.logs.sqlite_log import SqliteEventLog
from tests.unit.processors.indexed import ByParagraph
from tests.unit.streams.stand_ins import published

ONE, OTHER = WorkId("one"), WorkId("other")
SHORT = "He went. She did not. They sat down again."
TELLING = "Hedda weighed the herring on the harbour scale at Skarvik, and was told it lied."
PLAIN = "They had been there for a long time, and he had not said what he was to do."


async def told() -> tuple[MemoryTreeStore, Mapping[WorkId, WorkRecord]]:
    """Return two works: three chapters of the one, one of the other."""
    tree, vectors = MemoryTreeStore(), MemoryVectorStore()
    segment = SegmentStage(ByParagraph())
    embed = EmbedStage(SifEmbedder(), Lexicon(), vectors, FIRST_GENERATION)
    stories = {
        ONE: [f"{PLAIN}\n\n{TELLING}", f"{SHORT}\n\n{PLAIN}", SHORT],
        OTHER: [f"{SHORT}\n\n{TELLING} {PLAIN}"],
    }
    for work, bodies in stories.items():
        chapters = [published(str(nth), body, work) for nth, body in enumerate(bodies, start=1)]
        batch = [await embed(await segment(each, nth)) for nth, each in enumerate(chapters)]
        await Grafter(tree, vectors)(batch)
    return tree, {work.work_id: work for work in await tree.works()}


def live(works: Mapping[WorkId, WorkRecord]) -> Mapping[WorkId, Sequence[ChapterRecord]]:
    return {name: work.live_chapters() for name, work in works.items()}


async def sentences(count: int, seed: str = "") -> tuple[SampledQuestion, ...]:
    tree, works = await told()
    return await SentenceSampler(tree, Lexicon(), Draw(count, seed))(live(works), works)


async def test_the_most_telling_sentence_of_a_chapter_is_asked_first() -> None:
    found = await sentences(4)

    asked = {(each.work_id, str(each.place.chapter_id)): each for each in found if each.place}
    assert asked[ONE, "1"].question == asked[OTHER, "1"].question == TELLING
    assert asked[ONE, "2"].question == PLAIN
    assert (ONE, "3") not in asked  # all of its sentences are too short to be told from others
    for each in found:
        assert each.place is not None
        assert each.place.text == each.question
        assert each.as_of in (
            Ordinal.parse(each.place.chapter_id),
            Ordinal.parse(3),
            Ordinal.parse(1),
        )


async def test_works_take_turns_and_chapters_give_more_where_they_are_few() -> None:
    assert {each.work_id for each in await sentences(2)} == {ONE, OTHER}
    counts = Counter(each.work_id for each in await sentences(100))
    assert counts == {ONE: 3, OTHER: 2}  # every sentence that is long enough


async def test_the_same_draw_gives_the_same_and_another_gives_others() -> None:
    assert await sentences(2) == await sentences(2)
    drawn = {
        each.place.chapter_id
        for seed in ("a", "b", "c", "d")
        for each in await sentences(2, seed)
        if each.work_id == ONE and each.place
    }
    assert len(drawn) > 1
    assert await sentences(0) == ()


@pytest.fixture
def log(tmp_path: Path) -> SqliteEventLog:
    return SqliteEventLog(tmp_path / "log.sqlite")


def asked(number: int, question: str, work: WorkId = ONE, as_of: int = 1) -> NewRecord:
    event = QuestionAsked(
        question_id=str(number), work_id=work, question=question, as_of=Ordinal.parse(as_of)
    )
    return NewRecord(QUESTIONS, work.encode(), event.model_dump_json().encode())


async def test_what_was_asked_of_a_known_work_is_drawn_once(log: SqliteEventLog) -> None:
    await log.append(
        [
            asked(1, "Who lied?"),
            asked(2, "Who lied?"),
            asked(3, "Who lied?", as_of=2),
            asked(4, "Who?", OTHER),
            asked(5, "Who?", WorkId("unknown")),
            NewRecord(QUESTIONS, b"one", b"no question"),
        ]
    )

    found = await asked_questions(log, Draw(10, ""), [ONE, OTHER])

    assert {(each.work_id, str(each.as_of), each.question) for each in found} == {
        (ONE, "1", "Who lied?"),
        (ONE, "2", "Who lied?"),
        (OTHER, "1", "Who?"),
    }
    assert all(each.place is None for each in found)
    assert await asked_questions(log, Draw(2, ""), [ONE, OTHER]) == found[:2]
    await log.close()


async def test_what_is_drawn_does_not_depend_on_the_order_of_asking(log: SqliteEventLog) -> None:
    questions = [asked(number, f"Who is number {number}?") for number in range(20)]
    await log.append(questions[::-1])
    before = await asked_questions(log, Draw(5, ""), [ONE])

    await log.append(questions)

    assert await asked_questions(log, Draw(5, ""), [ONE]) == before
    await log.close()
