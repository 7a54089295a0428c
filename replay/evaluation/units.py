"""Units of text that an index may return: windows, merged paragraphs, scenes, storylines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from contracts.events import ChapterPublished
from contracts.ids import ChapterId
from contracts.ports import ChapterScenes, TreeSnapshot
from contracts.words import count_words, iter_words
from processors.retrieval_text import retrieval_text
from processors.text import read_chapter
from replay.evaluation.annotated import Evidence


@dataclass(frozen=True, slots=True)
class Unit:
    """A text by which something is found, and what is shown of the story then.

    A summary's `span` is None: it shows its own words, which are none of the story's.
    """

    text: str
    span: Evidence | None


def windows(chapters: Sequence[ChapterPublished], size: int) -> list[Unit]:
    """Cut chapters into windows of `size` words; none crosses a chapter."""
    units = []
    for chapter in chapters:
        words = list(iter_words(chapter.body))
        for first in range(0, len(words), size):
            last = words[min(first + size, len(words)) - 1]
            units.append(_unit(chapter, words[first][0], last[1]))
    return units


def merged_paragraphs(chapters: Sequence[ChapterPublished], size: int) -> list[Unit]:
    """Merge whole paragraphs until the next would pass `size` words; none crosses a chapter."""
    return [
        _unit(chapter, start, end) for chapter in chapters for start, end in _merged(chapter, size)
    ]


def scene_units(
    chapters: Sequence[ChapterPublished], scenes: Sequence[ChapterScenes]
) -> list[Unit]:
    """Return whole scenes, found by what the product finds them by."""
    bodies = {chapter.chapter_id: chapter.body for chapter in chapters}
    return [
        Unit(
            retrieval_text(bodies[each.chapter_id], scene),
            Evidence(each.chapter_id, scene.start, scene.end),
        )
        for each in scenes
        for scene in each.scenes
    ]


def storyline_units(snapshot: TreeSnapshot) -> list[Unit]:
    """Return the storylines that are described, by title and synopsis."""
    return [Unit(f"{row.title}\n{row.synopsis}", None) for row in snapshot.descriptions]


def _merged(chapter: ChapterPublished, size: int) -> Iterator[tuple[int, int]]:
    text = read_chapter(chapter)
    starts = [text.sentences[number - 1].start for number in text.paragraph_starts]
    ends = [text.sentences[number - 2].end for number in text.paragraph_starts[1:]]
    spans = list(zip(starts, [*ends, text.sentences[-1].end] if starts else [], strict=True))
    total, number = 0, 0
    numbers = []
    for start, end in spans:
        words = count_words(chapter.body[start:end])
        if total and total + words > size:
            total, number = 0, number + 1
        total += words
        numbers.append(number)
    for _, group in groupby(zip(numbers, spans, strict=True), key=lambda pair: pair[0]):
        merged = [span for _, span in group]
        yield merged[0][0], merged[-1][1]


def _unit(chapter: ChapterPublished, start: int, end: int) -> Unit:
    return Unit(chapter.body[start:end], Evidence(ChapterId(chapter.chapter_id), start, end))
