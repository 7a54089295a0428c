"""How well scene boundaries are found: `python -m replay.evaluation.boundaries [BOOK …]`.

Reads the annotated English novels of `../shared/data` and prints, per book and in the mean,
boundary similarity (Fournier's B, near misses up to two paragraphs count in part), exact F1, F1
within one paragraph, and the median scene in words. Units are paragraphs. Figures are means over
chapters (B) and over all boundaries of a book (F1). The four books on which the segmenter's
weights were chosen are shown but kept out of the mean.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median
from typing import Final

from segeval.similarity.boundary import boundary_similarity

from contracts.events import ChapterPublished
from contracts.ids import ChapterId, WorkId
from contracts.ordinals import Ordinal
from contracts.ports import Segmenter
from contracts.scenes import ChapterText, Segment
from contracts.words import count_words
from processors.cohesion import CohesionSegmenter
from processors.sif import SifEmbedder
from processors.text import read_chapter
from replay.evaluation.chunking import FixedLength, MergedParagraphs, Valleys
from replay.evaluation.shared_data import shared_data

CHOSEN_ON: Final = (
    "alice-in-wonderland",
    "call-of-the-wild",
    "sign-of-the-four",
    "war-of-the-worlds",
)
_NEAR: Final = 3
"""segeval's n_t: boundaries at most two units apart are a near miss."""


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


@dataclass(frozen=True, slots=True)
class Scores:
    """Of one segmenter on one book, or the mean over books."""

    similarity: float
    exact: float
    near: float
    words: float

    def __str__(self) -> str:
        return f"{self.similarity:6.3f} {self.exact:6.3f} {self.near:6.3f} {self.words:6.0f}"


def read_annotated(data: Path, book: str) -> tuple[AnnotatedChapter, ...]:
    """Return the chapters of `book` that have at least two paragraphs."""
    texts = {
        chapter["index"]: chapter["text"]
        for chapter in json.loads((data / "books" / f"{book}.json").read_bytes())["chapters"]
    }
    annotated = json.loads((data / "storylines" / f"{book}.json").read_bytes())["chapters"]
    chapters = [
        _annotated(
            _read(book, chapter["index"], texts[chapter["index"]]),
            [scene["start"] for scene in chapter["scenes"][1:]],
        )
        for chapter in annotated
    ]
    return tuple(chapter for chapter in chapters if len(chapter.starts) > 1)


def _read(book: str, index: int, body: str) -> ChapterText:
    return read_chapter(
        ChapterPublished(
            work_id=WorkId(book),
            chapter_id=ChapterId(str(index)),
            ordinal=Ordinal.parse(index),
            body=body,
            language="en",
        )
    )


def _annotated(text: ChapterText, scene_starts: Sequence[int]) -> AnnotatedChapter:
    starts = tuple(text.sentences[number - 1].start for number in text.paragraph_starts)
    chapter = AnnotatedChapter(text, starts, frozenset())
    gold = frozenset(chapter.paragraph_at(start) for start in scene_starts) - {0}
    return AnnotatedChapter(text, starts, gold)


async def scored(segmenter: Segmenter, chapters: Sequence[AnnotatedChapter]) -> Scores:
    """Return the scores of `segmenter` on one book."""
    similarities, words = [], []
    exact = near = found = told = 0
    for chapter in chapters:
        segments = (await segmenter.segment(chapter.text)).segments
        cuts = chapter.cuts(segments)
        words += [chapter.words(segment) for segment in segments]
        similarities.append(_similarity(chapter.gold, cuts, len(chapter.starts)))
        exact += len(chapter.gold & cuts)
        near += _matched(chapter.gold, cuts)
        found, told = found + len(cuts), told + len(chapter.gold)
    return Scores(
        fmean(similarities), 2 * exact / (found + told), 2 * near / (found + told), median(words)
    )


def _similarity(gold: frozenset[int], cuts: frozenset[int], units: int) -> float:
    if not gold and not cuts:
        return 1.0
    masses = [
        tuple(after - first for first, after in pairwise([0, *sorted(bounds), units]))
        for bounds in (gold, cuts)
    ]
    return float(boundary_similarity(*masses, n_t=_NEAR))


def _matched(gold: frozenset[int], cuts: frozenset[int]) -> int:
    """Count the cuts that have a gold boundary of their own within one paragraph."""
    free = set(gold)
    count = 0
    for cut in sorted(cuts):
        partner = next((at for at in (cut - 1, cut, cut + 1) if at in free), None)
        if partner is not None:
            free.remove(partner)
            count += 1
    return count


def mean_scores(scores: Sequence[Scores]) -> Scores:
    """Return the mean over books."""
    return Scores(
        fmean(score.similarity for score in scores),
        fmean(score.exact for score in scores),
        fmean(score.near for score in scores),
        fmean(score.words for score in scores),
    )


async def _report(books: Sequence[str]) -> None:
    segmenters: Mapping[str, Segmenter] = {
        "fixed length": FixedLength(),
        "paragraphs merged": MergedParagraphs(),
        "valleys": Valleys(),
        "cohesion": CohesionSegmenter(SifEmbedder()),
    }
    chapters = {book: read_annotated(shared_data(), book) for book in books}
    for name, segmenter in segmenters.items():
        print(f"{name:32}      B  exact   near  words")
        scores = {book: await scored(segmenter, chapters[book]) for book in books}
        for book, score in scores.items():
            print(f"  {book:30} {score}{'  (chosen on)' if book in CHOSEN_ON else ''}")
        reported = [score for book, score in scores.items() if book not in CHOSEN_ON]
        print(f"  {'mean of ' + str(len(reported)):30} {mean_scores(reported)}")


def english_books(data: Path) -> list[str]:
    """Return the annotated English books, by name."""
    named = sorted(path.stem for path in (data / "storylines").glob("*.json"))
    return [book for book in named if (data / "books" / f"{book}.json").exists()]


if __name__ == "__main__":
    asyncio.run(_report(sys.argv[1:] or english_books(shared_data())))
