from __future__ import annotations

import pytest

from contracts.ports import Segmenter, TextEmbedder
from contracts.scenes import ChapterText
from contracts.words import count_words
from processors.boundary_model import BoundaryModel, shipped_model
from processors.cohesion import CohesionSegmenter
from processors.coverage import repair
from processors.length_prior import LONGEST_WORDS, pace
from tests.unit.processors.handmade import SEPARATOR, HashedWords, NoWords, chapter_of

_HARBOUR = (
    "The harbour lay under grey sails while Captain Voss counted barrels on the crooked wharf. "
    "Gulls screamed above the masts and the tide pulled at every rope along the wharf. "
    "Old Captain Voss had loaded barrels in that harbour since the great storm took his brother."
)
_KITCHEN = (
    "In the palace kitchen the cook Mirabel kneaded bread beside three enormous copper ovens. "
    "Flour drifted over the kitchen table and the ovens breathed their heat upon Mirabel. "
    "No cook in the palace had ever baked such bread, and Mirabel knew it very well indeed."
)


async def _starts(chapter: ChapterText, embedder: TextEmbedder | None = None) -> list[int]:
    segmentation = await CohesionSegmenter(embedder or HashedWords()).segment(chapter)
    covered = repair(chapter, segmentation)
    assert covered.repairs.model_copy(update={"attempts": 1}) == segmentation.repairs
    assert [s.home_first for s in covered.segments] == [s.from_idx for s in segmentation.segments]
    return [segment.from_idx for segment in segmentation.segments]


def _words(chapter: ChapterText, starts: list[int]) -> list[int]:
    ends = [*starts[1:], len(chapter.sentences) + 1]
    return [
        sum(count_words(chapter.sentence(number)) for number in range(first, after))
        for first, after in zip(starts, ends, strict=True)
    ]


async def test_cuts_where_the_subject_and_the_persons_change() -> None:
    chapter = chapter_of("\n\n".join([_HARBOUR] * 9 + [_KITCHEN] * 9))
    assert await _starts(chapter) == [1, 28]


async def test_a_new_time_wins_over_its_neighbours() -> None:
    paragraphs = [_HARBOUR] * 20
    paragraphs[9] = "The next morning " + _HARBOUR[0].lower() + _HARBOUR[1:]
    assert await _starts(chapter_of("\n\n".join(paragraphs))) == [1, 28]


async def test_no_scene_crosses_a_separator() -> None:
    stretches = (_HARBOUR, f"{_HARBOUR}\n\n{_HARBOUR}", _KITCHEN)
    text = f"\n\n{SEPARATOR}\n\n".join(stretches)
    assert await _starts(chapter_of(text)) == [1, 4, 10]


async def test_a_short_chapter_stays_one_scene() -> None:
    assert await _starts(chapter_of("\n\n".join([_HARBOUR] * 5))) == [1]


@pytest.mark.parametrize(
    ("paragraph", "language"),
    [
        (_HARBOUR, "en"),
        ("“We must go,” said Ann.", "en"),
        ("祖师道：“你今有缘，我亦喜说。”悟空叩头拜谢，不胜欢喜。", "zh"),
        ("吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。", "ja"),
        ("Der Hafen lag unter grauen Segeln, und der Kapitän zählte die Fässer am Kai.", "de"),
        ("Порт лежал под серыми парусами, и капитан считал бочки на пристани.", "ru"),
    ],
)
async def test_a_monotonous_chapter_of_any_language_is_cut_into_scenes(
    paragraph: str, language: str
) -> None:
    tempo = pace(language)
    repeats = int(3_000 * tempo / count_words(paragraph))
    chapter = chapter_of("\n\n".join([paragraph] * repeats), language)
    for embedder in (HashedWords(), NoWords()):
        words = _words(chapter, await _starts(chapter, embedder))
        assert 200 * tempo < min(words) <= max(words) < 1_000 * tempo


async def test_a_giant_paragraph_is_cut_at_sentence_ends() -> None:
    chapter = chapter_of(" ".join([_HARBOUR] * 30))
    starts = await _starts(chapter)
    assert len(starts) > 1
    assert max(_words(chapter, starts)) <= LONGEST_WORDS


async def test_one_endless_sentence_is_one_scene() -> None:
    assert await _starts(chapter_of("and then " * 3_000)) == [1]


async def test_equal_chapters_give_equal_answers_and_the_version_names_the_embedder() -> None:
    segmenter: Segmenter = CohesionSegmenter(HashedWords())
    chapter = chapter_of("\n\n".join([_HARBOUR, _KITCHEN] * 12))
    assert await segmenter.segment(chapter) == await segmenter.segment(chapter)
    assert segmenter.version.startswith("cohesion-2.")
    assert segmenter.version.endswith("/hashed-words")


async def test_the_version_names_the_weights_and_an_unusual_scene_length() -> None:
    shipped = shipped_model()
    other = BoundaryModel(shipped.weights, (0.0, 1.0, -1.0, 1.0), shipped.spreads)
    versions = {
        CohesionSegmenter(HashedWords()).version,
        CohesionSegmenter(HashedWords(), other).version,
        CohesionSegmenter(HashedWords(), scene_words=200).version,
    }
    assert len(versions) == 3


async def test_scenes_of_another_length_can_be_asked_for() -> None:
    chapter = chapter_of("\n\n".join([_HARBOUR] * 40))
    usual = (await CohesionSegmenter(HashedWords()).segment(chapter)).segments
    short = (await CohesionSegmenter(HashedWords(), scene_words=200).segment(chapter)).segments
    assert len(short) > 1.5 * len(usual)
