"""What the fold remembers of a work's persons: bounded for each, and a value."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from contracts.ids import CharacterId
from contracts.ordinals import Ordinal
from graph.name_forms import index_words, parse
from graph.shelf import Shelf

MAX_NAMES: Final = 32
"""Most names of a person; in long novels the best-named have about twenty."""

MAX_PENDING: Final = 64
"""How many names met once are remembered, newest last."""

MAX_RECENT: Final = 64
"""Among how many persons, those seen last, a title alone finds its bearer."""

_MODULUS: Final = 2**128


class Sighting(NamedTuple):
    """A scene in which a person is named: its chapter's ordinal, its place in the chapter."""

    ordinal: Ordinal
    scene: int


@dataclass(frozen=True, slots=True)
class Person:
    """All that later chapters read of a character.

    `since` says where it was introduced and as which of its chapter; `last` is the scene in
    which it was seen last; `same_as` the earliest character it was revealed to be, `found_out`
    that somebody with a name was revealed to be this one. No decision reads an earlier scene, so
    none is remembered: an edit would leave a trace in it for long.
    """

    id: CharacterId
    since: Sighting
    names: tuple[str, ...]
    last: Sighting | None = None
    same_as: CharacterId | None = None
    found_out: bool = False

    def called(self, name: str) -> Person:
        """Return the person with a further name; "Mr Hall" is none beside "Mr. Hall"."""
        key = parse(name).key
        if len(self.names) >= MAX_NAMES or any(parse(known).key == key for known in self.names):
            return self
        return replace(self, names=(*self.names, name))

    def met(self, at: Sighting) -> Person:
        """Return the person after a scene."""
        return replace(self, last=at)

    def revealed(self, same_as: CharacterId) -> Person:
        """Return the person, known to be `same_as`."""
        return replace(self, same_as=same_as)

    def identified(self) -> Person:
        """Return the person, whom somebody with a name has been revealed to be."""
        return replace(self, found_out=True)

    @property
    def nameless(self) -> bool:
        """Whether the person is called by descriptions only."""
        return all(parse(name).described for name in self.names)

    @property
    def hidden(self) -> bool:
        """Whether the story has only described the person, and not told who it is."""
        known = self.same_as is not None or self.found_out
        return not known and self.nameless

    @property
    def lately(self) -> tuple[Sighting, ...]:
        """Return a value that is the greater the later the person was seen; least if never."""
        return (self.last,) if self.last else ()

    @property
    def digest(self) -> int:
        """A 128-bit number of everything in this value."""
        return _digest(
            self.id,
            *(str(int(number)) for sighting in (self.since, *self.lately) for number in sighting),
            (self.same_as or "") + ("found out" if self.found_out else ""),
            *self.names,
        )


@dataclass(frozen=True, slots=True)
class Cast:
    """The persons of a work so far.

    `by_word` finds the persons who may bear a name by any of its words, `recent` are those seen
    last, newest first; both follow from `people`. `pending` are names met too seldom yet to be
    a person. `digest` is the sum of the persons' and the pending names' digests modulo 2**128.
    """

    people: Shelf[CharacterId, Person] = field(default_factory=Shelf)
    by_word: Shelf[str, tuple[CharacterId, ...]] = field(default_factory=Shelf)
    recent: tuple[CharacterId, ...] = ()
    pending: tuple[str, ...] = ()
    digest: int = 0

    def bearing(self, words: Iterable[str]) -> Iterator[Person]:
        """Yield each person who has one of `words` in a name, in order of id."""
        yield from self._people(sorted({i for word in words for i in self.by_word.get(word) or ()}))

    def seen_last(self) -> Iterator[Person]:
        """Yield the persons seen last, newest first."""
        yield from self._people(self.recent)

    def everyone(self) -> Iterator[Person]:
        """Yield each person, by id."""
        for _, person in self.people.sorted():
            yield person

    def with_people(self, people: Mapping[CharacterId, Person], pending: Sequence[str]) -> Cast:
        """Return the cast after a chapter: `people` new or changed, and what is pending now."""
        digest = self.digest - _pending_digest(self.pending) + _pending_digest(tuple(pending))
        entries: dict[str, tuple[CharacterId, ...]] = {}
        for id_, person in people.items():
            before = self.people.get(id_)
            digest += person.digest - (before.digest if before else 0)
            for word in _words(person) - (_words(before) if before else frozenset()):
                bearers = entries.get(word) or self.by_word.get(word) or ()
                entries[word] = tuple(sorted((*bearers, id_)))
        return Cast(
            people=self.people.updated(people),
            by_word=self.by_word.updated(entries),
            recent=self._latest(people),
            pending=tuple(pending),
            digest=digest % _MODULUS,
        )

    def _people(self, ids: Iterable[CharacterId]) -> Iterator[Person]:
        for id_ in ids:
            person = self.people.get(id_)
            if person is not None:
                yield person

    def _latest(self, people: Mapping[CharacterId, Person]) -> tuple[CharacterId, ...]:
        known = {person.id: person for person in self.seen_last()} | dict(people)
        newest = sorted(known.values(), key=lambda person: (person.lately, person.id))
        return tuple(person.id for person in newest[-MAX_RECENT:][::-1])


EMPTY_CAST: Final = Cast()


def cast_of(people: Iterable[Person], pending: Sequence[str]) -> Cast:
    """Put a cast together again from `everyone()` and `pending`."""
    return EMPTY_CAST.with_people({person.id: person for person in people}, pending)


def _words(person: Person) -> frozenset[str]:
    return frozenset(word for name in person.names for word in index_words(parse(name)))


def _pending_digest(pending: tuple[str, ...]) -> int:
    return _digest("pending", *pending) if pending else 0


def _digest(*parts: str) -> int:
    joined = "".join(f"{len(part)}:{part}" for part in parts)
    hashed = hashlib.blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=16)
    return int.from_bytes(hashed.digest(), "big")
