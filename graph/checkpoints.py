"""The fold's state as bytes, so that a fold can be taken up where it was left.

A state holds a few scenes of every storyline in play, and those are stored with their chapters
already: a checkpoint names them and says who is in them, and is a twentieth of the state's size.
Who reads it gives it the scenes back. The digest that the state had tells whether all is as it
was, down to the last bit; if it is not, the checkpoint is none.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from contracts.ids import SceneId, WorkId
from contracts.ordinals import Ordinal
from contracts.tree import SceneInputs, StorylineKind
from graph.cast_state import Cast, Person, Sighting, cast_of
from graph.fold import remembered
from graph.state import DIGEST_MODULUS, Child, FoldState, Place, Remembered, Storyline

EVERY: Final = 32
"""After so many chapters of the story there is a checkpoint: a cold worker folds no more again."""

_VERSION: Final = 2
"""Goes up with every change of what is written below, or of what it means."""

_LEVEL: Final = 6


@dataclass(frozen=True, slots=True)
class Saved:
    """A checkpoint that was read: `scenes` are what its state remembers."""

    content: Mapping[str, Any]

    @property
    def scenes(self) -> tuple[SceneId, ...]:
        """The ids of the scenes that `state` needs."""
        return tuple(SceneId(scene[0]) for scene in self.content["scenes"])

    def state(
        self, work_id: WorkId, digest: str, stored: Mapping[SceneId, SceneInputs]
    ) -> FoldState:
        """Return the state that was encoded; `digest` is what it had.

        Raises:
            ValueError: what is stored does not give that state any more.
        """
        try:
            state = _state(work_id, self.content, stored)
        except (KeyError, IndexError, TypeError) as error:
            raise ValueError(f"something that the checkpoint names is missing: {error}") from error
        if state.digest != digest:
            raise ValueError("the checkpoint's scenes are not those that it was made of")
        return state


def encode(state: FoldState) -> bytes:
    """Return a state as bytes, without what its scenes say."""
    people = list(state.cast.everyone())
    numbers = {person.id: number for number, person in enumerate(people)}
    scenes = {scene.place: scene for line in state.storylines.values() for scene in line.window}
    order = {place: number for number, place in enumerate(sorted(scenes))}
    told = dict.fromkeys((place.ordinal, place.chapter_id) for place in order)
    chapters = {chapter: number for number, chapter in enumerate(told)}
    content = {
        "version": _VERSION,
        "root": state.root,
        "threads": state.threads,
        "recent": state.recent,
        "chapters": [(int(ordinal), chapter_id) for ordinal, chapter_id in chapters],
        "scenes": [
            (
                scenes[place].scene,
                chapters[place.ordinal, place.chapter_id],
                place.number,
                [numbers[character] for character in scenes[place].characters],
            )
            for place in order
        ],
        "storylines": [_told(line, order) for _, line in sorted(state.storylines.items())],
        "people": [_described(person) for person in people],
        "pending": state.cast.pending,
    }
    # In ASCII: half a surrogate pair in a name survives.
    return zlib.compress(json.dumps(content, separators=(",", ":")).encode(), _LEVEL)


def read(data: bytes) -> Saved:
    """Return what `encode` made `data` of.

    Raises:
        ValueError: the bytes are damaged, or of another version of the program.
    """
    try:
        content = json.loads(zlib.decompress(data))
        version = content["version"]
    except (zlib.error, KeyError, TypeError) as error:
        raise ValueError(f"the checkpoint cannot be read: {error}") from error
    if version != _VERSION:
        raise ValueError(f"the checkpoint is of version {version}, not {_VERSION}")
    return Saved(content)


def _told(line: Storyline, order: Mapping[Place, int]) -> tuple[object, ...]:
    return (
        line.id,
        line.kind,
        line.parent,
        line.leaf,
        [(child.id, int(child.since)) for child in line.children],
        [order[scene.place] for scene in line.window],
        line.count,
        line.growth,
    )


def _described(person: Person) -> tuple[object, ...]:
    return (
        person.id,
        _sighting(person.since),
        person.names,
        _sighting(person.last) if person.last else None,
        person.same_as,
        person.found_out,
    )


def _sighting(at: Sighting) -> tuple[int, int]:
    return int(at.ordinal), at.scene


def _state(
    work_id: WorkId, content: Mapping[str, Any], stored: Mapping[SceneId, SceneInputs]
) -> FoldState:
    cast = _cast(content)
    scenes = list(_scenes(content, stored))
    lines = {line[0]: _line(line, scenes) for line in content["storylines"]}
    return FoldState(
        work_id=work_id,
        root=content["root"],
        storylines=MappingProxyType(lines),
        threads=content["threads"],
        recent=tuple((chapter_id, count) for chapter_id, count in content["recent"]),
        cast=cast,
        tree_digest=sum(line.digest for line in lines.values()) % DIGEST_MODULUS,
    )


def _cast(content: Mapping[str, Any]) -> Cast:
    people = [
        Person(id_, _seen(since), tuple(names), _seen(last) if last else None, same_as, found_out)
        for id_, since, names, last, same_as, found_out in content["people"]
    ]
    return cast_of(people, content["pending"])


def _seen(at: tuple[int, int]) -> Sighting:
    return Sighting(Ordinal(at[0]), at[1])


def _scenes(
    content: Mapping[str, Any], stored: Mapping[SceneId, SceneInputs]
) -> Iterable[Remembered]:
    chapters, people = content["chapters"], content["people"]
    for scene_id, chapter, number, present in content["scenes"]:
        ordinal, chapter_id = chapters[chapter]
        place = Place(Ordinal(ordinal), chapter_id, number)
        yield remembered(stored[scene_id], place, tuple(people[each][0] for each in present))


def _line(line: Any, scenes: list[Remembered]) -> Storyline:
    id_, kind, parent, leaf, children, window, count, growth = line
    return Storyline(
        id=id_,
        kind=StorylineKind(kind),
        parent=parent,
        leaf=leaf,
        children=tuple(Child(child, Ordinal(since)) for child, since in children),
        window=tuple(scenes[number] for number in window),
        count=count,
        growth=growth,
    )
