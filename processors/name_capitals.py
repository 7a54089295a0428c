"""Names of persons in a text that writes names with capitals."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from contracts.person_names import GIVEN_NAMES, TITLES
from contracts.scenes import ChapterText
from processors.background import word_probabilities
from processors.name_evidence import Traits, log_odds, surroundings, traits
from processors.name_spotting import Key, Spot, spot, word_counts
from processors.name_tables import ROLES

_FLOOR: Final = 0.0
"""Log-odds above which a surface is a name: there precision and recall are about equal."""

_CAPITAL_NOUNS: Final = frozenset({"de"})
"""Languages in which every noun has a capital: there a common word is no name."""


@dataclass(frozen=True, slots=True)
class NamedSpot:
    """A person's name where it stands: code points `[start, end)`."""

    start: int
    end: int
    name: str


def named_by_capitals(chapter: ChapterText, language: str) -> tuple[NamedSpot, ...]:
    """Return the names of persons in a chapter, in order; `language` is its primary subtag."""
    named = [
        NamedSpot(found.start, found.end, name)
        for key, traits_, spots in surfaces(chapter, language)
        if not _tells_nobody(key) and log_odds(traits_) > _FLOOR
        for name in (_usual(spots),)
        for found in spots
    ]
    return tuple(sorted(named, key=lambda spot: spot.start))


def surfaces(chapter: ChapterText, language: str) -> Iterator[tuple[Key, Traits, Sequence[Spot]]]:
    """Yield each capitalised surface that may be a name, its traits, and where it stands."""
    counts = word_counts(chapter)
    by_key: dict[Key, list[Spot]] = defaultdict(list)
    for found in spot(chapter, counts):
        by_key[found.key].append(found)
    if language in _CAPITAL_NOUNS:
        by_key = _without_nouns(by_key, word_probabilities(language))
    around = surroundings(by_key, counts)
    for key, spots in by_key.items():
        yield key, traits(key, spots, around), spots


def _tells_nobody(key: Key) -> bool:
    """Say whether the surface is a form of address alone: "Mr.", "Aunt"; not "the Queen"."""
    return all(word in TITLES for word in key) and not (len(key) == 1 and key[0] in ROLES)


def _usual(spots: Sequence[Spot]) -> str:
    """Return the way in which the chapter writes a name most often, or first."""
    forms = Counter(spot.name for spot in spots)
    return max(forms, key=lambda form: forms[form])


def _without_nouns(
    by_key: Mapping[Key, list[Spot]], common: Collection[str]
) -> dict[Key, list[Spot]]:
    """Drop common nouns, and take a genitive for the name it belongs to: "Effis Arm"."""
    kept: dict[Key, list[Spot]] = defaultdict(list)
    for key, spots in by_key.items():
        start = _leading_nouns(key, common)
        end = _genitive_end(key, by_key) or len(key)
        if start >= end:
            continue
        name = key[start:end]
        nominative = (*name[:-1], name[-1].removesuffix("s"))
        kept[nominative if nominative in by_key else name].extend(
            _cut(spot, start, end) for spot in spots
        )
    return kept


def _leading_nouns(key: Key, common: Collection[str]) -> int:
    """Count the words before the name: one in "Vater Briest", all in "Haus"."""
    for place, word in enumerate(key):
        if word in TITLES or word in GIVEN_NAMES or word not in common:
            return place
    return len(key)


def _genitive_end(key: Key, by_key: Collection[Key]) -> int:
    """Return where a name in the genitive ends before what it owns, 0 if there is none."""
    for place, word in enumerate(key[:-1]):
        if word.endswith("s") and (word.removesuffix("s"),) in by_key:
            return place + 1
    return 0


def _cut(spot: Spot, start: int, end: int) -> Spot:
    words = spot.name.split(" ")
    before, name = " ".join(words[:start]), " ".join(words[start:end])
    first = spot.start + len(before) + (1 if before else 0)
    return replace(spot, start=first, end=first + len(name), name=name, key=spot.key[start:end])
