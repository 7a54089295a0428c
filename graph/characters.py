"""Who is who: the names of a chapter's scenes become the characters of the work.

A name that may belong to several known persons goes to the one who was present last. Nothing
is merged afterwards: two characters that prove to be one keep their ids, and an identity links
them from the chapter that reveals it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from contracts.advice import PersonAdvice
from contracts.ids import CharacterId, SceneId, WorkId, character_id
from contracts.person_names import MALE
from contracts.tree import (
    AliasRow,
    Appear,
    ChapterInputs,
    IntroduceCharacter,
    LinkAlias,
    LinkIdentity,
    Operation,
)
from graph.cast_state import EMPTY_CAST, MAX_PENDING, Cast, Person, Sighting, cast_of
from graph.name_forms import NameForm, index_words, parse
from graph.name_matching import Fit, fit

__all__ = ["EMPTY_CAST", "Cast", "Meeting", "cast_of", "display_name", "meet"]

_ENOUGH: Final = 2
"""A name without a title has to be used so often in a chapter, or in an earlier one, to stand
for a person: what is named once is mostly an allusion, or no name at all."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """What a chapter did to the cast.

    `present` names, scene by scene, the characters that placement should see: someone revealed
    to be an earlier character counts as that one.
    """

    cast: Cast
    operations: tuple[Operation, ...]
    present: Mapping[SceneId, tuple[CharacterId, ...]]


def meet(
    cast: Cast, work_id: WorkId, chapter: ChapterInputs, told: Iterable[PersonAdvice] = ()
) -> Meeting:
    """Resolve a chapter's names against everything before it, and introduce who is new.

    Who somebody is that the chapter makes known, its scenes say, or an adviser has `told`.
    """
    visit = _Visit(cast, work_id, chapter)
    visit.recognise()
    for number in range(len(chapter.scenes)):
        visit.enter(number)
    visit.reveal()
    visit.heed(told)
    return visit.meeting()


class _Visit:
    """One chapter's meeting with the cast; it lives for one call of `meet`."""

    def __init__(self, cast: Cast, work_id: WorkId, chapter: ChapterInputs) -> None:
        self._cast, self._work_id, self._chapter = cast, work_id, chapter
        self._people: dict[CharacterId, Person] = {}
        self._introduced = 0
        self._candidates: dict[str, tuple[CharacterId, ...]] = {}
        self._operations: list[Operation] = []
        self._present: dict[SceneId, tuple[CharacterId, ...]] = {}
        self._pending = list(cast.pending)

    def recognise(self) -> None:
        """Find for each name of the chapter who may bear it; longer names first."""
        counts: Counter[str] = Counter()
        alike: dict[str, list[str]] = {}
        for inputs in self._chapter.scenes:
            for mention in inputs.scene.mentions:
                counts[mention.name] += mention.count
            for one, other in inputs.scene.identities:
                counts.update({one: _ENOUGH, other: _ENOUGH})
                alike.setdefault(one, []).append(other)
                alike.setdefault(other, []).append(one)
        order = {name: place for place, name in enumerate(counts)}
        for name in sorted(counts, key=lambda n: (_breadth(n), order[n])):
            found = self._bearers(parse(name)) or self._described(name, alike.get(name, ()))
            waited = name in self._pending
            if waited:
                self._pending.remove(name)
            if not found and (waited or counts[name] >= _ENOUGH or _stands_for_itself(name)):
                found = (self._introduce(name),)
            if found:
                self._candidates[name] = found
            else:
                self._pending.append(name)

    def enter(self, number: int) -> None:
        """Let the characters of scene `number` appear."""
        scene = self._chapter.scenes[number].scene
        at = Sighting(self._chapter.ordinal, number)
        counts: Counter[CharacterId] = Counter()
        certain = {ids[0] for m in scene.mentions if len(ids := self._ids(m.name)) == 1}
        for mention in scene.mentions:
            ids = self._ids(mention.name)
            if not ids:
                continue
            chosen = self._latest(ids, certain)
            counts[chosen] += mention.count
            self._name(chosen, mention.name)
        for id_ in sorted(counts):
            self._people[id_] = self._person(id_).met(at)
            self._operations.append(Appear(character=id_, scene=scene.scene_id, count=counts[id_]))
        self._present[scene.scene_id] = tuple(sorted({self._earliest(id_) for id_ in counts}))

    def reveal(self) -> None:
        """Link the characters that the chapter says are one."""
        for inputs in self._chapter.scenes:
            for one, other in inputs.scene.identities:
                pair = [self._latest(ids, set()) for n in (one, other) if (ids := self._ids(n))]
                if len(pair) == 2:
                    self._link(*pair)

    def heed(self, told: Iterable[PersonAdvice]) -> None:
        """Link the characters of whom an adviser says that the chapter makes them one."""
        for each in told:
            pair = each.person, each.same_as
            if all(id_ in self._people or self._cast.people.get(id_) for id_ in pair):
                self._link(*pair)

    def meeting(self) -> Meeting:
        """Return what the chapter did."""
        cast = self._cast.with_people(self._people, self._pending[-MAX_PENDING:])
        return Meeting(cast, tuple(self._operations), self._present)

    def _ids(self, name: str) -> tuple[CharacterId, ...]:
        return self._candidates.get(name, ())

    def _person(self, id_: CharacterId) -> Person:
        person = self._people.get(id_) or self._cast.people.get(id_)
        if person is None:
            raise KeyError(id_)
        return person

    def _described(self, name: str, alike: Iterable[str]) -> tuple[CharacterId, ...]:
        """Return who a new description is said to be, where the chapter says so.

        It is a further name then. One that stood in an earlier chapter is somebody already, and
        two names are two persons, whom an identity links.
        """
        if not parse(name).described:
            return ()
        return next((found for other in alike if (found := self._ids(other))), ())

    def _bearers(self, form: NameForm) -> tuple[CharacterId, ...]:
        """Return who fits the name best; several when nothing tells them apart yet."""
        best, found = Fit.NONE, list[CharacterId]()
        for person in self._known(form):
            how = fit(form, map(parse, person.names))
            if how > best:
                best, found = how, []
            if how == best and how != Fit.NONE:
                found.append(person.id)
        if best == Fit.KIN and self._namesakes(form) > 1:
            return ()
        return tuple(sorted(found))

    def _known(self, form: NameForm) -> Iterator[Person]:
        """Yield who may bear the name, as this chapter has left them.

        A title alone, or a description, is looked for among those seen last, a name among all who
        share a word.
        """
        cast = self._cast
        of_now = form.bare or form.described
        known = cast.seen_last() if of_now else cast.bearing(index_words(form))
        for person in known:
            if person.id not in self._people:
                yield person
        yield from self._people.values()

    def _namesakes(self, form: NameForm) -> int:
        """Count who bears a word of the lady's name, men left out."""
        return sum(
            any(form.words & other.words for other in forms)
            and all(other.gender != MALE for other in forms)
            for forms in (tuple(map(parse, person.names)) for person in self._known(form))
        )

    def _introduce(self, name: str) -> CharacterId:
        id_ = character_id(self._work_id, self._chapter.chapter_id, self._introduced)
        since = Sighting(self._chapter.ordinal, self._introduced)
        self._introduced += 1
        self._people[id_] = Person(id_, since, (name,))
        self._operations.append(IntroduceCharacter(character=id_, name=name))
        return id_

    def _name(self, id_: CharacterId, name: str) -> None:
        before = self._person(id_)
        after = before.called(name)
        if after != before:
            self._people[id_] = after
            self._operations.append(LinkAlias(character=id_, alias=name))

    def _latest(self, ids: tuple[CharacterId, ...], certain: set[CharacterId]) -> CharacterId:
        """Return whom an ambiguous name means: who is in the scene, else who was seen last."""
        return max(ids, key=lambda id_: (id_ in certain, self._person(id_).lately, id_))

    def _earliest(self, id_: CharacterId) -> CharacterId:
        """Follow identities, which lead from later characters to earlier ones."""
        while (same_as := self._person(id_).same_as) is not None:
            id_ = same_as
        return id_

    def _link(self, one: CharacterId, other: CharacterId) -> None:
        """Let both be known as whichever character came first into the story, if they are two."""
        if self._earliest(one) == self._earliest(other):
            return
        first, second = sorted(
            (self._person(self._earliest(id_)) for id_ in (one, other)),
            key=lambda person: (person.since, person.id),
        )
        if not second.nameless or second.found_out:
            self._people[first.id] = first.identified()
        self._people[second.id] = second.revealed(first.id)
        self._operations.append(LinkIdentity(character=second.id, same_as=first.id))


def _stands_for_itself(name: str) -> bool:
    """Say whether a name is one however seldom it is used: a title tells that, or a model did."""
    form = parse(name)
    return bool(form.titles) or form.described


def _breadth(name: str) -> tuple[bool, int, bool]:
    """Order names from the one that tells most: full before part, titled before plain.

    Descriptions come last.
    """
    form = parse(name)
    return form.described, -len(form.words), not form.titles


def display_name(aliases: Iterable[AliasRow]) -> str:
    """Return the fullest name: given and family name first, then most words, then earliest.

    A description is no name, but where there is nothing else.

    Raises:
        ValueError: there is no name.
    """
    rows = sorted(aliases, key=lambda row: (row.from_ordinal, row.alias))
    if not rows:
        raise ValueError("a character has at least the name that introduced it")
    return max(rows, key=lambda row: _fullness(row.alias)).alias


def _fullness(name: str) -> tuple[bool, bool, int]:
    form = parse(name)
    return not form.described, form.full, len(form.words) + len(form.titles)
