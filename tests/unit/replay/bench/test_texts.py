from __future__ import annotations

import pytest

from contracts.events import ChapterPublished
from contracts.ids import ChapterId, WorkId
from contracts.ordinals import Ordinal
from replay.evaluation.bench.texts import asked_novel, beginning, first_chapters, words_of


def _chapter(number: int, body: str) -> ChapterPublished:
    return ChapterPublished(
        work_id=WorkId("w"),
        chapter_id=ChapterId(str(number)),
        ordinal=Ordinal.parse(number),
        title="",
        body=body,
    )


def test_no_more_chapters_are_taken_than_hold_the_words() -> None:
    chapters = [_chapter(n, "one two three") for n in range(5)]
    assert first_chapters(chapters, 3) == chapters[:1]
    assert first_chapters(chapters, 4) == chapters[:2]
    assert first_chapters(chapters, 15) == chapters


def test_a_novel_that_is_too_short_is_refused() -> None:
    with pytest.raises(ValueError, match="only 3 words, not 4"):
        first_chapters([_chapter(1, "one two three")], 4)


@pytest.mark.corpus
def test_the_asked_novel_has_100_000_words_and_its_own_questions() -> None:
    novel = asked_novel()
    assert 95_000 < words_of(novel.given) < 120_000
    assert len(novel.questions) >= 60
    ids = [chapter.chapter_id for chapter in novel.given.chapters]
    assert len(set(ids)) == len(ids)
    assert {chapter.work_id for chapter in novel.given.chapters} == {novel.given.described.work_id}


@pytest.mark.corpus
def test_a_beginning_is_hardly_longer_than_asked_for() -> None:
    assert 25_000 <= words_of(beginning(25_000)) < 30_000
