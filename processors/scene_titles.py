"""A scene's title in its own words: its most telling clause, at most ten words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from contracts.words import count_words, iter_words
from processors.cue_words import cues_of
from processors.extractive import SceneWording, Told, clipped
from processors.name_tables import SPEECH_VERBS
from processors.term_trail import term_weight
from processors.terms import terms_of

TITLE_WORDS: Final = 10
_KANA_END: Final = re.compile(r"(?<=[ぁ-ん])[^ぁ-ん]+\Z")
"""What a cut leaves of a Japanese word after the last particle or ending before it."""

_LEAST_WORDS: Final = 3
_CLAUSE_ENDS: Final = re.compile(
    r"\s*(?:[,;:!?…()\[\]“”„\"«»—–、，；：。！？（）「」『』]|--+)+\s*"
)


@dataclass(frozen=True, slots=True)
class _Clause:
    """Part of a sentence; `whole` says that nothing of the clause was cut off."""

    text: str
    opens: bool
    whole: bool


def title_of(wording: SceneWording) -> str:
    """Return the most telling clause of the scene, its first letter a capital.

    Narrated clauses that open a sentence and name somebody win over others; a long one is cut
    after a word that tells something. A scene without any word gives its first code points.
    """
    best = max(
        (
            (_worth(wording, told, clause), -place, clause.text)
            for place, told in enumerate(wording.told)
            for clause in _clauses(told.text, wording.language)
        ),
        default=(0, 0, clipped(wording.told[0].text, TITLE_WORDS)[:60]),
    )[2]
    return best[:1].upper() + best[1:]


def _clauses(sentence: str, language: str) -> Iterator[_Clause]:
    start = 0
    for nth, piece in enumerate(_CLAUSE_ENDS.split(sentence)):
        text = _bare(piece)
        if not text:
            start += nth == start
            continue
        cut = _cut(text, language)
        if count_words(cut) >= _LEAST_WORDS:
            yield _Clause(cut, opens=nth == start, whole=cut == text)


def _bare(piece: str) -> str:
    """Return a clause without the marks around its words."""
    spans = list(iter_words(piece))
    return piece[spans[0][0] : spans[-1][1]].strip("_") if spans else ""


def _cut(clause: str, language: str) -> str:
    """Return at most ten words of a clause, not ending on a common word."""
    spans = list(iter_words(clause))
    if len(spans) <= TITLE_WORDS:
        return clause
    spans = spans[:TITLE_WORDS]
    joining = cues_of(language).joining
    while len(spans) > _LEAST_WORDS:
        word = clause[slice(*spans[-1])]
        if _tells(word, language) and not joining.match(word):
            break
        spans.pop()
    return _KANA_END.sub("", clause[: spans[-1][1]])


def _tells(word: str, language: str) -> bool:
    return any(term_weight(term, language) for term in terms_of(word, language))


def _reports_speech(clause: str) -> bool:
    """Say whether a clause only tells who spoke: "cried Ann", "Ann coolly observed"."""
    words = clause.casefold().split()
    return words[0] in SPEECH_VERBS or words[-1] in SPEECH_VERBS


def _worth(wording: SceneWording, told: Told, clause: _Clause) -> int:
    terms = set(terms_of(clause.text, wording.language))
    worth = float(wording.weight(terms))
    worth *= 1.0 + 0.6 * min(2, sum(1 for name in wording.names if name in clause.text))
    worth *= 1 - 0.75 * told.speech
    worth *= 1.0 if clause.opens else 0.5
    worth *= 1.0 if clause.whole else 0.5
    worth *= 0.5 if told.asks else 1.0
    cues = cues_of(wording.language)
    worth *= 0.7 if cues.leaning.match(clause.text) else 1.0
    worth *= 0.5 if cues.joining.match(clause.text) else 1.0
    worth *= 0.3 if _reports_speech(clause.text) else 1.0
    return round(worth)
