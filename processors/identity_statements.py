"""Sentences like "Lemuel Thrupp was Edvin Pell.", which give two names to one person.

Few forms, read strictly: a missed statement leaves two characters apart, which a reader of the
chapters so far may well believe; a false one tells him what is not true.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from processors.name_capitals import NamedSpot

_SURELY: Final = (
    "really|truly|actually|indeed|himself|herself|in truth|in fact|in reality|none other than|"
    "no other than|wirklich"
)
_IS: Final = re.compile(
    rf"\s+(?:was|is|turned out to be|proved to be|ist|war)\s+(?:(?:{_SURELY})\s+)?"
)
_ALSO_CALLED: Final = re.compile(
    r",?\s+(?:alias|that is to say|that is|in other words|otherwise|otherwise called|"
    r"otherwise known as|also known as|better known as|formerly called|"
    r"whose (?:real|true|right|proper) name (?:is|was|had been)|"
    r"who (?:is|was) (?:really|in truth|in fact|in reality|none other than)),?\s+"
)
_BUT: Final = re.compile(r",?\s+but\s+")
_AND: Final = re.compile(r"\s+and\s+")

_SUBJECT: Final = re.compile(
    r"(?:^|[.;:,!—–\"“”‘-]|\b(?:and|but|that|because|for|so|now))\s*$", re.IGNORECASE
)
_NAME_IS_NOT: Final = re.compile(r"\bname\s+(?:is|was)\s+not\s+$", re.IGNORECASE)
_CLAUSE_END: Final = re.compile(r"\s*(?:[.;!,:—”\"]|--|$)")
_ONE_PERSON: Final = re.compile(
    r"\s+(?:are|were)\s+(?:really\s+)?(?:one(?:\s+and\s+the\s+same|\s+man|\s+person|\s*[.;!,\"”])|"
    r"the\s+same\s+(?:man|woman|person)\b)"
)
_DOUBT: Final = re.compile(
    r"\b(?:if|whether|unless|perhaps|maybe|might|may|could|would|should|suppose\w*|think\w*|"
    r"thought|believ\w+|fanc\w+|dream\w*|pretend\w*|imagin\w+|wonder\w*|doubt\w*|claim\w*|call\w*|"
    r"mistook|took|lik\w+|as though|nor|not|never|no|nobody|said|says?|told|tells?|"
    r"ob|wenn|vielleicht|glaub\w+|dacht\w+|nicht|kein\w*|nie)\b",
    re.IGNORECASE,
)


def stated_identities(
    text: str, start: int, end: int, named: Sequence[NamedSpot]
) -> Iterator[tuple[str, str]]:
    """Yield the pairs of names that the sentence `[start, end)` says are one person's.

    `named` are the names in the sentence, in order.
    """
    if "?" in text[start:end]:
        return
    for one, other in pairwise(named):
        before = text[start : one.start]
        between, after = text[one.end : other.start], text[other.end : end]
        if _alike(one.name, other.name):
            continue
        if _are_one(before, between, after):
            yield one.name, other.name


def _are_one(before: str, between: str, after: str) -> bool:
    if _NAME_IS_NOT.search(before):
        return bool(_BUT.fullmatch(between) and _CLAUSE_END.match(after))
    if _DOUBT.search(before):
        return False
    if _ALSO_CALLED.fullmatch(between):
        return not after.startswith(("'s", "’s"))
    if not _SUBJECT.search(before):
        return False
    if _IS.fullmatch(between):
        return bool(_CLAUSE_END.match(after))
    return bool(_AND.fullmatch(between) and _ONE_PERSON.match(after))


def _alike(one: str, other: str) -> bool:
    """Say whether one name is part of the other: that they are one person is no news."""
    ours, theirs = set(one.casefold().split()), set(other.casefold().split())
    return ours <= theirs or theirs <= ours
