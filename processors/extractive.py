"""What a scene is about, in its own words: sentences that carry most of it.

A sentence is worth the weight of its different terms (rare words that the scene repeats weigh
most) times how well it tells by itself: with names rather than pronouns, narrated rather than
spoken. Weights are whole numbers, so that the order of a sum cannot matter.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from contracts.scenes import ChapterText
from contracts.words import count_words, iter_words
from processors.background import primary
from processors.cue_words import cues_of
from processors.speech import sentence_shares
from processors.term_trail import term_weight
from processors.terms import terms_of

SYNOPSIS_WORDS: Final = 40
"""The map of a work holds one synopsis a scene; a model reads thousands of them."""

_CANDIDATES: Final = 12
"""Best single sentences of which a pair is chosen: the other pairs hardly ever win."""

_REPEATED: Final = 2
"""How much a term gains each time its count grows e-fold (measured: 1 is worse, 3 no better)."""

_FEW_WORDS: Final = 10
"""Sentences shorter than this are not preferred for being short."""

_UNSPACED: Final = frozenset({"zh", "ja"})
_SPACES: Final = re.compile(r"\s+")
_ASKS: Final = re.compile(r"[?？]\W{0,5}\Z")
_LEADING_MARKS: Final = re.compile(r"^[\W_]+")


@dataclass(frozen=True, slots=True)
class Told:
    """One sentence of a scene: its text on one line, its weighty terms, its quality in percent."""

    text: str
    words: int
    terms: frozenset[str]
    quality: int
    speech: float
    asks: bool


@dataclass(frozen=True, slots=True)
class SceneWording:
    """A scene's sentences and what its terms weigh in it."""

    language: str
    names: tuple[str, ...]
    told: tuple[Told, ...]
    weights: Mapping[str, int]

    @classmethod
    def of(cls, chapter: ChapterText, first: int, last: int, names: Sequence[str]) -> SceneWording:
        """Read sentences `first` to `last`, in which persons of these names occur."""
        language = chapter.language
        lines = [
            _SPACES.sub(" ", chapter.sentence(number)).strip() for number in range(first, last + 1)
        ]
        terms = [terms_of(line, language) for line in lines]
        counts = Counter(term for found in terms for term in found)
        weights = {
            term: round(weight * (1 + _REPEATED * math.log(count)))
            for term, count in counts.items()
            if (weight := term_weight(term, language))
        }
        told = (
            Told(
                text=line,
                words=count_words(line),
                terms=frozenset(found).intersection(weights),
                quality=_quality(line, spoken, names, language),
                speech=spoken,
                asks=_ASKS.search(line) is not None,
            )
            for line, found, spoken in zip(
                lines, terms, sentence_shares(chapter, first, last), strict=True
            )
        )
        return cls(language, tuple(names), tuple(told), weights)

    def quoted(self, nths: Iterable[int]) -> str:
        """Return sentences one after the other, spaced as the script wants it."""
        space = "" if primary(self.language) in _UNSPACED else " "
        return space.join(self.told[nth].text for nth in nths)

    def weight(self, terms: Collection[str]) -> int:
        """Return what different `terms` weigh together."""
        return sum(self.weights.get(term, 0) for term in terms)


def synopsis_of(wording: SceneWording) -> tuple[int, ...]:
    """Choose the one or two sentences (from 0, in order) that carry most of the scene.

    Two are taken only where both fit in `SYNOPSIS_WORDS`; a single one may be longer.
    """
    ranked = sorted(
        range(len(wording.told)), key=lambda nth: (-_density(wording, wording.told[nth]), nth)
    )
    chosen = [(nth,) for nth in ranked[:_CANDIDATES]]
    pairs = combinations(sorted(ranked[:_CANDIDATES]), 2)
    fitting = [
        (left, right)
        for left, right in pairs
        if wording.told[left].words + wording.told[right].words <= SYNOPSIS_WORDS
    ]
    return min([*chosen, *fitting], key=lambda nths: (-_carried(wording, nths), nths))


def significance_of(wording: SceneWording, used: Collection[int]) -> int:
    """Choose the sentence (from 0) on which the scene ends: the weightiest of its last third.

    Sentences in `used` are taken only when there is no other.
    """
    count = len(wording.told)
    late = [nth for nth in range(count - max(1, count // 3), count) if nth not in used]
    return min(
        late or range(count - 1, count),
        key=lambda nth: (-_density(wording, wording.told[nth]), -nth),
    )


def clipped(text: str, words: int) -> str:
    """Return `text`, or so much of it as holds `words` whole words, with an ellipsis."""
    ends = [end for _, end in iter_words(text)]
    if len(ends) <= words:
        return text
    return text[: ends[words - 1]] + "…"


def _quality(line: str, spoken: float, names: Sequence[str], language: str) -> int:
    """Return in percent how well a sentence tells by itself what happens."""
    quality = 100.0 + 40 * min(2, sum(1 for name in names if name in line))
    quality *= 1 - 0.4 * spoken
    if cues_of(language).leaning.match(_LEADING_MARKS.sub("", line)):
        quality *= 0.85
    if _ASKS.search(line):
        quality *= 0.8
    return round(quality)


def _density(wording: SceneWording, told: Told) -> int:
    """Return a sentence's worth, long ones held back."""
    worth = told.quality * wording.weight(told.terms)
    return round(100 * worth / math.pow(max(told.words, _FEW_WORDS), 0.75))


def _carried(wording: SceneWording, nths: Sequence[int]) -> int:
    """Return what sentences carry together: terms that they share count once.

    A sentence that would have to be clipped counts for the part that stays.
    """
    told = [wording.told[nth] for nth in nths]
    weight = wording.weight(frozenset().union(*(one.terms for one in told)))
    quality = sum(one.quality for one in told) / len(told)
    longest = max(SYNOPSIS_WORDS, *(one.words for one in told))
    return round(float(weight * quality * SYNOPSIS_WORDS / longest))
