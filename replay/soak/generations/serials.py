"""Serials of which the first chapters are settled, while the rest is published, edited, taken back.

What is asked of the settled chapters has the same answer all the while, whatever follows them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from contracts.events import ChapterEvent, ChapterMoved, ChapterPublished, ChapterWithdrawn
from contracts.ids import ChapterId, WorkId
from contracts.ordinals import Ordinal
from replay.evaluation.shared_data import shared_data

_BOOKS: Final = (
    "alice-in-wonderland",
    "call-of-the-wild",
    "daisy-miller",
    "time-machine",
    "treasure-island",
)
_CHARACTERS: Final = 4_000  # of a chapter: enough for some scenes, and quick to index
_GAP: Final = 10  # between ordinals, so that there is room to move to


@dataclass(slots=True)
class Serial:
    """A work as its publisher knows it: `there` may be edited, `gone` never comes back."""

    work_id: WorkId
    texts: Sequence[str]
    settled: int
    random: Random
    there: list[int] = field(default_factory=list)
    gone: set[ChapterId] = field(default_factory=set)
    _next: int = 0

    def settle(self) -> list[ChapterEvent]:
        """Publish the chapters that stay as they are."""
        self._next = self.settled
        return [self._published(number, number + 1, "") for number in range(self.settled)]

    @property
    def settled_to(self) -> Ordinal:
        """The ordinal of the last chapter that stays as it is."""
        return Ordinal.parse(self.settled)

    def turn(self) -> ChapterEvent:
        """Publish a new chapter, or edit, move or take back one that is there."""
        deed = self.random.random()
        if deed < 0.4 or not self.there:
            self.there.append(self._next)
            self._next += 1
            return self._published(self.there[-1], self._place(self.there[-1]), "")
        number = self.random.choice(self.there)
        if deed < 0.6:
            edit = f"\n\nThis was edited for the time that is called {self.random.randrange(99)}."
            return self._published(number, self._place(number), edit)
        if deed < 0.75:
            place = self._place(self.random.choice(self.there)) + self.random.randrange(_GAP)
            return ChapterMoved(
                work_id=self.work_id, chapter_id=_name(number), ordinal=Ordinal.parse(place)
            )
        self.there.remove(number)
        self.gone.add(_name(number))
        return ChapterWithdrawn(work_id=self.work_id, chapter_id=_name(number))

    def _place(self, number: int) -> int:
        return _GAP * (number + 1)

    def _published(self, number: int, place: int, more: str) -> ChapterPublished:
        return ChapterPublished(
            work_id=self.work_id,
            chapter_id=_name(number),
            ordinal=Ordinal.parse(place),
            title=f"Chapter {number + 1}",
            body=self.texts[number % len(self.texts)] + more,
            language="en",
        )


def _name(number: int) -> ChapterId:
    return ChapterId(f"c{number + 1}")


def serials(count: int, settled: int, seed: int, name: str = "serial") -> list[Serial]:
    """Return so many works, each with a text of its own, called `name` and a number."""
    random = Random(seed)  # noqa: S311 - a story, not a secret
    books = [_pieces(book) for book in _BOOKS]
    found = []
    for nth in range(count):
        pieces = books[nth % len(books)]
        begin = 7 * (nth // len(books)) % len(pieces)
        texts = [*pieces[begin:], *pieces[:begin]]
        found.append(Serial(WorkId(f"{name}-{nth}"), texts, settled, random))
    return found


def turns(works: Sequence[Serial], random: Random) -> Iterator[ChapterEvent]:
    """Yield what happens to `works`, one event after the other, for ever."""
    while True:
        yield random.choice(works).turn()


def _pieces(book: str) -> list[str]:
    """Return the text of a book in pieces, each of whole paragraphs."""
    told = json.loads(shared_data("books", f"{book}.json").read_text("utf-8"))
    paragraphs = [part for chapter in told["chapters"] for part in chapter["text"].split("\n\n")]
    pieces, piece = [], ""
    for paragraph in paragraphs:
        piece = f"{piece}\n\n{paragraph}" if piece else paragraph
        if len(piece) > _CHARACTERS:
            pieces.append(piece)
            piece = ""
    return pieces
