"""Lives of serials as inputs of tests: every kind of event, in every order that may happen.

A `History` is what a publisher did, in the order in which it was done. `survivors` says from the
rules alone what is there at the end. `orders` are those in which a log may get to see it.
`CHAPTERS` of the environment says of how many chapters a work is made at most.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from hypothesis import strategies as st

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

W: Final = WorkId("any-history")
CHAPTERS: Final = int(os.environ.get("CHAPTERS", "8"))

_NAMES: Final = tuple(f"{chr(ord('a') + nth % 26)}{nth // 26 or ''}" for nth in range(CHAPTERS))

RANKED: Final = _NAMES[::2]
"""Chapters all of whose events carry revisions, so that these may come in any order."""

PLAIN: Final = _NAMES[1::2]
"""Chapters none of whose events carry one: these come in their own order."""

PLACES: Final = (
    *("1", "2", "2.5", "3", "3.000000001", "10", "999999999.999999999"),
    *map(str, range(20, 20 + CHAPTERS - 8)),
)

KINDS: Final = (
    *("publish",) * 5,
    *("withdraw", "move", "reorder", "upload again", "describe"),
)


@dataclass(frozen=True, slots=True)
class History:
    """Events by incarnation of the work: each but the last ends with its withdrawal."""

    incarnations: tuple[tuple[ChapterEvent, ...], ...]

    def __repr__(self) -> str:
        return "History:\n" + "\n".join(
            f"  {number}: {_told(event)}"
            for number, events in enumerate(self.incarnations)
            for event in events
        )


@dataclass(frozen=True, slots=True)
class _Deed:
    """What a publisher may do; `names` and `places` are as many as any kind needs."""

    kind: str
    names: tuple[str, ...]
    places: tuple[str, ...]
    body: int


def histories(
    bodies: Sequence[str],
    most: int,
    *,
    kinds: Sequence[str] = KINDS,
    chapters: Iterable[str] = RANKED + PLAIN,
    incarnations: int = 3,
) -> st.SearchStrategy[History]:
    """Histories of up to `most` events an incarnation, over `chapters` and `bodies`."""
    names = sorted(chapters)
    deed = st.builds(
        _Deed,
        kind=st.sampled_from(kinds),
        names=st.lists(st.sampled_from(names), min_size=1, max_size=4, unique=True).map(tuple),
        places=st.tuples(*[st.sampled_from(PLACES)] * 4),
        body=st.integers(0, len(bodies) - 1),
    )
    lives = st.lists(deed, min_size=1, max_size=most)
    # Most works have one life, and shrinking goes there.
    count = st.sampled_from([1, 1, 1, 2, incarnations] if incarnations > 1 else [1])
    several = count.flatmap(lambda n: st.lists(lives, min_size=n, max_size=n))
    return several.map(lambda deeds: _history(deeds, bodies))


def survivors(history: History) -> list[ChapterPublished]:
    """Return the chapters that are there at the end, in story order, as if never touched."""
    texts: dict[ChapterId, ChapterPublished] = {}
    places: dict[ChapterId, Ordinal] = {}
    for event in history.incarnations[-1]:
        match event:
            case ChapterPublished():
                texts[event.chapter_id] = event
                places[event.chapter_id] = event.ordinal
            case ChapterWithdrawn():
                texts.pop(event.chapter_id, None)
            case ChapterMoved():
                places[event.chapter_id] = event.ordinal
            case WorkReordered():
                places.update({place.chapter_id: place.ordinal for place in event.chapters})
            case _:
                pass
    ends = [
        event.model_copy(update={"ordinal": places[name], "revision": None})
        for name, event in texts.items()
    ]
    return sorted(ends, key=lambda event: (event.ordinal, event.chapter_id))


def orders(history: History) -> st.SearchStrategy[list[ChapterEvent]]:
    """Orders of arrival that end alike, some events of ranked chapters sent more than once."""
    return st.tuples(*map(_shuffled, history.incarnations)).map(
        lambda parts: [event for part in parts for event in part]
    )


@st.composite
def _shuffled(draw: st.DrawFn, events: tuple[ChapterEvent, ...]) -> list[ChapterEvent]:
    """Shuffle one incarnation; what carries no revision keeps its order."""
    end = [event for event in events if isinstance(event, WorkWithdrawn)]
    begun = [event for event in events if not isinstance(event, WorkWithdrawn)]
    ranked = [event for event in begun if event.revision is not None]
    again = draw(st.lists(st.sampled_from(ranked), max_size=2)) if ranked else []
    order = draw(st.permutations([*range(len(begun)), *[-1] * len(again)]))
    in_order = iter([at for at, event in enumerate(begun) if event.revision is None])
    sent_again = iter(again)
    shuffled = []
    for at in order:
        if at < 0:
            shuffled.append(next(sent_again))
        elif begun[at].revision is None:
            shuffled.append(begun[next(in_order)])
        else:
            shuffled.append(begun[at])
    return shuffled + end


def _history(lives: Sequence[Sequence[_Deed]], bodies: Sequence[str]) -> History:
    made = []
    revision = 0
    for number, deeds in enumerate(lives):
        events: list[ChapterEvent] = []
        for deed in deeds:
            events += _events(deed, bodies, revision)
            revision += 2  # a deed is two events at most
        if number < len(lives) - 1:
            events.append(WorkWithdrawn(work_id=W))
        made.append(tuple(events))
    return History(tuple(made))


def _events(deed: _Deed, bodies: Sequence[str], revision: int) -> list[ChapterEvent]:
    name, place, body = deed.names[0], deed.places[0], bodies[deed.body]
    events: list[ChapterEvent]
    match deed.kind:
        case "publish":
            events = [_published(name, place, body, revision)]
        case "withdraw":
            events = [_withdrawn(name, revision)]
        case "move":
            events = [_moved(name, place, revision)]
        case "reorder":
            events = [_reordered(deed, revision)]
        case "upload again":  # the same text under a new id, and the old one goes
            events = [
                _withdrawn(name, revision),
                _published(deed.names[-1], place, body, revision + 1),
            ]
        case _:
            events = [WorkDescribed(work_id=W, title=f"Edition {revision}")]
    return events


def _revision(name: str, revision: int) -> int | None:
    return revision if name in RANKED else None


def _published(name: str, place: str, body: str, revision: int) -> ChapterPublished:
    return ChapterPublished(
        work_id=W,
        chapter_id=ChapterId(name),
        ordinal=Ordinal.parse(place),
        title=f"Chapter {name}",
        body=body,
        revision=_revision(name, revision),
    )


def _withdrawn(name: str, revision: int) -> ChapterWithdrawn:
    return ChapterWithdrawn(
        work_id=W, chapter_id=ChapterId(name), revision=_revision(name, revision)
    )


def _moved(name: str, place: str, revision: int) -> ChapterMoved:
    return ChapterMoved(
        work_id=W,
        chapter_id=ChapterId(name),
        ordinal=Ordinal.parse(place),
        revision=_revision(name, revision),
    )


def _reordered(deed: _Deed, revision: int) -> WorkReordered:
    """Renumber chapters of one sort: an event has one revision, or none."""
    sort = RANKED if deed.names[0] in RANKED else PLAIN
    places = [pair for pair in zip(deed.names, deed.places, strict=False) if pair[0] in sort]
    return WorkReordered(
        work_id=W,
        chapters=tuple(
            NewPlace(chapter_id=ChapterId(name), ordinal=Ordinal.parse(place))
            for name, place in places
        ),
        revision=revision if sort is RANKED else None,
    )


def _told(event: ChapterEvent) -> str:
    told = event.model_dump(mode="json", exclude={"schema_version", "work_id", "title"})
    if "body" in told:
        told["body"] = told["body"][:24] + "…"
    return " ".join(f"{key}={value}" for key, value in told.items() if value is not None)
