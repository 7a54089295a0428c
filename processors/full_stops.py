"""Whether a full stop ends its sentence: NLTK's Punkt decides, with our own parameters.

Punkt looks at the word before the stop and the word after it. Where the word before is neither
an abbreviation, nor an initial, nor a number, its answer is always yes: those stops, nine in
ten, are not asked about, which makes reading several times faster (a test holds both equal).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

from processors.abbreviations import DEFAULT, HABITS, Habits

# How many code points beside the stop are looked at; no abbreviation or opener is longer.
REACH: Final = 24

# Punkt's flag for "seen with a small first letter, at an unknown place".
_SEEN_IN_LOWER_CASE: Final = 1 << 6
_NUMBER: Final = "##number##"
_WORD_BEFORE: Final = re.compile(r"\w+(?:[.'’&-]\w+)*$")
_WORD_AFTER: Final = re.compile(r"\w+(?:[.'’-]\w+)*\.?")
_INITIALS: Final = re.compile(r"(?:[^\W\d_]\.)+([^\W\d_])")
_CACHED_ANSWERS: Final = 1 << 14


@dataclass(frozen=True, slots=True)
class FullStops:
    """Tells the stops that end sentences from the others, in one language."""

    doubtful: frozenset[str]
    letters: frozenset[str]
    capitals: frozenset[str]
    asks: Callable[[str, str], bool]

    def ends(self, before: str, after: str) -> bool:
        """Say whether a stop between `before` and `after` ends a sentence.

        Both are at most `REACH` code points of the same paragraph; `after` begins with a
        letter or a digit.
        """
        last = before.rpartition(" ")[2]
        if len(last) > 1 and last.isalpha() and last.lower() not in self.doubtful:
            return True  # nine in ten: no more need be looked at
        match = _WORD_BEFORE.search(before)
        if match is None:
            return True
        word = match.group()
        if not self._is_doubtful(word):
            return True
        if match.start() == 0 and len(before) < REACH and (word.isdigit() or len(word) == 1):
            return False  # "1. He did", "B. The second": what counts paragraphs opens this one
        initials = _INITIALS.fullmatch(word)
        if initials and word.lower() not in self.doubtful:
            word = initials.group(1)
        following = _WORD_AFTER.match(after)
        return self.asks(word, following.group() if following else after[:1])

    def is_always_capital(self, word: str) -> bool:
        """Say whether `word`, with the code point after it, has its capital anywhere ("I")."""
        return word[:1].lower() in self.capitals and not word[1:].isalnum()

    def _is_doubtful(self, word: str) -> bool:
        if len(word) == 1:
            small = word.lower()
            return word.isdigit() or small in self.doubtful or self._is_initial(word, small)
        small = word.lower()
        return (
            small in self.doubtful
            or word[-1].isdigit()
            or "." in word
            or ("-" in word and small.rpartition("-")[2] in self.doubtful)
        )

    def _is_initial(self, word: str, small: str) -> bool:
        return word != small and small not in self.letters


@lru_cache(maxsize=64)
def full_stops(language: str) -> FullStops:
    """Return what is known of full stops in `language` (a primary subtag, lower case)."""
    habits = HABITS.get(language, DEFAULT)
    punkt = PunktSentenceTokenizer(_parameters(habits))

    @lru_cache(maxsize=_CACHED_ANSWERS)
    def asks(word: str, following: str) -> bool:
        return bool(punkt.text_contains_sentbreak(f"{word}. {following}"))

    doubtful = habits.abbreviations | habits.before_numbers
    return FullStops(doubtful, habits.letters, habits.capitals, asks)


def _parameters(habits: Habits) -> PunktParameters:
    parameters = PunktParameters()
    parameters.abbrev_types = set(habits.abbreviations)
    pairs = {(word, _NUMBER) for word in habits.before_numbers}
    parameters.collocations = pairs | {(_NUMBER, word) for word in habits.after_numbers}
    for word in sorted(habits.openers):
        parameters.add_ortho_context(word, _SEEN_IN_LOWER_CASE)
    return parameters
