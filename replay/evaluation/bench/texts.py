"""What is indexed and asked: novels of the shared test data, cut to size between chapters."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from contracts.events import ChapterPublished, WorkDescribed
from contracts.ids import ChapterId, WorkId
from contracts.ordinals import Ordinal
from contracts.words import count_words
from replay.evaluation.annotated import load
from replay.evaluation.shared_data import shared_data
from streams.inputs.values import ChapterInput

LONG_NOVEL: Final = "great-expectations"
ASKED_NOVELS: Final = ("treasure-island", "time-machine")
"""Together a novel of 100,000 words with 80 questions."""


@dataclass(frozen=True, slots=True)
class AskedNovel:
    """A novel, and questions that its text answers."""

    given: ChapterInput
    questions: tuple[str, ...]


def beginning(words: int) -> ChapterInput:
    """Return the first chapters of one long novel, as few as hold `words` words.

    Raises:
        ValueError: the novel is shorter.
    """
    book = json.loads(shared_data("books", f"{LONG_NOVEL}.json").read_text())
    chapters = [_chapter(each) for each in book["chapters"]]
    return _input(f"{LONG_NOVEL}-{words}", first_chapters(chapters, words))


def first_chapters(chapters: Iterable[ChapterPublished], words: int) -> list[ChapterPublished]:
    """Return as few of the first `chapters` as hold `words` words together.

    Raises:
        ValueError: all of them hold less.
    """
    taken: list[ChapterPublished] = []
    held = 0
    for chapter in chapters:
        taken.append(chapter)
        held += count_words(chapter.body)
        if held >= words:
            return taken
    raise ValueError(f"there are only {held:,} words, not {words:,}")


def asked_novel() -> AskedNovel:
    """Return the annotated novels one after the other, as one work, with all their questions."""
    books = [load(name) for name in ASKED_NOVELS]
    chapters = [chapter for book in books for chapter in book.chapters]
    questions = dict.fromkeys(asked.question for book in books for asked in book.questions)
    return AskedNovel(_input("+".join(ASKED_NOVELS), chapters), tuple(questions))


def words_of(given: ChapterInput) -> int:
    """Return how many words the chapters hold."""
    return sum(count_words(chapter.body) for chapter in given.chapters)


def _input(name: str, chapters: Sequence[ChapterPublished]) -> ChapterInput:
    work = WorkId(name)
    numbered = tuple(
        chapter.model_copy(
            update={
                "work_id": work,
                "chapter_id": ChapterId(str(number)),
                "ordinal": Ordinal.parse(number),
            }
        )
        for number, chapter in enumerate(chapters, 1)
    )
    return ChapterInput(WorkDescribed(work_id=work, title=name), numbered)


def _chapter(chapter: dict[str, Any]) -> ChapterPublished:
    return ChapterPublished(
        work_id=WorkId(LONG_NOVEL),
        chapter_id=ChapterId(str(chapter["index"])),
        ordinal=Ordinal.parse(chapter["index"]),
        title=chapter["title"] or "",
        body=chapter["text"],
    )
