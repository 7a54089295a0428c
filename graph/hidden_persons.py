"""Whom the story has only described so far, and who in a chapter they may prove to be."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

from contracts.ids import ChapterId, CharacterId
from contracts.person_names import described
from contracts.placement import (
    MAX_HIDDEN_SHOWN,
    MAX_NAMED_SHOWN,
    MAX_WORDINGS_SHOWN,
    HiddenPerson,
    NamedPerson,
)
from graph.cast_state import Cast
from graph.state import Remembered, Storyline


def hidden_persons(cast: Cast, storylines: Iterable[Storyline]) -> tuple[HiddenPerson, ...]:
    """Return who is hidden among those whom the storylines remember, who was seen last first.

    `cast` is that after the chapter: whom it has named by itself is not hidden any more.
    """
    newest: dict[CharacterId, Remembered] = {}
    chapters: dict[CharacterId, set[ChapterId]] = defaultdict(set)
    for scene in (scene for line in storylines for scene in line.window):
        for id_ in scene.characters:
            chapters[id_].add(scene.place.chapter_id)
            if id_ not in newest or newest[id_].place < scene.place:
                newest[id_] = scene
    people = ((id_, cast.people.get(id_)) for id_ in newest)
    hidden = [(id_, person) for id_, person in people if person is not None and person.hidden]
    latest = sorted(hidden, key=lambda each: (newest[each[0]].place, each[0]), reverse=True)
    return tuple(
        HiddenPerson(
            character=id_,
            words=person.names[:MAX_WORDINGS_SHOWN],
            synopsis=newest[id_].synopsis,
            drawn_on=tuple(sorted(chapters[id_])),
        )
        for id_, person in latest[:MAX_HIDDEN_SHOWN]
    )


def named_persons(
    cast: Cast, scenes: Sequence[Remembered], name: Callable[[CharacterId], str]
) -> tuple[NamedPerson, ...]:
    """Return who is in a chapter's `scenes` and has a name, who is in most of them first."""
    counts = Counter(id_ for scene in scenes for id_ in scene.characters)
    most = sorted(counts, key=lambda id_: (-counts[id_], id_))
    found = [
        NamedPerson(character=id_, name=called)
        for id_ in most
        if cast.people.get(id_) is not None and not described(called := name(id_))
    ]
    return tuple(found[:MAX_NAMED_SHOWN])
