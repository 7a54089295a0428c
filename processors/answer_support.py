"""How much speaks for a sentence as the answer: what stands in it of the question, and what not.

A small logistic model (`python -m replay.evaluation.fitting_answers`), fitted to tell sentences of
the gold evidence from others, and from those found for readers who cannot know the answer yet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from processors.answer_sentences import AnswerSentence
from processors.retriever import Reading
from processors.terms import terms_of


class Signals(NamedTuple):
    """What is seen of the best sentence; shares are of the rarity of the question's terms."""

    own: float
    """The share that stands in it."""
    mass: float
    """The rarity that stands in it: three rare terms tell more than one."""
    beside: float
    """The further share that stands beside it in what was found."""
    unnamed: float
    """The share of all but the names that stands in it: what is asked about them."""
    unknown_name: float
    """A name is asked about that the story has not told yet."""
    worth: float
    """Its worth among the sentences that were found."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Weights of signals, and the log-odds from which on a sentence is an answer."""

    weights: Signals
    bias: float
    enough: float

    def log_odds(self, seen: Signals) -> float:
        """Return the log-odds that a sentence with these signals answers."""
        return self.bias + sum(w * s for w, s in zip(self.weights, seen, strict=True))

    def is_enough(self, seen: Signals) -> bool:
        """Say whether a sentence with these signals is an answer."""
        return self.log_odds(seen) >= self.enough


JUDGE: Final = Judge(
    Signals(own=-2.082, mass=0.19, beside=2.052, unnamed=0.681, unknown_name=-2.777, worth=0.381),
    bias=-4.263,
    enough=-0.241,
)


def signals(reading: Reading, best: AnswerSentence) -> Signals:
    """Return what is seen of `best`, a sentence of the reading's extracts."""
    question, rarities = reading.question, reading.rarities
    total = sum(rarities.values())
    text = reading.texts[best.extract.candidate.chapter_id]
    here = frozenset(terms_of(text[best.start : best.end], question.language))
    around = frozenset(terms_of(text[best.extract.start : best.extract.end], question.language))
    unnamed = {term: rarity for term, rarity in rarities.items() if term not in question.names}
    absent = [term for term in rarities if not reading.counts.counts.get(term)]
    return Signals(
        own=best.own,
        mass=best.own * total,
        beside=sum(r for term, r in rarities.items() if term in around) / total - best.own,
        unnamed=sum(r for term, r in unnamed.items() if term in here)
        / (sum(unnamed.values()) or 1.0),
        unknown_name=float(not question.names.isdisjoint(absent)),
        worth=best.worth,
    )
