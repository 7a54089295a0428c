"""What of the found passages may be shown: their sentences, of which the best are chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from contracts.ids import ChapterId
from processors.fusion import Candidate
from processors.passage_reading import read_passage
from processors.passages import TARGET_WORDS

_FEWEST: Final = 120
"""Passages whose sentences are looked at for the smallest budget. (Measured: on novels they hold
84% of the evidence; 200 hold 92%, and yet no more of it is shown.)"""

_SURPLUS: Final = 4
"""For large budgets passages with so many times the budget's words are looked at."""


class Extract(NamedTuple):
    """Whole sentences of one passage: code points `[start, end)` of its chapter's text.

    `channel` names what found it, where that is more than the ranking of its passage.
    """

    candidate: Candidate
    start: int
    end: int
    words: int
    score: float
    channel: str = ""


def passages_for(words: int) -> int:
    """Return how many passages, the best, are looked at for a budget of `words`."""
    return max(_FEWEST, _SURPLUS * words // TARGET_WORDS)


def sentences_of(
    candidates: Sequence[Candidate],
    texts: Mapping[ChapterId, str],
    chapters: Mapping[ChapterId, int],
    language: str,
) -> list[Extract]:
    """Cut passages into their sentences, in the order of the story, all with a score of 0.

    `texts` holds the text of each of their chapters, `chapters` its place in the story.
    """
    story = sorted(candidates, key=lambda each: (chapters[each.chapter_id], each.hit.start))
    return [
        Extract(each, each.hit.start + read.start, each.hit.start + read.end, read.words, 0.0)
        for each in story
        for read in read_passage(passage_text(each, texts), language)
    ]


def passage_text(candidate: Candidate, texts: Mapping[ChapterId, str]) -> str:
    """Return the text of a passage that was found."""
    return texts[candidate.chapter_id][candidate.hit.start : candidate.hit.end]
