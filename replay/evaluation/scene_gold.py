"""Chapters with annotated scene boundaries, in units of paragraphs.

English and Chinese novels of `storylines`, the German novel of `stss` (annotated by the sentence,
no paragraphs are kept: each sentence stands on a line of its own), and the tales of FairytaleQA,
which experts cut into sections.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from contracts.events import ChapterPublished
from contracts.ids import ChapterId, WorkId
from contracts.ordinals import Ordinal
from contracts.scenes import ChapterText, Segment
from contracts.words import count_words
from processors.text import read_chapter

_GERMAN_HEADING: Final = re.compile(r"^.*?\bKapitel (?:\w+stes|\w+tes|Siebentes) Kapitel ")


@dataclass(frozen=True, slots=True)
class AnnotatedChapter:
    """A chapter, the code points where its paragraphs start, and the paragraphs that open scenes.

    Paragraphs count from 0; the first never is a boundary.
    """

    text: ChapterText
    starts: tuple[int, ...]
    gold: frozenset[int]

    def paragraph_at(self, offset: int) -> int:
        """Return the paragraph whose start lies nearest to `offset`."""
        return min(range(len(self.starts)), key=lambda nth: (abs(self.starts[nth] - offset), nth))

    def cuts(self, segments: Sequence[Segment]) -> frozenset[int]:
        """Return the paragraphs that open a segment, the first left out."""
        starts = [self.text.sentences[segment.from_idx - 1].start for segment in segments[1:]]
        return frozenset(self.paragraph_at(start) for start in starts) - {0}

    def words(self, segment: Segment) -> int:
        """Count the words of a segment."""
        first, last = (
            self.text.sentences[segment.from_idx - 1],
            self.text.sentences[segment.to_idx - 1],
        )
        return count_words(self.text.text[first.start : last.end])


def english_books(data: Path) -> list[str]:
    """Return the annotated English books, by name."""
    named = sorted(path.stem for path in (data / "storylines").glob("*.json"))
    return [book for book in named if (data / "books" / f"{book}.json").exists()]


def read_annotated(data: Path, book: str) -> tuple[AnnotatedChapter, ...]:
    """Return the chapters of a novel of `storylines` that have at least two paragraphs."""
    folder = "books" if (data / "books" / f"{book}.json").exists() else "cjk"
    whole = json.loads((data / folder / f"{book}.json").read_bytes())
    texts = {chapter["index"]: chapter["text"] for chapter in whole["chapters"]}
    annotated = json.loads((data / "storylines" / f"{book}.json").read_bytes())["chapters"]
    return _of_several(
        _annotated(
            _read(book, chapter["index"], texts[chapter["index"]], whole["language"]),
            [scene["start"] for scene in chapter["scenes"][1:]],
        )
        for chapter in annotated
    )


def read_german(data: Path) -> tuple[AnnotatedChapter, ...]:
    """Return the chapters of *Effi Briest*, a sentence a line."""
    book = json.loads((data / "stss" / "effi-briest.json").read_bytes())
    firsts = {scene["first"] for scene in book["scenes"]}
    chapters: list[list[tuple[str, bool]]] = []
    for number, sentence in enumerate(book["sentences"]):
        heading = _GERMAN_HEADING.match(sentence)
        if heading:
            chapters.append([])
        if chapters:  # what stands before the first heading is the edition's
            chapters[-1].append((sentence[heading.end() if heading else 0 :], number in firsts))
    return _of_several(
        _of_lines("effi-briest", index, lines, "de") for index, lines in enumerate(chapters)
    )


def read_tales(data: Path) -> tuple[AnnotatedChapter, ...]:
    """Return the tales of FairytaleQA, their sections as scenes."""
    with (data / "fairytaleqa" / "stories.jsonl").open() as lines:
        tales = [json.loads(line) for line in lines]
    return _of_several(
        _annotated(
            _read(tale["id"], 1, tale["text"], "en"),
            [section["start"] for section in tale["sections"][1:]],
        )
        for tale in tales
    )


def _of_several(chapters: Iterator[AnnotatedChapter]) -> tuple[AnnotatedChapter, ...]:
    return tuple(chapter for chapter in chapters if len(chapter.starts) > 1)


def _of_lines(
    book: str, index: int, lines: Sequence[tuple[str, bool]], language: str
) -> AnnotatedChapter:
    scenes, at = [], 0
    for line, opens in lines:
        if opens and at:
            scenes.append(at)
        at += len(line) + 2
    body = "\n\n".join(line for line, _ in lines)
    return _annotated(_read(book, index, body, language), scenes)


def _read(book: str, index: int, body: str, language: str) -> ChapterText:
    return read_chapter(
        ChapterPublished(
            work_id=WorkId(book),
            chapter_id=ChapterId(str(index)),
            ordinal=Ordinal.parse(index),
            body=body,
            language=language,
        )
    )


def _annotated(text: ChapterText, scene_starts: Sequence[int]) -> AnnotatedChapter:
    starts = tuple(text.sentences[number - 1].start for number in text.paragraph_starts)
    chapter = AnnotatedChapter(text, starts, frozenset())
    gold = frozenset(chapter.paragraph_at(start) for start in scene_starts) - {0}
    return AnnotatedChapter(text, starts, gold)
