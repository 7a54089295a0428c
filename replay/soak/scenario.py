"""The lives of a few serials as events: published, edited, moved, withdrawn and published again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from contracts.events import (
    ChapterEvent,
    ChapterMoved,
    ChapterPublished,
    ChapterWithdrawn,
    NewPlace,
    WorkDescribed,
    WorkReordered,
    WorkWithdrawn,
)
from contracts.ids import ChapterId, WorkId
from contracts.ordinals import Ordinal
from replay.evaluation.shared_data import shared_data

_BOOKS: Final = ("alice-in-wonderland", "call-of-the-wild", "daisy-miller")
_CHARACTERS: Final = 5_000  # of a chapter: enough for several scenes, and quick to index
_MOST_CHAPTERS: Final = 10
_TURNS: Final = 3  # events in a portion; the first brings text


@dataclass(slots=True)
class _Serial:
    """A work as its publisher knows it. `texts` are bodies of chapters that may be published."""

    work_id: WorkId
    texts: Sequence[str]
    random: Random
    places: dict[str, int] = field(default_factory=dict)
    there: set[str] = field(default_factory=set)

    def tell(self) -> ChapterEvent:
        """Return an event that brings text: a new chapter, an edit, a chapter come back."""
        return self._published(self.random.choice(self._names()))

    def turn(self) -> ChapterEvent:
        """Return any event that makes sense now."""
        deeds: list[Callable[[], ChapterEvent]] = [self.tell, self.tell, self._describe]
        if self.there:
            deeds += [self._withdraw] * 3 + [self._move] * 2 + [self._reorder]
        if self.random.random() < 1 / 50:
            deeds = [self._withdraw_all]
        return self.random.choice(deeds)()

    def _names(self) -> list[str]:
        return [str(number) for number in range(1, len(self.texts) + 1)]

    def _published(self, name: str) -> ChapterPublished:
        body = self.texts[int(name) - 1]
        if self.random.random() < 0.7:
            paragraphs = body.split("\n\n")
            del paragraphs[self.random.randrange(len(paragraphs))]
            body = "\n\n".join(paragraphs) or body
        self.there.add(name)
        place = self.places.setdefault(name, 10 * int(name))
        return ChapterPublished(
            work_id=self.work_id,
            chapter_id=ChapterId(name),
            ordinal=Ordinal.parse(place),
            title=f"Chapter {name}",
            body=body,
        )

    def _withdraw(self) -> ChapterWithdrawn:
        name = self.random.choice(sorted(self.there))
        self.there.discard(name)
        return ChapterWithdrawn(work_id=self.work_id, chapter_id=ChapterId(name))

    def _move(self) -> ChapterMoved:
        name = self.random.choice(sorted(self.there))
        place = self.places[name] = self.random.randrange(1, 10 * len(self.texts))
        return ChapterMoved(
            work_id=self.work_id, chapter_id=ChapterId(name), ordinal=Ordinal.parse(place)
        )

    def _reorder(self) -> WorkReordered:
        names = sorted(self.there, key=int)
        self.places.update({name: 10 * nth for nth, name in enumerate(names, start=1)})
        return WorkReordered(
            work_id=self.work_id,
            chapters=tuple(
                NewPlace(chapter_id=ChapterId(name), ordinal=Ordinal.parse(self.places[name]))
                for name in names
            ),
        )

    def _describe(self) -> WorkDescribed:
        return WorkDescribed(work_id=self.work_id, title=f"Edition {self.random.randrange(99)}")

    def _withdraw_all(self) -> WorkWithdrawn:
        self.there.clear()
        self.places.clear()
        return WorkWithdrawn(work_id=self.work_id)


def portions(seed: int, count: int = len(_BOOKS)) -> Iterator[list[ChapterEvent]]:
    """Yield events of `count` works, a few at a time, for ever; equal seeds give equal events.

    The first portion begins every serial; each has at least one event with text.
    """
    random = Random(seed)  # noqa: S311 - a story, not a secret
    serials = [
        _Serial(work_id, _texts(_BOOKS[nth % len(_BOOKS)]), random)
        for nth, work_id in enumerate(works(count))
    ]
    yield [serial.tell() for serial in serials for _ in range(3)]
    while True:
        serial = random.choice(serials)
        more = [random.choice(serials).turn() for _ in range(_TURNS - 1)]
        yield [serial.tell(), *more]


def works(count: int = len(_BOOKS)) -> tuple[WorkId, ...]:
    """Return the serials of the scenario; of one book there may be several."""
    rounds = [nth // len(_BOOKS) for nth in range(count)]
    return tuple(
        WorkId(_BOOKS[nth % len(_BOOKS)] + (f"-{again}" if again else ""))
        for nth, again in enumerate(rounds)
    )


def _texts(book: str) -> list[str]:
    told = json.loads(shared_data("books", f"{book}.json").read_text("utf-8"))
    texts = [chapter["text"] for chapter in told["chapters"][:_MOST_CHAPTERS]]
    return [text[: max(text.rfind("\n\n", 0, _CHARACTERS), 1_000)] for text in texts]
