"""Sources: channels that bring evidence which ranking passes over, and the port they implement.

A source reads a bounded part of the view of its own accord, so nothing later can leak; what it
brings is confirmed with all else that is shown, and gets a fixed share of a reader's words.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from contracts.ids import ChapterId
from contracts.ports import BoundStory
from contracts.vectors import Hit
from contracts.works import ChapterRecord
from processors.extracts import Extract
from processors.questions import Question
from processors.selection import within_budget
from processors.terms import terms_of

KEPT_SHARE: Final = 12
"""One word in so many is kept for what sources bring and ranking would not show. (Measured: a
fifth costs more evidence than it finds.)"""

_LEAST_SCORE: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Searched:
    """What a question's search has found so far.

    `chapters` are the view's, in story order; `rarities` are of the question's terms;
    `by_words` are the passages that hold them, the best first.
    """

    question: Question
    rarities: Mapping[str, float]
    chapters: tuple[ChapterRecord, ...]
    by_words: Sequence[Hit]


def asked_share(sentence: str, searched: Searched, but: frozenset[str] = frozenset()) -> float:
    """Return the share of the rarity of the question's terms, `but` some, that a sentence holds."""
    question = searched.question
    held = set(terms_of(sentence, question.language))
    asked = [term for term in question.terms if term not in but]
    total = math.fsum(searched.rarities[term] for term in asked)
    return math.fsum(searched.rarities[t] for t in asked if t in held) / total if total else 0.0


class Brought(NamedTuple):
    """Sentences, the best first, each once; `texts` holds the text of each of their chapters."""

    sentences: Sequence[Extract] = ()
    texts: Mapping[ChapterId, str] = {}


class Source(Protocol):
    """Brings evidence for some questions. Equal views and questions bring equal sentences."""

    @property
    def name(self) -> str:
        """What found passages and answers say of their origin."""

    def serves(self, question: Question) -> bool:
        """Say whether the source may bring anything for `question`."""

    async def bring(self, view: BoundStory, searched: Searched) -> Brought:
        """Return what speaks for an answer; `searched` is of a question that is served.

        Raises:
            TransientError: a store is down.
        """


def with_brought(
    ranked: Sequence[Extract], brought: Sequence[Extract], words: int
) -> list[Extract]:
    """Return what is shown of a ranking in so many words, a share of them for what was brought.

    Both are best first. What ranking shows by itself costs nothing of the share; words of the
    share that are left go to the ranking. What is added counts as much as the last that is shown.
    """
    if not brought:
        return within_budget(ranked, words)
    share = words // KEPT_SHARE
    shown = within_budget(ranked, words - share)
    least = min((each.score for each in shown), default=_LEAST_SCORE)
    fresh = [each for each in brought if not _overlaps(each, shown)]
    added = [each._replace(score=least) for each in within_budget(fresh, share)]
    left = words - sum(each.words for each in (*shown, *added))
    taken = {_span(each) for each in shown}
    rest = [each for each in ranked if _span(each) not in taken and not _overlaps(each, added)]
    return [*shown, *added, *within_budget(rest, left)]


def _span(extract: Extract) -> tuple[ChapterId, int, int]:
    return extract.candidate.chapter_id, extract.start, extract.end


def _overlaps(extract: Extract, others: Sequence[Extract]) -> bool:
    return any(
        other.candidate.chapter_id == extract.candidate.chapter_id
        and other.start < extract.end
        and extract.start < other.end
        for other in others
    )
