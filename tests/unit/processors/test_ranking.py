from __future__ import annotations

import numpy as np
import pytest

from processors.clue_weights import ClueWeights, shipped_weights
from processors.clues import Clue
from processors.ranking import SentenceRanker
from tests.unit.processors.pooled import asking, found

_STORY = {
    "one": [
        "The lodger kept a brass telescope on the hill. Rain fell on the inn all that week.",
        "The sailor sang of gold. He owed the landlord for eleven weeks of lodging and of meat.",
    ],
    "two": ["A doctor came over the marsh. He asked for nothing but a pipe."],
}


def _only(*clues: Clue) -> ClueWeights:
    return ClueWeights({clue: 20_000 * (clue in clues) for clue in Clue})


def _best(question: str, ranker: SentenceRanker) -> str:
    sentences, texts = found(_STORY)
    best = ranker.ranked(sentences, texts, asking(question))[0]
    return texts[best.candidate.chapter_id][best.start : best.end]


@pytest.mark.parametrize("clue", [Clue.TERMS, Clue.TERMS_PART, Clue.LIKE, Clue.MEANING])
def test_each_way_to_match_finds_the_words_themselves(clue: Clue) -> None:
    found_best = _best("Who had a telescope made of brass?", SentenceRanker(_only(clue)))
    assert "telescope" in found_best


def test_a_like_word_is_found_where_the_word_itself_is_not() -> None:
    question = "Which physician crossed the swamp?"
    sentences, texts = found(_STORY)
    _, columns = SentenceRanker().clues(sentences, texts, asking(question))
    assert columns[Clue.TERMS].max() < 0.01  # of "the"
    assert "doctor came over the marsh" in _best(question, SentenceRanker(_only(Clue.LIKE)))


def test_a_number_is_a_sign_where_one_is_asked_for() -> None:
    weights = SentenceRanker(_only(Clue.SIGN_OF_NUMBER))
    assert "eleven weeks" in _best("How many weeks did he owe?", weights)
    sentences, texts = found(_STORY)
    _, columns = SentenceRanker().clues(sentences, texts, asking("Where did he live?"))
    assert not columns[Clue.SIGN_OF_NUMBER].any()


def test_what_stands_near_counts_within_a_chapter_only() -> None:
    sentences, texts = found(_STORY)
    _, columns = SentenceRanker().clues(sentences, texts, asking("Who had the telescope?"))
    assert (columns[Clue.TERMS] > 0.01).tolist() == [True, False, False, False, False, False]
    assert (columns[Clue.TERMS_AROUND] > 0.01).tolist() == [True] * 4 + [False] * 2


def test_scores_are_shares_of_the_best_and_ties_stay_in_the_order_of_the_story() -> None:
    sentences, texts = found(_STORY)
    ranked = SentenceRanker(_only()).ranked(sentences, texts, asking("telescope"))
    assert ranked[0].score == 1.0
    assert all(0 < each.score <= 1 for each in ranked)
    spans = [(each.candidate.chapter_id, each.start) for each in ranked if each.score == 1.0]
    assert spans == sorted(spans)
    assert len(spans) > 1


def test_no_sentences_rank_to_none() -> None:
    assert SentenceRanker().ranked([], {}, asking("telescope")) == []


def test_chinese_is_matched_by_its_characters() -> None:
    story = {"一": ["孙悟空在花果山做了猴王。唐僧骑着白马往西天取经。他有一根金箍棒。"]}
    sentences, texts = found(story, "zh")
    question = asking("谁骑着白马？", "zh")
    ranked = SentenceRanker(_only(Clue.TERMS, Clue.LIKE)).ranked(sentences, texts, question)
    best = ranked[0]
    assert "白马" in texts[best.candidate.chapter_id][best.start : best.end]


def test_all_clues_are_finite_and_shipped_weights_know_them() -> None:
    sentences, texts = found({"one": ["…", "!!! ???", "A sailor came."]})
    _, columns = SentenceRanker().clues(sentences, texts, asking("Which sailor came?"))
    assert set(columns) == set(Clue) == set(shipped_weights().weights)
    assert all(np.isfinite(column).all() for column in columns.values())


def test_a_table_that_misses_a_clue_is_refused() -> None:
    table = shipped_weights().as_table()
    assert ClueWeights.parse(table) == shipped_weights()
    del table["like"]
    with pytest.raises(ValueError, match="every clue"):
        ClueWeights.parse(table)
