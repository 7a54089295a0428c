from __future__ import annotations

from processors.background import primary, simplified, word_probabilities
from processors.term_background import expected_share


def test_words_are_listed_with_their_share_of_all_words() -> None:
    english = word_probabilities("en")
    assert 0.04 < english["the"] < 0.07
    assert english["the"] > english["ship"] > english["schooner"]
    assert 0.9 < sum(english.values()) <= 1.0


def test_a_language_without_a_list_has_no_words() -> None:
    assert word_probabilities("tlh") == {}
    assert word_probabilities("../en") == {}


def test_the_primary_subtag_decides() -> None:
    assert primary("zh-Hans-CN") == "zh"
    assert primary("EN_gb") == "en"


def test_traditional_characters_become_simplified_ones() -> None:
    assert simplified("龍宮的鐵棒") == "龙宫的铁棒"


def test_a_stem_has_the_share_of_all_its_forms() -> None:
    assert expected_share("ship", "en") > 1 - (1 - word_probabilities("en")["ship"]) ** 100
    assert expected_share("the", "en") > 0.99
    assert expected_share("hispaniola", "en") == 0.0


def test_pairs_across_two_common_words_are_more_likely_than_strange_ones() -> None:
    assert (
        expected_share("我们", "zh") > expected_share("的一", "zh") > expected_share("猴龙", "zh")
    )
    assert expected_share("的", "zh") > 0.5
