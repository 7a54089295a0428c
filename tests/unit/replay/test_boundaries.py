from __future__ import annotations

import pytest

from contracts.ports import Segmenter
from contracts.scenes import Segment
from processors.cohesion import CohesionSegmenter
from processors.sif import SifEmbedder
from replay.evaluation.boundaries import Scores, mean_scores, scored
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
from tests.unit.processors.handmade import HashedWords, chapter_of

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


async def test_semantic_breaks_cut_where_the_meaning_changes() -> None:
    text = "\n\n".join(["Ships sail on stormy seas."] * 10 + ["Bread bakes in warm ovens."] * 10)
    segments = (await SemanticBreaks(HashedWords(), 90.0).segment(chapter_of(text))).segments
    assert len(segments) in {2, 3}
    assert segments[1].from_idx in {10, 11, 12}
    lonely = (await SemanticBreaks(HashedWords()).segment(chapter_of("Ships sail."))).segments
    assert [segment.from_idx for segment in lonely] == [1]


async def _scored(segmenter: Segmenter, *chapters: AnnotatedChapter) -> Scores:
    return await scored(segmenter, chapters, HashedWords())


async def test_a_perfect_answer_scores_one_and_a_near_miss_less() -> None:
    perfect = AnnotatedChapter(_CHAPTER, _STARTS, frozenset({2, 4, 6, 8}))
    score = await _scored(MergedParagraphs(words=12), perfect)
    assert (score.similarity, score.exact, score.near, score.words) == (1, 1, 1, 10)
    shifted = AnnotatedChapter(_CHAPTER, _STARTS, frozenset({3, 5, 7, 9}))
    score = await _scored(MergedParagraphs(words=12), shifted)
    assert 0 < score.similarity < 1
    assert (score.exact, score.near) == (0, 1)
    assert mean_scores([score, score]) == score


async def test_a_chapter_of_one_scene_found_as_one_scores_one() -> None:
    whole = AnnotatedChapter(_CHAPTER, _STARTS, frozenset())
    other = AnnotatedChapter(_CHAPTER, _STARTS, frozenset({5}))
    score = await _scored(FixedLength(words=1_000), whole, other)
    assert (score.similarity, score.exact) == (0.5, 0)


def test_segments_map_to_the_nearest_paragraphs() -> None:
    chapter = AnnotatedChapter(_CHAPTER, _STARTS, frozenset())
    segments = (Segment(from_idx=1, to_idx=4), Segment(from_idx=5, to_idx=10))
    assert chapter.cuts(segments) == {4}
    assert chapter.paragraph_at(_STARTS[3] + 2) == 3
    assert chapter.words(segments[0]) == 20


async def test_the_cosine_at_a_cut_compares_its_two_sentences() -> None:
    chapter = chapter_of("Ships sail far.\n\nShips sail far.\n\nBread bakes. \n\n1 2 3.")
    one, two, three, four = (Segment(from_idx=n, to_idx=n) for n in range(1, 5))
    cosines = await boundary_cosines(chapter, [one, two, three, four], HashedWords())
    assert cosines == [pytest.approx(1.0), pytest.approx(0.0, abs=0.2)]
    assert await boundary_cosines(chapter, [Segment(from_idx=1, to_idx=4)], HashedWords()) == []


@pytest.mark.corpus
@pytest.mark.parametrize("book", ["hound-of-the-baskervilles", "time-machine"])
async def test_weights_of_other_books_beat_every_baseline(book: str) -> None:
    data = shared_data()
    assert book in english_books(data)
    chapters = read_annotated(data, book)
    embedder = SifEmbedder()
    segmenter = held_out_segmenter(book, embedder)
    assert segmenter.version != CohesionSegmenter(embedder).version
    best = await scored(segmenter, chapters, embedder)
    for baseline in (FixedLength(), MergedParagraphs(), Valleys(), SemanticBreaks(embedder)):
        other = await scored(baseline, chapters, embedder)
        assert best.similarity > other.similarity + 0.05
        assert best.near > other.near + 0.02
    assert 380 < best.words < 560


@pytest.mark.corpus
def test_german_chapters_and_tales_are_read_with_their_gold() -> None:
    german = read_german(shared_data())
    assert len(german) == 36
    assert german[1].text.text.startswith("Sie sprachen noch eine Weile so weiter")
    assert 150 < sum(len(chapter.gold) for chapter in german) < 227
    tales = read_tales(shared_data())
    assert len(tales) > 240
    assert all(max(tale.gold, default=0) < len(tale.starts) for tale in tales)
