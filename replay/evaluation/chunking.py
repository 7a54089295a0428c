"""The chunkers that a segmenter must beat, as segmenters: cuts at sentence ends, nothing told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, pstdev
from typing import Final

import numpy as np

from contracts.ports import TextEmbedder
from contracts.scenes import ChapterText, Segment, Segmentation
from contracts.words import count_words
from processors.length_prior import pace
from processors.terms import terms_of

_WINDOW: Final = 3
"""Paragraphs on either side that the valleys compare."""


@dataclass(frozen=True, slots=True)
class FixedLength:
    """Cuts at the first sentence end after every `words` words."""

    words: int = 426  # of English; more where a word tells less

    @property
    def version(self) -> str:
        """Name and length."""
        return f"fixed-{self.words}"

    async def segment(self, chapter: ChapterText) -> Segmentation:
        """Cut `chapter` without looking at it."""
        firsts, total, tempo = [1], 0, pace(chapter.language)
        for number in range(1, len(chapter.sentences)):
            total += count_words(chapter.sentence(number))
            if total >= self.words * tempo:
                firsts.append(number + 1)
                total = 0
        return _segmentation(chapter, firsts, self.version)


@dataclass(frozen=True, slots=True)
class MergedParagraphs:
    """Merges paragraphs as long as they stay within `words` words together."""

    words: int = 350

    @property
    def version(self) -> str:
        """Name and length."""
        return f"merged-{self.words}"

    async def segment(self, chapter: ChapterText) -> Segmentation:
        """Cut `chapter` at paragraph ends."""
        firsts, total, tempo = [1], 0, pace(chapter.language)
        for first, last in _paragraphs(chapter):
            words = count_words(_text(chapter, first, last))
            if total and total + words > self.words * tempo:
                firsts.append(first)
                total = 0
            total += words
        return _segmentation(chapter, firsts, self.version)


@dataclass(frozen=True, slots=True)
class Valleys:
    """TextTiling's idea on paragraphs: cuts where the vocabulary changes more than usual.

    A place's depth is how far the likeness of the terms around it lies below the nearest peaks
    on both sides; places deeper than the mean plus half a standard deviation are cut.
    """

    @property
    def version(self) -> str:
        """Name and window."""
        return f"valleys-{_WINDOW}"

    async def segment(self, chapter: ChapterText) -> Segmentation:
        """Cut `chapter` at its valleys."""
        paragraphs = _paragraphs(chapter)
        terms = [
            Counter(terms_of(_text(chapter, first, last), chapter.language))
            for first, last in paragraphs
        ]
        likeness = [
            _cosine(_summed(terms[max(0, at - _WINDOW) : at]), _summed(terms[at : at + _WINDOW]))
            for at in range(1, len(terms))
        ]
        depths = [
            _peak(likeness[at::-1]) + _peak(likeness[at:]) - 2 * likeness[at]
            for at in range(len(likeness))
        ]
        least = fmean(depths) + pstdev(depths) / 2 if depths else 0.0
        deep = [at for at, depth in enumerate(depths) if depth > least and depth > 0]
        return _segmentation(chapter, [1, *(paragraphs[at + 1][0] for at in deep)], self.version)


@dataclass(frozen=True, slots=True)
class SemanticBreaks:
    """Cuts where neighbouring sentences differ most in meaning (LangChain's SemanticChunker).

    Each sentence is embedded with the one before and the one after it; cut are the places whose
    distance lies above the chapter's `percentile` of distances.
    """

    embedder: TextEmbedder
    percentile: float = 95.0

    @property
    def version(self) -> str:
        """Percentile and embedder."""
        return f"semantic-{self.percentile}/{self.embedder.version}"

    async def segment(self, chapter: ChapterText) -> Segmentation:
        """Cut `chapter` at its largest distances."""
        count = len(chapter.sentences)
        groups = [
            _text(chapter, max(1, number - 1), min(count, number + 1))
            for number in range(1, count + 1)
        ]
        vectors = await self.embedder.embed(groups, chapter.language)
        rows = np.array([np.frombuffer(vector, dtype="<i2") for vector in vectors], dtype=float)
        rows /= np.maximum(np.linalg.norm(rows, axis=1), 1.0)[:, None]
        distances = 1 - (rows[1:] * rows[:-1]).sum(axis=1)
        least = float(np.percentile(distances, self.percentile)) if count > 1 else 0.0
        cuts = [place + 2 for place in range(count - 1) if distances[place] > least]
        return _segmentation(chapter, [1, *cuts], self.version)


def _peak(slope: Sequence[float]) -> float:
    """Return the height at which a slope, walked from its foot, stops rising."""
    height = slope[0]
    for value in slope[1:]:
        if value < height:
            break
        height = value
    return height


def _summed(counters: Sequence[Counter[str]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for counter in counters:
        total.update(counter)
    return total


def _cosine(left: Counter[str], right: Counter[str]) -> float:
    product = sum(count * right[term] for term, count in left.items() if term in right)
    squares = sum(n * n for n in left.values()) * sum(n * n for n in right.values())
    return product / squares**0.5 if squares else 0.0


def _paragraphs(chapter: ChapterText) -> list[tuple[int, int]]:
    starts = [*chapter.paragraph_starts, len(chapter.sentences) + 1]
    return [(first, after - 1) for first, after in pairwise(starts)]


def _text(chapter: ChapterText, first: int, last: int) -> str:
    return chapter.text[chapter.sentences[first - 1].start : chapter.sentences[last - 1].end]


def _segmentation(chapter: ChapterText, firsts: Sequence[int], version: str) -> Segmentation:
    segments = tuple(
        Segment(from_idx=first, to_idx=after - 1)
        for first, after in pairwise([*firsts, len(chapter.sentences) + 1])
    )
    return Segmentation(segments=segments, segmenter=version)
