"""What a model that reads one chapter could say of its persons, by the annotations of a book.

The annotators knew the whole story. So a scene's persons are told by words that stand in the
chapter: a name that is known by then to be theirs, and whatever else they are called for a reader
who does not know yet that it is they. Who is who is told in the chapter that reveals it, and in no
other; and that two descriptions mean one person where both are first told in one chapter and are
revealed together, so that they are one for whoever reads there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from contracts.person_names import described, without_determiner
from processors.told_names import times_named


@dataclass(frozen=True, slots=True)
class Alias:
    """A name of a person, from chapter `first` on, known as theirs from `revealed` on."""

    name: str
    first: int
    revealed: int

    @property
    def waits(self) -> bool:
        """Whether it stands in the story before it is known whose name it is."""
        return self.revealed > self.first


@dataclass(frozen=True, slots=True)
class GoldPersons:
    """The persons of a book, each with their names."""

    named: Mapping[str, Sequence[Alias]]

    @classmethod
    def of(cls, gold: Mapping[str, Any]) -> GoldPersons:
        """Read them from a book's annotations."""
        return cls(
            {
                character["name"]: tuple(
                    Alias(each["alias"], each["first_chapter"], each["revealed_chapter"])
                    for each in character["aliases"]
                )
                for character in gold["characters"]
            }
        )

    def who(self, names: Sequence[str], chapter: int, lines: Sequence[str]) -> list[str]:
        """Return words that `lines` of a chapter have for the persons with these true names."""
        text = "\n".join(lines)
        found: dict[str, None] = {}
        for name, aliases in self.named.items():
            here = [each for each in aliases if each.first <= chapter]
            known = [each for each in here if each.revealed <= chapter and name in names]
            known_here = sorted((said for a in known if (said := _said(a, text))), key=described)
            found.update(dict.fromkeys(known_here[:1]))
            hidden = [
                each
                for each in here
                if each.revealed > chapter and (name in names or each.first == chapter)
            ]
            found.update(dict.fromkeys(said for a in hidden if (said := _said(a, text))))
        return list(found)

    def identities(self, chapter: int, lines: Sequence[str]) -> list[dict[str, object]]:
        """Return who is who by what a chapter, whose sentences are `lines`, makes known."""
        text = "\n".join(lines)
        pairs = [
            (one, other)
            for aliases in self.named.values()
            for one, other in _pairs(aliases, chapter, text)
        ]
        return [
            {"name": other, "also": one, "at_idx": max(_first(one, lines), _first(other, lines))}
            for one, other in dict.fromkeys(pairs)
        ]

    def revealed(
        self, chapter: int, hidden: Mapping[str, Sequence[str]], named: Mapping[str, str]
    ) -> dict[str, str]:
        """Say of each of the `hidden`, by id, which of the `named` a chapter reveals them to be.

        `hidden` holds the words for each, `named` the names; "none" is said of most.
        """
        return {
            id_: next(
                (
                    other
                    for aliases in self.named.values()
                    if any(_is_revealed(each, chapter, words) for each in aliases)
                    for other, name in named.items()
                    if any(_alike(each.name, name) for each in aliases if each.revealed <= chapter)
                ),
                "none",
            )
            for id_, words in hidden.items()
        }


def _is_revealed(alias: Alias, chapter: int, words: Sequence[str]) -> bool:
    return (
        alias.waits
        and alias.revealed == chapter
        and any(_plain(alias.name) == _plain(each) for each in words)
    )


def _alike(one: str, other: str) -> bool:
    """Say whether all words of one name are in the other."""
    ours, theirs = set(_plain(one).split()), set(_plain(other).split())
    return ours <= theirs or theirs <= ours


def _plain(name: str) -> str:
    return without_determiner(name).casefold().replace(".", "").replace("’", "'")


def _pairs(aliases: Sequence[Alias], chapter: int, text: str) -> Iterator[tuple[str, str]]:
    known = sorted(
        (
            said
            for each in aliases
            if each.revealed <= chapter and not (each.waits and each.revealed == chapter)
            if (said := _said(each, text))
        ),
        key=described,
    )
    for each in aliases:
        if each.waits and each.revealed == chapter and known and (said := _said(each, text)):
            yield said, known[0]
    together: dict[int, list[str]] = {}
    for each in aliases:
        if each.waits and each.first == chapter and (said := _said(each, text)):
            together.setdefault(each.revealed, []).append(said)
    for group in together.values():
        yield from pairwise(group)


def _said(alias: Alias, text: str) -> str:
    """Return the alias as `text` has it, with or without its "the"; "" where it has not."""
    forms = (alias.name, without_determiner(alias.name))
    return next((form for form in forms if times_named(form, text)), "")


def _first(name: str, lines: Sequence[str]) -> int:
    """Return the number, from 1, of the first line with `name`; the last where none has it."""
    return next((n for n, line in enumerate(lines, 1) if times_named(name, line)), len(lines))
