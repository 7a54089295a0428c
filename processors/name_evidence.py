"""What speaks for a capitalised run being a person, summed up over one chapter.

A small logistic model whose weights were fitted on hand-marked excerpts of other books
(`python -m processors.fitting.name_weights ../shared/data`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Final, NamedTuple

from contracts.person_names import GIVEN_NAMES, TITLES
from processors.name_spotting import Key, Spot
from processors.name_tables import (
    COMPANY_WORDS,
    DETERMINERS,
    NOT_PERSONS,
    PERSON_VERBS,
    PLACE_NOUNS,
    PLACE_PREPOSITIONS,
    SPEECH_VERBS,
)

_BEING: Final = frozenset({"was", "is", "had", "has", "were"})
_QUOTES: Final = "\"“‘'„«"
_STOPS: Final = ",.!?;"


class Traits(NamedTuple):
    """What is known of one surface in one chapter; shares are of its mentions, plus one."""

    often: float
    """Logarithm of the number of mentions."""
    given: float
    """The first word after the titles is a common given name."""
    titled: float
    bare_title: float
    several_words: float
    place_noun: float
    """The last word names a kind of place."""
    no_person: float
    """The last word is in the table of days, peoples, countries."""
    lower_seen: float
    """The last word also stands in lower case."""
    begins_longer: float
    """A longer surface of the chapter begins with this one word."""
    ends_longer: float
    ends_titled: float
    """A titled surface ends with this word."""
    inside: float
    """Some mention owes its capital to nothing but itself."""
    inside_share: float
    article_share: float
    after_place_word: float
    speaks: float
    owns: float
    being_share: float
    doing_share: float
    past_share: float
    """Followed by a word in -ed."""
    in_company: float
    addressed: float


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the chapter's other words say: counts of lower-case words, and of longer surfaces."""

    lower: Mapping[str, int]
    beginnings: frozenset[str]
    endings: frozenset[str]
    titled_endings: frozenset[str]


def surroundings(by_key: Mapping[Key, Sequence[Spot]], lower: Mapping[str, int]) -> Surroundings:
    """Gather what the chapter's surfaces say about each other's words.

    "the Corporation Stone" makes no person of "the Stone": what mostly follows an article
    speaks for nobody.
    """
    longer = [key for key, spots in by_key.items() if len(key) > 1 and not _is_thing(spots)]
    return Surroundings(
        lower=lower,
        beginnings=frozenset(key[0] for key in longer),
        endings=frozenset(key[-1] for key in longer),
        titled_endings=frozenset(key[-1] for key in longer if key[0] in TITLES),
    )


def _is_thing(spots: Sequence[Spot]) -> bool:
    return 2 * sum(spot.before in DETERMINERS for spot in spots) > len(spots)


def traits(key: Key, spots: Sequence[Spot], around: Surroundings) -> Traits:
    """Sum up what the chapter says about the surface `key`, which stands at `spots`."""
    plain = tuple(word for word in key if word not in TITLES)
    last = plain[-1] if plain else key[-1]
    titled = key[0] in TITLES
    alone = len(key) == 1
    signs = Counter(sign for spot in spots for sign in _signs(spot))
    whole = len(spots) + 1
    return Traits(
        often=log(len(spots)),
        given=float(bool(plain) and plain[0] in GIVEN_NAMES),
        titled=float(titled and bool(plain)),
        bare_title=float(not plain),
        several_words=float(len(plain) > 1),
        place_noun=float(key[-1] in PLACE_NOUNS),
        no_person=float(key[-1] in NOT_PERSONS and not titled),
        lower_seen=float(around.lower.get(last, 0) > 0),
        begins_longer=float(alone and last in around.beginnings),
        ends_longer=float(alone and last in around.endings),
        ends_titled=float(not titled and last in around.titled_endings),
        inside=float(signs["inside"] > 0),
        inside_share=signs["inside"] / whole,
        article_share=signs["article"] / whole,
        after_place_word=float(signs["place"] > 0),
        speaks=float(signs["speech"] > 0),
        owns=float(signs["owns"] > 0),
        being_share=signs["being"] / whole,
        doing_share=signs["doing"] / whole,
        past_share=signs["past"] / whole,
        in_company=float(signs["company"] > 0),
        addressed=float(signs["addressed"] > 0),
    )


def _signs(spot: Spot) -> list[str]:
    before = spot.before if spot.gap_before.isspace() else ""
    after = spot.after if spot.gap_after.isspace() and not spot.possessive else ""
    holds = (
        ("inside", not spot.initial),
        ("speech", before in SPEECH_VERBS or after in SPEECH_VERBS),
        ("being", after in _BEING),
        ("doing", after in PERSON_VERBS),
        ("past", after.endswith("ed")),
        ("owns", spot.possessive),
        ("place", before in PLACE_PREPOSITIONS),
        ("company", before in COMPANY_WORDS),
        ("article", before in DETERMINERS),
        ("addressed", _addressed(spot)),
    )
    return [sign for sign, held in holds if held]


def _addressed(spot: Spot) -> bool:
    """Say whether the name stands as in "Come here, Tom." or "Tom, come here."."""
    before, after = spot.gap_before.strip(), spot.gap_after.strip()
    return after[:1] in _STOPS and after != "" and (before == "," or before[-1:] in (*_QUOTES,))


BIAS: Final = -2.57
WEIGHTS: Final = Traits(
    often=0.83,
    given=2.17,
    titled=2.60,
    bare_title=0.49,
    several_words=0.12,
    place_noun=-2.00,
    no_person=-1.96,
    lower_seen=-2.03,
    begins_longer=1.72,
    ends_longer=2.04,
    ends_titled=1.66,
    inside=1.85,
    inside_share=-1.48,
    article_share=-1.73,
    after_place_word=-2.11,
    speaks=1.14,
    owns=1.47,
    being_share=1.52,
    doing_share=1.52,
    past_share=1.37,
    in_company=1.00,
    addressed=0.43,
)


def log_odds(found: Traits) -> float:
    """Return the log-odds that a surface with these traits is a person's name."""
    return BIAS + sum(trait * weight for trait, weight in zip(found, WEIGHTS, strict=True))
