"""Which of the places that speak of something a question is after: rules, by language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from processors.background import primary
from processors.channels.wants import Want, wants_of
from processors.questions import Question


class Reach(StrEnum):
    """Which of the places that speak of something a question is after."""

    FIRST = "first"
    LAST = "last"
    EVERY = "every"


def reach_of(question: Question) -> Reach | None:
    """Return which places `question` is after; None where one is as good as another.

    How often something happened is after every place; how many there are one sentence may tell.
    """
    patterns = _REACHES.get(primary(question.language), {})
    for reach, pattern in patterns.items():
        if pattern.search(question.text):
            return reach
    return Reach.EVERY if Want.TIMES in wants_of(question) else None


def _words(text: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{text})\b", re.IGNORECASE)


_REACHES: Final[Mapping[str, Mapping[Reach, re.Pattern[str]]]] = MappingProxyType(
    {
        "en": {
            Reach.FIRST: _words("first|earliest|to begin with"),
            Reach.LAST: _words("last|latest|final(?:ly)?|most recent(?:ly)?"),
            Reach.EVERY: _words("(?:every|each) (?:time|of)|all|altogether|list|name (?:the|all)"),
        },
        "de": {
            Reach.FIRST: _words("erste[nrsm]?|zuerst|frühes?te[nrsm]?"),
            Reach.LAST: _words("letzte[nrsm]?|zuletzt|schließlich"),
            Reach.EVERY: _words("jedes ?mal|alle[nrsm]?|sämtliche[nrsm]?|insgesamt"),
        },
        "zh": {
            Reach.FIRST: re.compile("[第首]一?次|最[初早]|首先"),
            Reach.LAST: re.compile("最[后後]|最[终終]|末"),
            Reach.EVERY: re.compile("每[次个個]|所有|一共|共|[总總]共|哪些"),
        },
    }
)
"""Written from general knowledge of the languages."""
