from __future__ import annotations

import pytest

from contracts.ports import Segmenter
from contracts.scenes import Segment
from processors.cohesion import CohesionSegmenter
from processors.sif import SifEmbedder
from replay.evaluation.boundaries import (
    AnnotatedChapter,
    english_books,
    mean_scores,
    read_annotated,
    scored,
)
from replay.evaluation.chunking import FixedLength, MergedParagraphs, Valleys
from replay.evaluation.shared_data import shared_data
from tests.unit.processors.handmade import chapter_of

_CHAPTER = chapter_of("\n\n".join(f"Paragraph {n} has six words." for n in range(10)))
_STARTS = tuple(_CHAPTER.sentences[number - 1].start for number in _CHAPTER.paragraph_starts)


async def _starts(segmenter: Segmenter) -> list[int]:
    return [segment.from_idx for segment in (await segmenter.segment(_CHAPTER)).segments]


async def test_the_baselines_cut_by_length_alone() -> None:
    assert await _starts(FixedLength(words=12)) == [1, 4, 7, 10]
    assert await _starts(MergedParagraphs(words=12)) == [1, 3, 5, 7, 9]
    assert await _starts(MergedParagraphs(words=1)) == [*range(1, 11)]


async def test_valleys_cut_where_the_vocabulary_changes() -> None:
    text = "\n\n".join(["Ships sail on stormy seas."] * 5 + ["Bread bakes in warm ovens."] * 5)
    segments = (await Valleys().segment(chapter_of(text))).segments
    assert [segment.from_idx for segment in segments] == [1, 6]


async def test_a_perfect_answer_scores_one_and_a_near_miss_less() -> None:
    perfect = AnnotatedChapter(_CHAPTER, _STARTS, frozenset({2, 4, 6, 8}))
    score = await scored(MergedParagraphs(words=12), [perfect])
    assert (score.similarity, score.exact, score.near, score.words) == (1, 1, 1, 10)
    shifted = AnnotatedChapter(_CHAPTER, _STARTS, frozenset({3, 5, 7, 9}))
    score = await scored(MergedParagraphs(words=12), [shifted])
    assert 0 < score.similarity < 1
    assert (score.exact, score.near) == (0, 1)
    assert mean_scores([score, score]) == score


async def test_a_chapter_of_one_scene_found_as_one_scores_one() -> None:
    whole = AnnotatedChapter(_CHAPTER, _STARTS, frozenset())
    other = AnnotatedChapter(_CHAPTER, _STARTS, frozenset({5}))
    score = await scored(FixedLength(words=1_000), [whole, other])
    assert (score.similarity, score.exact) == (0.5, 0)


def test_segments_map_to_the_nearest_paragraphs() -> None:
    chapter = AnnotatedChapter(_CHAPTER, _STARTS, frozenset())
    segments = (Segment(from_idx=1, to_idx=4), Segment(from_idx=5, to_idx=10))
    assert chapter.cuts(segments) == {4}
    assert chapter.paragraph_at(_STARTS[3] + 2) == 3
    assert chapter.words(segments[0]) == 20


@pytest.mark.corpus
@pytest.mark.parametrize("book", ["call-of-the-wild", "sign-of-the-four"])
async def test_cohesion_beats_every_baseline(book: str) -> None:
    data = shared_data()
    assert book in english_books(data)
    chapters = read_annotated(data, book)
    best = await scored(CohesionSegmenter(SifEmbedder()), chapters)
    for baseline in (FixedLength(), MergedParagraphs(), Valleys()):
        other = await scored(baseline, chapters)
        assert best.similarity > other.similarity + 0.05
        assert best.exact > other.exact + 0.1
    assert 380 < best.words < 560
