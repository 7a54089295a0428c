"""How well scene boundaries are found: `python -m replay.evaluation.boundaries [BOOK …]`.

Reads the annotated texts of `../shared/data` and prints, per book and in the mean, boundary
similarity (Fournier's B, near misses up to two paragraphs count in part), exact F1, F1 within one
paragraph, the median scene in words, and the cosine of the sentences on both sides of the cuts
(lower is better, and easy to game: cuts at odd sentences lower it too). Units are paragraphs.
Figures are means over chapters (B, cosine) and over all boundaries of a book (F1). The segmenter
reads each novel with weights that were never fitted on it; German, Chinese and the tales are
in no fit at all.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, median
from typing import Final

from segeval.similarity.boundary import boundary_similarity

from contracts.ports import Segmenter, TextEmbedder
from processors.length_prior import MEDIAN_WORDS
from processors.sif import SifEmbedder
from replay.evaluation.boundary_cosine import boundary_cosines
from replay.evaluation.chunking import FixedLength, MergedParagraphs, SemanticBreaks, Valleys
from replay.evaluation.held_out_segmenter import held_out_segmenter
from replay.evaluation.scene_gold import (
    AnnotatedChapter,
    english_books,
    read_annotated,
    read_german,
    read_tales,
)
from replay.evaluation.shared_data import shared_data

Book = Sequence[AnnotatedChapter]

_NOVELS: Final = (426, 350, MEDIAN_WORDS)
_TALES: Final = (120, 140, 100)
"""Words that fixed chunks, merged paragraphs and scenes are asked to have. Sections of tales are
much shorter than scenes: each is asked for the length at which it does best."""

_NEAR: Final = 3
"""segeval's n_t: boundaries at most two units apart are a near miss."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Of one segmenter on one book, or the mean over books."""

    similarity: float
    exact: float
    near: float
    words: float
    cosine: float

    def __str__(self) -> str:
        return (
            f"{self.similarity:6.3f} {self.exact:6.3f} {self.near:6.3f} {self.words:6.0f} "
            f"{self.cosine:7.3f}"
        )


async def scored(segmenter: Segmenter, chapters: Book, embedder: TextEmbedder) -> Scores:
    """Return the scores of `segmenter` on one book; `embedder` is for the cosine at the cuts."""
    similarities, words, cosines = [], [], [0.0]
    exact = near = found = told = 0
    for chapter in chapters:
        segments = (await segmenter.segment(chapter.text)).segments
        cuts = chapter.cuts(segments)
        words += [chapter.words(segment) for segment in segments]
        cosines += await boundary_cosines(chapter.text, segments, embedder)
        similarities.append(_similarity(chapter.gold, cuts, len(chapter.starts)))
        exact += len(chapter.gold & cuts)
        near += _matched(chapter.gold, cuts)
        found, told = found + len(cuts), told + len(chapter.gold)
    return Scores(
        fmean(similarities),
        2 * exact / (found + told),
        2 * near / (found + told),
        median(words),
        fmean(cosines[1:] or cosines),
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
        fmean(score.cosine for score in scores),
    )


def _segmenters(
    embedder: SifEmbedder, lengths: tuple[int, int, int]
) -> Mapping[str, Callable[[str], Segmenter]]:
    """Return what is compared: by name, the segmenter to be used on a book."""
    fixed, merged, scene = lengths
    return {
        f"fixed length ({fixed})": lambda _: FixedLength(fixed),
        f"paragraphs merged ({merged})": lambda _: MergedParagraphs(merged),
        "TextTiling-like valleys": lambda _: Valleys(),
        "semantic breaks": lambda _: SemanticBreaks(embedder),
        "cohesion (the default)": lambda book: held_out_segmenter(book, embedder, scene),
    }


async def _report(
    title: str,
    books: Mapping[str, Book],
    embedder: SifEmbedder,
    lengths: tuple[int, int, int] = _NOVELS,
) -> None:
    for name, of_book in _segmenters(embedder, lengths).items():
        print(f"{title + ': ' + name:45}      B  exact   near  words  cosine")
        scores = []
        for book, chapters in books.items():
            scores.append(await scored(of_book(book), chapters, embedder))
            print(f"  {book:43} {scores[-1]}", flush=True)
        if len(books) > 1:
            print(f"  {'mean of ' + str(len(scores)):43} {mean_scores(scores)}")


async def main(names: Sequence[str]) -> None:
    """Print the tables of the named novels, or of all that is annotated."""
    data = shared_data()
    embedder = SifEmbedder()
    english = names or english_books(data)
    novels = {book: read_annotated(data, book) for book in english}
    await _report("novels", novels, embedder)
    if not names:
        await _report("German", {"effi-briest": read_german(data)}, embedder)
        chinese = "journey-to-the-west"
        await _report("Chinese", {chinese: read_annotated(data, chinese)}, embedder)
        await _report("tales in sections", {"fairytaleqa": read_tales(data)}, embedder, _TALES)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
