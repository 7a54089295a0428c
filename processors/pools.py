"""The sentences among which a question chooses, and sums over what stands near each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from contracts.ids import ChapterId
from processors.extracts import Extract, passage_text
from processors.fusion import NEAR
from processors.passage_reading import ReadSentence, read_passage

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_FIRST: Final = 0


@dataclass(frozen=True, slots=True)
class Pool:
    """Whole passages' sentences in one language, in the order of the story, with their texts.

    `read` tells of each what its passage's reading does. Each array has one number a sentence,
    that of its run (sentences with no hole between), its passage, scene or chapter: from 0, in
    the order of the story.
    """

    sentences: tuple[Extract, ...]
    read: tuple[ReadSentence, ...]
    texts: tuple[str, ...]
    language: str
    runs: Ints
    passages: Ints
    scenes: Ints
    chapters: Ints

    @classmethod
    def of(
        cls, sentences: Sequence[Extract], texts: Mapping[ChapterId, str], language: str
    ) -> Pool:
        """Lay out what `processors.extracts.sentences_of` returned for a language."""
        candidates = [each.candidate for each in sentences]
        passages = {each.hit.item_id: each for each in candidates}.values()
        return cls(
            tuple(sentences),
            tuple(
                read
                for each in passages
                for read in read_passage(passage_text(each, texts), language)
            ),
            tuple(texts[each.candidate.chapter_id][each.start : each.end] for each in sentences),
            language,
            _numbered_runs(sentences),
            _numbered([each.hit.item_id for each in candidates]),
            _numbered([each.scene_id for each in candidates]),
            _numbered([each.chapter_id for each in candidates]),
        )


def summed_near(values: Floats, runs: Ints, reach: int) -> Floats:
    """Add to each row the `reach` rows on either side of it that are of its run."""
    total = values.copy()
    for step in range(1, reach + 1):
        same = _same(values, runs, step)
        total[step:] += np.where(same, values[:-step], 0.0)
        total[:-step] += np.where(same, values[step:], 0.0)
    return total


def highest_near(values: Floats, runs: Ints, reach: int) -> Floats:
    """Return the highest, never below 0, of each row and the `reach` on either side of it."""
    highest = values.copy()
    for step in range(1, reach + 1):
        same = _same(values, runs, step)
        highest[step:] = np.maximum(highest[step:], np.where(same, values[:-step], 0.0))
        highest[:-step] = np.maximum(highest[:-step], np.where(same, values[step:], 0.0))
    return highest


def summed_within(values: Floats, groups: Ints) -> Floats:
    """Return for each row the sum of the rows of its group; a group's rows are together."""
    starts = np.flatnonzero(np.diff(groups, prepend=groups[_FIRST] - 1))
    sums: Floats = np.add.reduceat(values, starts, axis=0)[groups]
    return sums


def _same(values: Floats, runs: Ints, step: int) -> NDArray[np.bool_]:
    same: NDArray[np.bool_] = np.equal(runs[step:], runs[:-step])
    return same.reshape(len(same), *[1] * (values.ndim - 1))


def _numbered(names: Sequence[str]) -> Ints:
    numbers = {name: nth for nth, name in enumerate(dict.fromkeys(names))}
    return np.array([numbers[name] for name in names], dtype=np.int64)


def _numbered_runs(sentences: Sequence[Extract]) -> Ints:
    breaks = [
        left.candidate.chapter_id != right.candidate.chapter_id or right.start - left.end > NEAR
        for left, right in pairwise(sentences)
    ]
    return np.cumsum([False, *breaks], dtype=np.int64)
