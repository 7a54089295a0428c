"""Real books: every visible character is accounted for, every span lies where it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.answers import SearchResult
from contracts.events import ChapterPublished
from contracts.ids import ChapterId, WorkId
from contracts.ordinals import Ordinal
from graph.exporting import export
from replay.evaluation.completeness import troubles
from replay.evaluation.shared_data import shared_data
from streams.inputs.encodings import decode
from streams.session import Home
from streams.wiring import open_home
from tests.corpus import WHOLE, enough
from tests.e2e.homes import chapters_of, in_memory, publish, searched

FEW = [
    ("books", "time-machine", "the Time Traveller"),
    ("cjk", "journey-to-the-west", "孙悟空"),
]
CHAPTERS = None if WHOLE else 12

BOOKS = [
    *FEW,
    ("books", "pride-and-prejudice", "Mr. Darcy"),
    ("books", "treasure-island", "the treasure map"),
    ("books", "adventures-of-sherlock-holmes", "the red-headed man"),
    ("cjk", "wagahai-wa-neko-de-aru", "主人"),
]


async def assert_complete(home: Home, chapters: list[ChapterPublished]) -> None:
    report = await publish(home, chapters)
    assert not report.dead
    assert not report.held
    view = await home.view(chapters[0].work_id, None)
    bodies = {str(chapter.chapter_id): chapter.body for chapter in chapters}
    assert troubles(await export(view, with_text=True), bodies) == []


@pytest.mark.corpus
@pytest.mark.parametrize(("folder", "book", "question"), enough(BOOKS, FEW))
async def test_nothing_of_a_book_is_lost(
    tmp_path: Path, folder: str, book: str, question: str
) -> None:
    chapters = chapters_of(folder, book)[:CHAPTERS]
    bodies = {chapter.chapter_id: chapter.body for chapter in chapters}
    async with open_home(in_memory(tmp_path)) as home:
        await assert_complete(home, chapters)
        found = await searched(home, book, question, str(chapters[-1].ordinal))
        passages = SearchResult.model_validate_json(found).passages
        assert passages
        for passage in passages:
            assert passage.text == bodies[passage.chapter_id][passage.start : passage.end]


@pytest.mark.parametrize("name", ["novel_cn.txt", "weird_unicode.txt", "entities.txt"])
async def test_an_odd_text_is_indexed_as_published(tmp_path: Path, name: str) -> None:
    body = decode(shared_data("input_shapes", "fixtures", name).read_bytes()).text
    chapter = ChapterPublished(
        work_id=WorkId("odd"), chapter_id=ChapterId(name), ordinal=Ordinal.parse(1), body=body
    )
    async with open_home(in_memory(tmp_path)) as home:
        await assert_complete(home, [chapter])
