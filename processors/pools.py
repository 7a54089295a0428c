"""The sentences among which a question chooses, and sums over what stands near each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from contracts.ids import ChapterId
from processors.extracts import Extract, passage_text
from processors.fusion import NEAR, Candidate
from processors.passage_reading import ReadSentence, read_passage

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_FIRST: Final = 0


@dataclass(frozen=True, slots=True)
class Pool:
    """Whole passages' sentences in one language, in the order of the story, with their texts.

    `candidates` are their passages. `read` tells of each sentence what its passage's reading does.
    `ends` are where they end in their chapters. Each of the other arrays has one number a sentence,
    that of its run (sentences with no hole between), its passage, scene or chapter: from 0, in the
    order of the story.
    """

    sentences: tuple[Extract, ...]
    candidates: tuple[Candidate, ...]
    read: tuple[ReadSentence, ...]
    texts: tuple[str, ...]
    language: str
    ends: Ints
    runs: Ints
    passages: Ints
    scenes: Ints
    chapters: Ints

    @property
    def passage_scenes(self) -> Ints:
        """The number of each passage's scene."""
        firsts = np.flatnonzero(np.diff(self.passages, prepend=-1))
        return self.scenes[firsts]

    @classmethod
    def of(
        cls, sentences: Sequence[Extract], texts: Mapping[ChapterId, str], language: str
    ) -> Pool:
        """Lay out what `processors.extracts.sentences_of` returned for a language."""
        items = [each.candidate.hit.item_id for each in sentences]
        candidates = tuple(
            {each.candidate.hit.item_id: each.candidate for each in sentences}.values()
        )
        passages = _numbered(items)
        chapters = _numbered([each.chapter_id for each in candidates])[passages]
        starts = np.array([each.start for each in sentences], dtype=np.int64)
        ends = np.array([each.end for each in sentences], dtype=np.int64)
        return cls(
            tuple(sentences),
            candidates,
            tuple(
                read
                for each in candidates
                for read in read_passage(passage_text(each, texts), language)
            ),
            tuple(texts[each.candidate.chapter_id][each.start : each.end] for each in sentences),
            language,
            ends,
            _numbered_runs(starts, ends, chapters),
            passages,
            _numbered([each.scene_id for each in candidates])[passages],
            chapters,
        )


def summed_near(values: Floats, runs: Ints, *reaches: int) -> list[Floats]:
    """Add to each row the rows on either side of it that are of its run, so many as `reaches` say.

    One array a reach is returned; reaches rise.
    """
    return _gathered_near(np.add, values, runs, reaches)


def highest_near(values: Floats, runs: Ints, *reaches: int) -> list[Floats]:
    """Return the highest of each row and of those that `summed_near` adds to it."""
    return _gathered_near(np.maximum, values, runs, reaches)


def _gathered_near(
    gather: np.ufunc, values: Floats, runs: Ints, reaches: Sequence[int]
) -> list[Floats]:
    gathered, steps = [values.copy()], 0
    for reach in reaches:
        near = gathered[-1].copy() if len(gathered) > 1 else gathered[0]
        for step in range(steps + 1, reach + 1):
            same = _same(values, runs, step)
            gather(near[step:], values[:-step], out=near[step:], where=same)
            gather(near[:-step], values[step:], out=near[:-step], where=same)
        gathered.append(near)
        steps = reach
    return gathered[1:]


def summed_by_group(values: Floats, groups: Ints) -> Floats:
    """Return for each group the sum of its rows, which are together."""
    starts = np.flatnonzero(np.diff(groups, prepend=groups[_FIRST] - 1))
    sums: Floats = np.add.reduceat(values, starts, axis=0)
    return sums


def _same(values: Floats, runs: Ints, step: int) -> NDArray[np.bool_]:
    same: NDArray[np.bool_] = np.equal(runs[step:], runs[:-step])
    return same.reshape(len(same), *[1] * (values.ndim - 1))


def _numbered(names: Sequence[str]) -> Ints:
    numbers = {name: nth for nth, name in enumerate(dict.fromkeys(names))}
    return np.array([numbers[name] for name in names], dtype=np.int64)


def _numbered_runs(starts: Ints, ends: Ints, chapters: Ints) -> Ints:
    breaks = (np.diff(chapters) != 0) | (starts[1:] - ends[:-1] > NEAR)
    return np.cumsum(np.concatenate([[False], breaks]), dtype=np.int64)
