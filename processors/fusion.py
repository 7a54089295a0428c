"""One score a passage out of four searches: its words, its meaning, and those of its scene.

Each search's scores are taken as shares of its best: exact numbers of the hits alone, so that
neither dead rows nor later chapters can move them. (Reciprocal ranks throw the distances away:
measured, evidence recall at 1,000 words is a tenth lower.)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from contracts.ids import ChapterId, SceneId
from contracts.vectors import Hit

MEANING: Final = 0.7
"""What a search by meaning counts beside one by words, on either level."""

NEIGHBOUR: Final = 0.15
"""What each passage beside it adds of its score: an answer often stands next to its words."""

NEAR: Final = 400
"""Code points between neighbours: a separator, or a few lines that no search found."""


class Searches(NamedTuple):
    """The hits of one question: by words and by meaning, on both levels."""

    passage_words: Sequence[Hit]
    passage_meaning: Sequence[Hit]
    scene_words: Sequence[Hit]
    scene_meaning: Sequence[Hit]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that was found; `own` is the part of its score that is not its scene's."""

    hit: Hit
    own: float
    scene: float

    @property
    def chapter_id(self) -> ChapterId:
        """Return the passage's chapter."""
        return ChapterId(self.hit.chapter_id)

    @property
    def scene_id(self) -> SceneId:
        """Return the passage's scene."""
        return SceneId(self.hit.scene_id)

    @property
    def score(self) -> float:
        """Return the passage's score: the higher the better, never negative."""
        return self.own + self.scene

    @property
    def channel(self) -> str:
        """Say which level speaks more for the passage."""
        return "passage" if self.own >= self.scene else "scene"


def fuse(found: Searches, chapters: Mapping[ChapterId, int], most: int) -> tuple[Candidate, ...]:
    """Return the best `most` of the passages found, best first; ties in the order of the story.

    `chapters` gives each chapter's place in the story. A scene that was not found itself (it
    may be too long to have a row) counts as much as its best passage.
    """
    hits = {hit.item_id: hit for hit in (*found.passage_words, *found.passage_meaning)}
    story = sorted(hits.values(), key=lambda hit: (chapters[ChapterId(hit.chapter_id)], hit.start))
    own = _with_neighbours(story, _shares(found.passage_words, found.passage_meaning))
    best: defaultdict[str, float] = defaultdict(float)
    for hit, score in zip(story, own, strict=True):
        best[hit.scene_id] = max(best[hit.scene_id], score)
    scenes = best | _shares(found.scene_words, found.scene_meaning)
    scores = [score + scenes[hit.scene_id] for hit, score in zip(story, own, strict=True)]
    ranked = sorted(range(len(story)), key=lambda nth: -scores[nth])  # stable: story order stays
    return tuple(Candidate(story[n], own[n], scenes[story[n].scene_id]) for n in ranked[:most])


def _shares(words: Sequence[Hit], meaning: Sequence[Hit]) -> dict[str, float]:
    """Return each item's share of the best by words, plus that of the best by meaning."""
    shares: defaultdict[str, float] = defaultdict(float)
    for hits, weight in ((words, 1.0), (meaning, MEANING)):
        best = max((hit.score for hit in hits), default=0.0)
        for hit in hits:
            shares[hit.item_id] += weight * hit.score / best
    return shares


def _with_neighbours(story: Sequence[Hit], shares: Mapping[str, float]) -> list[float]:
    """Add to each score, in the order of the story, part of the scores beside it."""
    scores = [shares[hit.item_id] for hit in story]
    for place, (left, right) in enumerate(pairwise(story)):
        if left.chapter_id == right.chapter_id and right.start - left.end <= NEAR:
            scores[place] += NEIGHBOUR * shares[right.item_id]
            scores[place + 1] += NEIGHBOUR * shares[left.item_id]
    return scores
