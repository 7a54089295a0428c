"""Base ranking and channels share a reader's words.

Sentence by sentence the words go to what base ranking and channels together hold likeliest.
(Measured: to keep some of the words for what the base ranking finds best gains nothing.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from processors.channels.channel import Channel, all_channels
from processors.channels.places import Floats, Places, sum_beside
from processors.channels.weights import ChannelWeights, shipped_weights
from processors.extracts import Extract
from processors.questions import Question

GROUND: Final = ("base", "length", "here", "near", "before", "after", "asks")
"""What is known of a sentence without any channel, weighed beside them."""

_BESIDE: Final = 0.15
"""What each sentence beside it adds of its chance: evidence stands together."""

_SPREAD: Final = 4.0
"""Scores are shown as the fourth root of chances: else the second would already be near 0."""

_LEAST: Final = 1e-6  # a base score of 0 has no logarithm
_LONG_WORDS: Final = 40
_CLOSING_MARKS: Final = "\"”’'»」』)） "


class Merging(Protocol):
    """Chooses what is shown of a question that channels serve."""

    def serving(self, question: Question) -> tuple[Channel, ...]:
        """Return the channels that serve `question`."""

    def ranked(self, places: Places) -> list[Extract]:
        """Return the sentences of `places` scored anew, best first.

        `places` have the scores of the base ranking, and are of a question that is served. Scores
        returned are above 0 and at most 1, ties in the order of the story.
        """


@dataclass(frozen=True, slots=True)
class Merger:
    """Implements `Merging` with fitted weights."""

    channels: Sequence[Channel]
    weights: ChannelWeights

    @classmethod
    def of(cls, weights: ChannelWeights) -> Merger:
        """Make a merger of all channels."""
        return cls(tuple(all_channels(weights)), weights)

    @classmethod
    def shipped(cls) -> Merger:
        """Make a merger of all channels with the weights that ship."""
        return cls.of(shipped_weights())

    def serving(self, question: Question) -> tuple[Channel, ...]:
        """Return the channels that serve `question`."""
        return tuple(each for each in self.channels if each.serves(question))

    def ranked(self, places: Places) -> list[Extract]:
        """Weigh what channels find beside the base ranking (see `Merging.ranked`)."""
        if not places.sentences:
            return []
        found = {each.name: each.find(places) for each in self.serving(places.question)}
        odds = ground(places) @ self.weights.of(GROUND) + sum(found.values())
        return sorted(_scored(places, found, odds), key=lambda each: -each.score)


def _scored(places: Places, found: Mapping[str, Floats], odds: Floats) -> list[Extract]:
    chances = np.exp(odds - odds.max())
    chances = chances + _BESIDE * sum_beside(chances, places.joined)
    shown = (chances / chances.max()) ** (1 / _SPREAD)
    return [
        each._replace(score=score, channel=name)
        for each, score, name in zip(
            places.sentences, shown.tolist(), _speaking(found), strict=True
        )
    ]


def _speaking(found: Mapping[str, Floats]) -> list[str]:
    """Return for each sentence the channel that says most for it, "" where none does."""
    names, table = list(found), np.stack(list(found.values()), axis=1)
    best = table.argmax(axis=1)
    return [
        names[nth] if worth > 0 else ""
        for nth, worth in zip(best.tolist(), table.max(axis=1).tolist(), strict=True)
    ]


def ground(places: Places) -> Floats:
    """Return a row a sentence and a column for each of `GROUND`."""
    base = np.array([each.score for each in places.sentences])
    here = places.here
    before, after = np.zeros_like(here), np.zeros_like(here)
    before[1:] = here[:-1] * places.joined
    after[:-1] = here[1:] * places.joined
    words = np.array([each.words for each in places.sentences])
    asks = [text.rstrip(_CLOSING_MARKS).endswith(("?", "？")) for text in places.texts]
    columns = (
        np.log(np.maximum(base, _LEAST)),
        np.minimum(words, _LONG_WORDS) / _LONG_WORDS,
        here,
        places.near,
        before,
        after,
        np.array(asks, dtype=np.float64),
    )
    return np.stack(columns, axis=1)
