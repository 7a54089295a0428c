"""No chapter of the shared data ends up as one giant scene, in any language."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from contracts.events import ChapterPublished
from contracts.ids import ChapterId, WorkId
from contracts.ordinals import Ordinal
from contracts.scenes import ChapterText
from contracts.words import count_words
from processors.blocks import stretch_blocks
from processors.cohesion import CohesionSegmenter
from processors.length_prior import LONGEST_WORDS, WHOLE_WORDS, pace
from processors.sif import SifEmbedder
from processors.text import read_chapter
from replay.evaluation.scene_gold import read_german, read_tales
from replay.evaluation.shared_data import shared_data
from tests.corpus import enough
from tests.e2e.homes import chapters_of

_BOOKS = sorted(path.stem for path in shared_data("books").glob("*.json"))
_EACH = 12  # tale, and chapter of a novel in German, of which one is read, unless all are
_EMBEDDER = SifEmbedder()
_SEGMENTER = CohesionSegmenter(_EMBEDDER)


def _read(folder: str, book: str) -> Iterator[ChapterText]:
    return map(read_chapter, chapters_of(folder, book))


async def _assert_cut(chapter: ChapterText) -> None:
    """Every scene is of bearable length, or one paragraph or sentence that is longer by itself."""
    tempo = pace(chapter.language)
    segments = (await _SEGMENTER.segment(chapter)).segments
    where = f"{chapter.work_id} {chapter.chapter_id}"
    if len(chapter.sentences) > 1:
        alone = len(segments) == 1
        assert not alone or count_words(chapter.text) < 1.1 * WHOLE_WORDS * tempo, where
    blocks = {
        (block.first, block.last) for each in stretch_blocks(chapter, tempo) for block in each
    }
    for segment in segments:
        start = chapter.sentences[segment.from_idx - 1].start
        words = count_words(chapter.text[start : chapter.sentences[segment.to_idx - 1].end])
        single = (segment.from_idx, segment.to_idx) in blocks
        assert single or words <= LONGEST_WORDS * tempo + len(chapter.sentences), where
    assert [segment.from_idx for segment in segments[1:]] == [
        segment.to_idx + 1 for segment in segments[:-1]
    ]


@pytest.mark.corpus
@pytest.mark.parametrize("book", enough(_BOOKS, _BOOKS[::12]))
async def test_no_chapter_of_a_novel_is_one_giant_scene(book: str) -> None:
    for chapter in _read("books", book):
        await _assert_cut(chapter)


@pytest.mark.corpus
@pytest.mark.parametrize("book", ["journey-to-the-west", "wagahai-wa-neko-de-aru"])
async def test_no_chinese_or_japanese_chapter_is_one_giant_scene(book: str) -> None:
    chapters = list(_read("cjk", book))
    for chapter in enough(chapters, chapters[:_EACH]):
        assert chapter.language in {"zh", "ja"}
        await _assert_cut(chapter)


@pytest.mark.corpus
async def test_no_german_chapter_or_tale_is_one_giant_scene() -> None:
    tales, german = list(read_tales(shared_data())), read_german(shared_data())
    for each in (*enough(german, german[::_EACH]), *enough(tales, tales[::_EACH])):
        await _assert_cut(each.text)


@pytest.mark.corpus
@pytest.mark.parametrize("mark", [" ", "\n"])
async def test_a_whole_novel_without_paragraphs_is_cut_all_the_same(mark: str) -> None:
    book = json.loads(shared_data("books", "time-machine.json").read_text())
    event = ChapterPublished(
        work_id=WorkId("whole"),
        chapter_id=ChapterId("1"),
        ordinal=Ordinal.parse(1),
        body=mark.join(" ".join(each["text"].split()) for each in book["chapters"]),
        language="en",
    )
    await _assert_cut(read_chapter(event))
