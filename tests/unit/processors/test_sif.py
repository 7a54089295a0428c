from __future__ import annotations

import numpy as np
import pytest

from contracts.vectors import DENSE_SCALE, DIMENSIONS, Dense
from processors.dense import ZERO, mean_direction
from processors.sif import SifEmbedder, common_component

TEXTS = (
    "The captain sailed the ship across the sea.",
    "Sailors on a boat in the ocean obeyed their skipper.",
    "She baked a cake with butter and sugar in the kitchen.",
    "O’Brien didn't know 1,234 naïve façades.",
    "的",
    "",
)


def _cosine(left: Dense, right: Dense) -> float:
    vectors = [np.frombuffer(each, dtype="<i2").astype(float) for each in (left, right)]
    return float(vectors[0] @ vectors[1]) / DENSE_SCALE**2


async def test_a_vector_does_not_depend_on_its_batch() -> None:
    together = await SifEmbedder().embed(TEXTS, "en")
    embedder = SifEmbedder()
    alone = [(await embedder.embed([text], "en"))[0] for text in reversed(TEXTS)]
    assert together == tuple(reversed(alone))


async def test_vectors_are_of_length_one_in_whole_steps() -> None:
    for dense in (await SifEmbedder().embed(TEXTS, "en"))[:-1]:
        vector = np.frombuffer(dense, dtype="<i2").astype(float)
        assert vector.shape == (DIMENSIONS,)
        assert abs(np.linalg.norm(vector) - DENSE_SCALE) < 0.01 * DENSE_SCALE


@pytest.mark.parametrize("text", ["", "   ", "…!? — 「」", "\ud800"])
async def test_a_text_without_words_gives_the_zero_vector(text: str) -> None:
    assert await SifEmbedder().embed([text], "en") == (ZERO,)


async def test_no_text_gives_no_vector() -> None:
    assert await SifEmbedder().embed([], "en") == ()


async def test_like_meaning_is_nearer_than_unlike() -> None:
    sea, boat, cake, *_ = await SifEmbedder().embed(TEXTS, "en")
    assert _cosine(sea, boat) > 0.3 > _cosine(sea, cake)


async def test_common_words_hardly_move_a_vector() -> None:
    plain, padded = await SifEmbedder().embed(["schooner", "and it was the schooner of the"], "en")
    assert _cosine(plain, padded) > 0.95


async def test_chinese_is_read_by_characters_in_either_script() -> None:
    texts = ["孫悟空大闹天宫", "孙悟空大鬧天宮", "大闹天宫的孙悟空", "夫人在家里做饭"]
    traditional, mixed, turned, other = await SifEmbedder().embed(texts, "zh-Hans")
    assert traditional == mixed
    assert _cosine(traditional, turned) > 0.9
    assert _cosine(traditional, other) < 0.3


async def test_the_language_decides_what_is_common() -> None:
    english, other = SifEmbedder(), SifEmbedder()
    text = ["The man die"]
    assert await english.embed(text, "en-GB") == await other.embed(text, "en")
    assert await english.embed(text, "de") == await other.embed(text, "de-AT")
    assert await english.embed(text, "de") != await other.embed(text, "en")


def test_components_are_unit_vectors_and_other_languages_take_the_english_one() -> None:
    for language in ("en", "zh", "ja"):
        assert abs(np.linalg.norm(common_component(language)) - 1) < 1e-3
    assert np.array_equal(common_component("de"), common_component("en"))
    assert not np.array_equal(common_component("zh"), common_component("en"))


async def test_mean_direction_leaves_zero_vectors_out() -> None:
    left, right, *_ = await SifEmbedder().embed(TEXTS, "en")
    assert mean_direction([left, ZERO]) == left
    assert mean_direction([ZERO, ZERO]) == ZERO
    assert _cosine(mean_direction([left, right]), left) > _cosine(left, right)


def test_the_version_names_its_parts() -> None:
    version = SifEmbedder().version
    assert "wordllama-" in version
    assert "wordfreq-" in version
