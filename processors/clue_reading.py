"""Reads the clues of a pool's sentences (`processors.clues`), one column each.

Nothing is read but the pool and the question, so equal pools give equal columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from contracts.ids import ChapterId
from processors.answer_signs import shown
from processors.clue_matching import Matches, likeness
from processors.clues import Clue
from processors.pools import Pool, highest_near, summed_by_group, summed_near
from processors.question_words import Asked
from processors.questions import Question

Floats = NDArray[np.float64]
Columns = dict[Clue, Floats]

_SATURATION: Final = 0.8
"""A term counts n/(n + this) for n times: in so few words the first time tells nearly all."""

_LENGTH_SHARE: Final = 0.3
"""How much of the saturation grows with the length of what the term stands in."""

_USUAL_WORDS: Final = 30
_CHAPTER_SATURATION: Final = 3.0  # in the many words of a chapter it tells less
_CHAPTER_END: Final = 500.0  # code points: five sentences of a novel


def read_clues(
    pool: Pool, question: Question, found: Matches, texts: Mapping[ChapterId, str]
) -> Columns:
    """Return every clue of every sentence of a pool, which has at least one.

    `texts` holds the text of each chapter that a sentence is of.
    """
    return {
        **_standing(pool, found),
        **_terms(pool, found),
        **_like(pool, found),
        **_meaning(pool, found),
        **_signs(pool, question),
        **_form(pool, texts),
    }


def _standing(pool: Pool, found: Matches) -> Columns:
    own = np.array([each.own for each in pool.candidates])[pool.passages]
    scene = np.array([each.scene for each in pool.candidates])[pool.passages]
    by_passage, by_scene = _ranks(own + scene, pool.passages), _ranks(own + scene, pool.scenes)
    told = summed_by_group(found.terms, pool.chapters)[pool.chapters]
    return {
        Clue.PASSAGE: own,
        Clue.SCENE: scene,
        Clue.PASSAGE_RANK: -np.log1p(by_passage),
        Clue.SCENE_RANK: -np.log1p(by_scene),
        Clue.CHAPTER: _part(_share(told / (told + _CHAPTER_SATURATION), found.rarities)),
    }


def _ranks(scores: Floats, groups: NDArray[np.int64]) -> Floats:
    """Return how many groups have a better best score, or an equal one and come first."""
    best = np.full(groups.max() + 1, -np.inf)
    np.maximum.at(best, groups, scores)
    ranks = np.empty(len(best))
    ranks[np.argsort(-best, kind="stable")] = np.arange(len(best))
    return ranks[groups]


def _terms(pool: Pool, found: Matches) -> Columns:
    words = np.array([each.words for each in pool.sentences], dtype=np.float64)

    def saturated(counts: Floats, length: Floats) -> Floats:
        length = length / _USUAL_WORDS
        damping = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * length)
        return _share(counts / (counts + damping[:, None]), found.rarities)

    reaches = (0, 1, 4, 8)
    own, next_to, near, around = map(
        saturated,
        summed_near(found.terms, pool.runs, *reaches),
        summed_near(words, pool.runs, *reaches),
    )
    named = np.minimum(found.terms[:, found.named].sum(axis=1), 1.0)
    names_near, names_around = highest_near(named, pool.runs, 2, 8)
    return {
        Clue.TERMS: own,
        Clue.TERMS_NEXT: next_to,
        Clue.TERMS_NEAR: near,
        Clue.TERMS_AROUND: around,
        Clue.TERMS_PART: _part(own),
        Clue.TERMS_NEAR_PART: _part(near),
        Clue.NAMES_NEAR: names_near,
        Clue.NAMES_AROUND: names_around,
    }


def _like(pool: Pool, found: Matches) -> Columns:
    own, next_to, near, around = (
        _share(like, found.weights) for like in highest_near(found.like, pool.runs, 0, 1, 3, 8)
    )
    return {
        Clue.LIKE: own,
        Clue.LIKE_NEXT: next_to,
        Clue.LIKE_NEAR: near,
        Clue.LIKE_AROUND: around,
        Clue.LIKE_PART: _part(own),
        Clue.LIKE_NEXT_PART: _part(next_to),
        Clue.LIKE_NEAR_PART: _part(near),
        Clue.LIKE_AROUND_PART: _part(around),
    }


def _meaning(pool: Pool, found: Matches) -> Columns:
    (beside,) = summed_near(found.totals, pool.runs, 1)
    passages = summed_by_group(found.totals, pool.passages)
    scenes = summed_by_group(passages, pool.passage_scenes)
    own, next_to, passage, scene = (
        likeness(totals, found.question, pool.language)
        for totals in (found.totals, beside, passages, scenes)
    )
    return {
        Clue.MEANING: own,
        Clue.MEANING_NEXT: next_to,
        Clue.MEANING_PART: _part(np.maximum(own, 0.0)),
        Clue.MEANING_NEXT_PART: _part(np.maximum(next_to, 0.0)),
        Clue.MEANING_OF_PASSAGE: passage[pool.passages],
        Clue.MEANING_OF_SCENE: scene[pool.scenes],
    }


def _signs(pool: Pool, question: Question) -> Columns:
    language, asked = pool.language, question.asked
    sign = np.array(shown(pool.texts, asked, language, question.terms), dtype=np.float64)
    (beside,) = highest_near(sign, pool.runs, 1)
    return {
        Clue.SIGN: sign,
        Clue.SIGN_NEXT: beside,
        Clue.SIGN_OF_NUMBER: sign * (asked is Asked.NUMBER),
        Clue.SIGN_OF_TIME: sign * (asked is Asked.TIME),
    }


def _form(pool: Pool, texts: Mapping[ChapterId, str]) -> Columns:
    words = np.array([each.words for each in pool.sentences], dtype=np.float64)
    lengths = np.array([len(texts[each.chapter_id]) for each in pool.candidates])
    return {
        Clue.LENGTH: np.log1p(words),
        Clue.SPOKEN: np.array([each.spoken for each in pool.read]),
        Clue.ASKS: np.array([each.asks for each in pool.read], dtype=np.float64),
        Clue.CHAPTER_END: np.exp(-(lengths[pool.passages] - pool.ends) / _CHAPTER_END),
    }


def _share(values: Floats, weights: Floats) -> Floats:
    """Return each row's weighted sum as a share of all the weights."""
    total = float(weights.sum())
    shares: Floats = values @ weights / total if total > 0 else np.zeros(len(values))
    return shares


def _part(values: Floats) -> Floats:
    best = float(values.max())
    return values / best if best > 0 else np.zeros(len(values))
