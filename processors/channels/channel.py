"""The channels, and the port that they implement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from processors.channels.clues import clue_names, clues_to
from processors.channels.places import Floats, Places
from processors.channels.wants import Want, wants_of
from processors.channels.weights import ChannelWeights
from processors.questions import Question


class Channel(Protocol):
    """One kind of evidence for some questions. Equal places give equal findings."""

    @property
    def name(self) -> str:
        """What found passages and answers say of their origin."""

    def serves(self, question: Question) -> bool:
        """Say whether the channel has anything to say of `question`."""

    def find(self, places: Places) -> Floats:
        """Return for each sentence what speaks for it, in log-odds; 0 where nothing does.

        `places` is of a question that the channel serves.
        """


@dataclass(frozen=True, slots=True)
class SignChannel:
    """Looks for signs of some forms of answer; weighs them as fitted."""

    name: str
    wants: frozenset[Want]
    weights: ChannelWeights

    def serves(self, question: Question) -> bool:
        """Say whether the question wants one of the channel's forms of answer."""
        return not self.wants.isdisjoint(wants_of(question))

    def find(self, places: Places) -> Floats:
        """Return the weighed signs of every form that the question wants (see `Channel.find`)."""
        found = np.zeros(len(places.sentences))
        for want in wants_of(places.question):
            if want in self.wants:
                found = found + clues_to(want, places) @ self.weights.of(clue_names(want))
        return found


TIME: Final = frozenset({Want.AGE, Want.DURATION, Want.CLOCK, Want.DATE, Want.MOMENT})
SCAN: Final = frozenset({Want.TIMES, Want.NUMBER})
RELATION: Final = frozenset({Want.RELATION})


def all_channels(weights: ChannelWeights) -> Sequence[Channel]:
    """Return the channels: time, exhaustive scan (counting) and relation."""
    return (
        SignChannel("time", TIME, weights),
        SignChannel("scan", SCAN, weights),
        SignChannel("relation", RELATION, weights),
    )
