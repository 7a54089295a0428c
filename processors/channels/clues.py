"""What a sentence shows of the form of answer that is wanted: a column of numbers a clue."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from processors.channels.places import Floats, Places, highest_beside
from processors.channels.signs import Signs, signs_of
from processors.channels.wants import Want
from processors.terms import terms_of

_SIGNS_OF: Final[Mapping[Want, tuple[str, ...]]] = {
    Want.AGE: ("age",),
    Want.DURATION: ("duration",),
    Want.CLOCK: ("clock",),
    Want.DATE: ("date",),
    Want.MOMENT: ("date", "part_of_day", "relative", "clock", "duration"),
    Want.TIMES: ("frequency",),
    Want.NUMBER: ("number", "ordinal"),
    Want.RELATION: ("kinship", "station", "predicate"),
}
"""The fields of `Signs` that show each form of answer."""

_CASED: Final = frozenset({"date"})
"""Signs that are looked for in the text as it stands, the others in its lower case."""

_HOW_MANY: Final = re.compile(r"how many (.{3,60})|wie ?viele? (.{3,60})", re.IGNORECASE)
_COUNTED_TERMS: Final = 3  # how many different foods, red-headed men
_REACH: Final = 40  # code points after a number in which what it counts stands

WAYS: Final = ("here", "near", "around", "beside")
"""How a sign counts: by itself, times the question's share near or around it, and next to it."""

COUNTED: Final = "number.counted"
"""A number directly before what the question counts."""


def clue_names(want: Want) -> tuple[str, ...]:
    """Return the names of the clues to `want`, as in tables of weights."""
    names = [f"{want}.{sign}.{way}" for sign in _SIGNS_OF[want] for way in WAYS]
    return (*names, COUNTED) if want is Want.NUMBER else tuple(names)


def clues_to(want: Want, places: Places) -> Floats:
    """Return a row a sentence and a column a clue, in the order of `clue_names`."""
    signs = signs_of(places.question.language)
    lowered = [text.lower() for text in places.texts]
    columns: list[Floats] = []
    for name in _SIGNS_OF[want]:
        shown = _shown(getattr(signs, name), places.texts if name in _CASED else lowered)
        beside = highest_beside(shown, places.joined)
        columns += [shown, shown * places.near, shown * places.around, beside]
    if want is Want.NUMBER:
        columns.append(_counted(places, lowered, signs))
    return np.stack(columns, axis=1)


def _shown(pattern: re.Pattern[str], texts: Sequence[str]) -> Floats:
    return np.array([pattern.search(text) is not None for text in texts], dtype=np.float64)


def _counted(places: Places, lowered: Sequence[str], signs: Signs) -> Floats:
    asked = _HOW_MANY.search(places.question.text)
    language = places.question.language
    spoken = terms_of(" ".join(filter(None, asked.groups())), language) if asked else []
    wanted = frozenset(spoken[:_COUNTED_TERMS])
    return np.array(
        [
            not wanted.isdisjoint(terms) and _counts(text, wanted, signs, language)
            for text, terms in zip(lowered, places.terms, strict=True)
        ],
        dtype=np.float64,
    )


def _counts(text: str, wanted: frozenset[str], signs: Signs, language: str) -> bool:
    return any(
        not wanted.isdisjoint(terms_of(text[each.end() : each.end() + _REACH], language)[:4])
        for each in signs.number.finditer(text)
    )
