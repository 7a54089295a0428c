"""What of the found passages is worth a reader's words: the sentences that answer best.

Passages are cut into extracts of a few whole sentences, each scored by its passage and by its
own words. (Measured: within 500 words extracts hold a sixth more evidence than passages.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from contracts.ids import ChapterId
from contracts.words import count_words
from processors.fusion import NEAR, Candidate
from processors.passage_sentences import sentences_within
from processors.passages import TARGET_WORDS
from processors.terms import terms_of

EXTRACT_WORDS: Final = 30
"""Two sentences of a novel."""

_BESIDE: Final = 0.25
"""What the extracts beside it add of their own words' score to an extract's."""

_SATURATION: Final = 0.8
"""A term counts n/(n + this) for n times: in so few words the first time tells nearly all."""

_LENGTH_SHARE: Final = 0.3
"""How much of the saturation grows with an extract's length."""

_SURPLUS: Final = 4
"""Passages with so many times the budget's words are cut: the rest would not come in."""

_FEWEST: Final = 8  # passages that are cut for the smallest budget


@dataclass(frozen=True, slots=True)
class Extract:
    """Whole sentences of one passage: code points `[start, end)` of its chapter's text."""

    candidate: Candidate
    start: int
    end: int
    words: int
    score: float


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a question looks for: its terms with their rarities, in a language."""

    rarities: Mapping[str, float]
    language: str


def worth_cutting(candidates: Sequence[Candidate], words: int) -> Sequence[Candidate]:
    """Return those of `candidates`, best first, that may come into a budget of `words`."""
    return candidates[: max(_FEWEST, _SURPLUS * words // TARGET_WORDS)]


def extracts_of(
    candidates: Sequence[Candidate], texts: Mapping[ChapterId, str], wanted: Wanted, size: int
) -> list[Extract]:
    """Cut passages into extracts of about `size` words, best first.

    `candidates` are best first; the order of ties is theirs, then the text's. `texts` holds
    the text of each of their chapters.
    """
    extracts = [
        extract
        for candidate in candidates
        for extract in _cut(candidate, texts[candidate.chapter_id], wanted.language, size)
    ]
    own = _own_scores(extracts, texts, wanted)
    scored = [
        replace(extract, score=extract.candidate.score + score)
        for extract, score in zip(extracts, own, strict=True)
    ]
    return sorted(scored, key=lambda extract: -extract.score)


def _cut(candidate: Candidate, text: str, language: str, size: int) -> Iterator[Extract]:
    """Yield even runs of sentences, each near `size` words."""
    spans = sentences_within(text, candidate.hit.start, candidate.hit.end, language)
    words = [count_words(text[span.start : span.end]) for span in spans]
    runs = max(1, round(sum(words) / size))
    share = sum(words) / runs
    first, taken, done = 0, 0, 0
    for nth, (span, count) in enumerate(zip(spans, words, strict=True)):
        taken += count
        if nth == len(spans) - 1 or taken >= share * (done + 1):
            yield Extract(candidate, spans[first].start, span.end, sum(words[first : nth + 1]), 0.0)
            first, done = nth + 1, done + 1


def _own_scores(
    extracts: Sequence[Extract], texts: Mapping[ChapterId, str], wanted: Wanted
) -> list[float]:
    """Return each extract's share of the best by its own words, with part of those beside it."""
    matched = [
        _matched(texts[extract.candidate.chapter_id][extract.start : extract.end], wanted)
        for extract in extracts
    ]
    best = max(matched, default=0.0) or 1.0
    scores = [score / best for score in matched]
    story = sorted(
        range(len(extracts)),
        key=lambda nth: (extracts[nth].candidate.chapter_id, extracts[nth].start),
    )
    with_beside = list(scores)
    for left, right in pairwise(story):
        if _beside(extracts[left], extracts[right]):
            with_beside[left] += _BESIDE * scores[right]
            with_beside[right] += _BESIDE * scores[left]
    return with_beside


def _beside(left: Extract, right: Extract) -> bool:
    same_chapter = left.candidate.chapter_id == right.candidate.chapter_id
    return same_chapter and right.start - left.end <= NEAR


def _matched(text: str, wanted: Wanted) -> float:
    """Return how much of what the question looks for stands in `text`."""
    terms = terms_of(text, wanted.language)
    counts = Counter(term for term in terms if term in wanted.rarities)
    damping = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * len(terms) / EXTRACT_WORDS)
    return sum(wanted.rarities[term] * n / (n + damping) for term, n in sorted(counts.items()))
