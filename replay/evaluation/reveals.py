"""Whether it is known in time who is who, and not before: `python -m replay.evaluation.reveals`.

A gold reveal is a name of a character ("the stranger") that stands in the story before the
chapter in which a reader learns that it is that character. It is found in the chapter from which
on the name and a plain name of the character mean one person: the same found character, or two
that an identity links. In time is the gold chapter or the one beside it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from contracts.ids import CharacterId
from replay.evaluation.character_gold import compared
from replay.evaluation.characters import Found, cast_of_book, read_book
from replay.evaluation.shared_data import shared_data

_NEAR: Final = 1  # chapters between a gold reveal and one that is found in time


@dataclass(frozen=True, slots=True)
class Reveal:
    """From chapter `at` on `alias` is known to be who has the `names`; all as compared."""

    alias: str
    names: frozenset[str]
    at: int


@dataclass(frozen=True, slots=True)
class RevealFigures:
    """Counts of gold reveals: all, found in time, linked or only named alike too early.

    `linked` counts the identities found, `wrong` those of them that link names of two characters
    of the gold.
    """

    told: int = 0
    found: int = 0
    linked_early: int = 0
    named_early: int = 0
    linked: int = 0
    wrong: int = 0

    def __add__(self, other: RevealFigures) -> RevealFigures:
        return RevealFigures(
            self.told + other.told,
            self.found + other.found,
            self.linked_early + other.linked_early,
            self.named_early + other.named_early,
            self.linked + other.linked,
            self.wrong + other.wrong,
        )

    def __str__(self) -> str:
        share = self.found / max(1, self.told)
        return (
            f"reveals {self.told:3}, in time {self.found:3} ({share:.2f}), too early: linked "
            f"{self.linked_early}, named alike {self.named_early}; identities {self.linked}, "
            f"of two characters {self.wrong}"
        )


def annotated_books() -> Sequence[str]:
    """Return the books whose reveals are annotated."""
    return sorted(path.stem for path in shared_data("storylines").glob("*.json"))


def annotated_chapters(book: str) -> int:
    """Return how many chapters of a book, from the first on, are annotated."""
    return len(json.loads(shared_data("storylines", f"{book}.json").read_text())["chapters"])


def gold_reveals(data: Path, book: str) -> Sequence[Reveal]:
    """Return the reveals of an annotated book."""
    characters = json.loads((data / "storylines" / f"{book}.json").read_text())["characters"]
    return [reveal for character in characters for reveal in _reveals_of(character)]


def _reveals_of(character: Mapping[str, Any]) -> Iterator[Reveal]:
    aliases = character["aliases"]
    plain = frozenset(compared(a["alias"]) for a in aliases if not _waits(a))
    for each in filter(_waits, aliases):
        alias = compared(each["alias"])
        yield Reveal(alias, plain - {alias}, each["revealed_chapter"])


def _waits(alias: Mapping[str, Any]) -> bool:
    return bool(alias["revealed_chapter"] > alias["first_chapter"])


def measured(found: Found, data: Path, book: str) -> RevealFigures:
    """Compare what was found in an annotated book with its reveals."""
    reveals = gold_reveals(data, book)
    known = [known_since(found, each) for each in reveals]
    in_time = [
        at is not None and each.at <= at <= each.at + _NEAR
        for each, (at, _) in zip(reveals, known, strict=True)
    ]
    early = [
        linked
        for each, (at, linked) in zip(reveals, known, strict=True)
        if at is not None and at < each.at
    ]
    wrong = sum(_is_wrong(found, one, other, data, book) for _, one, other in found.identities)
    return RevealFigures(
        told=len(reveals),
        found=sum(in_time),
        linked_early=sum(early),
        named_early=len(early) - sum(early),
        linked=len(found.identities),
        wrong=wrong,
    )


def known_since(found: Found, reveal: Reveal) -> tuple[int | None, bool]:
    """Return the first chapter in which alias and name mean one person, if there is one.

    And whether an identity says so, in place of one found character who has both names.
    """
    best: tuple[int, bool] | None = None
    for one, names in found.names.items():
        if reveal.alias not in names:
            continue
        for other, others in found.names.items():
            both = [names[reveal.alias], *(others[n] for n in reveal.names if n in others)]
            if len(both) == 1:
                continue
            since = max(both[0], min(both[1:]))
            linked = _linked_since(found, one, other)
            if linked is not None and (best is None or max(since, linked) < best[0]):
                best = max(since, linked), one != other
    return best or (None, False)


def _linked_since(found: Found, one: CharacterId, other: CharacterId) -> int | None:
    """Return the chapter from which on two found characters are one."""
    if one == other:
        return 0
    for chapter in sorted({chapter for chapter, _, _ in found.identities}):
        links = [{a, b} for at, a, b in found.identities if at <= chapter]
        reached = {one}
        while grown := [link for link in links if reached & link and not link <= reached]:
            reached = reached.union(*grown)
        if other in reached:
            return chapter
    return None


def _is_wrong(found: Found, one: CharacterId, other: CharacterId, data: Path, book: str) -> bool:
    """Say whether the gold knows names of both, and no character has one of each."""
    characters = json.loads((data / "storylines" / f"{book}.json").read_text())["characters"]
    owners = [
        {
            nth
            for nth, character in enumerate(characters)
            if found.names[id_].keys() & {compared(a["alias"]) for a in character["aliases"]}
        }
        for id_ in (one, other)
    ]
    return all(owners) and not owners[0] & owners[1]


def main(wanted: Sequence[str]) -> None:
    """Print the figures of names and identities found by rules alone."""
    total = RevealFigures()
    for book in wanted or annotated_books():
        chapters = read_book(book)[: annotated_chapters(book)]
        figures = measured(cast_of_book(chapters), shared_data(), book)
        total += figures
        print(f"  {book:30} {figures}")
    print(f"  {'all':30} {total}")


if __name__ == "__main__":
    main(sys.argv[1:])
