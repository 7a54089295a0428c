"""Are two trees the same? Decided from two exports alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from contracts.answers import (
    Export,
    ExportedChapter,
    ExportedCharacter,
    ExportedScene,
    ExportedStoryline,
)
from contracts.ids import SceneId
from contracts.ordinals import Ordinal
from contracts.reports import ComparedTree, CompareReport, Difference, Part
from streams.structural import by_place


@dataclass(frozen=True, slots=True)
class _Thing:
    """A thing of a tree, and what it says by field; a field that is None says nothing."""

    part: Part
    id: str
    name: str
    ordinal: Ordinal | None
    fields: Mapping[str, str | None]


_PARTS: Final = tuple(Part)


def compare(a: Export, b: Export) -> CompareReport:
    """Compare what both say of chapters, scenes, storylines and characters.

    They are the same if and only if the exports are, but for work id, generation and as-of; texts
    count where both have them, and what follows from other fields is told once (a level from the
    parents). Two works are compared as `by_place` tells them.
    """
    one, other = (a, b) if a.work_id == b.work_id else (by_place(a), by_place(b))
    differences = sorted(_differences(one, other), key=_place)
    return CompareReport(
        a=_tree(a),
        b=_tree(b),
        by="id" if a.work_id == b.work_id else "place",
        same=not differences,
        differences=tuple(differences),
    )


def _tree(export: Export) -> ComparedTree:
    return ComparedTree(
        work_id=export.work_id,
        generation=export.generation,
        as_of=export.as_of,
        chapters=len(export.chapters),
        scenes=sum(len(chapter.scenes) for chapter in export.chapters),
        storylines=len(export.storylines),
        characters=len(export.characters),
    )


def _place(found: Difference) -> tuple[int, Ordinal, str]:
    return (_PARTS.index(found.part), found.ordinal or Ordinal(0), found.id)


def _differences(a: Export, b: Export) -> Iterator[Difference]:
    both = {each.chapter_id for each in a.chapters} & {each.chapter_id for each in b.chapters}
    shared = {
        scene.scene_id for each in a.chapters if each.chapter_id in both for scene in each.scenes
    }.intersection(scene.scene_id for each in b.chapters for scene in each.scenes)

    def things(export: Export) -> dict[tuple[Part, str], _Thing]:
        found = [
            *map(_chapter, export.chapters),
            *(_scene(c, s) for c in export.chapters if c.chapter_id in both for s in c.scenes),
            *map(_storyline, export.storylines),
            *(_character(each, shared) for each in export.characters),
        ]
        return {(each.part, each.id): each for each in found}

    in_a, in_b = things(a), things(b)
    for key, thing in in_a.items():
        twin = in_b.get(key)
        if twin is None:
            yield _only(thing, "a")
        else:
            yield from _unlike(thing, twin)
    yield from (_only(thing, "b") for key, thing in in_b.items() if key not in in_a)


def _only(thing: _Thing, where: Literal["a", "b"]) -> Difference:
    return Difference(
        part=thing.part, id=thing.id, name=thing.name, ordinal=thing.ordinal, only=where
    )


def _unlike(a: _Thing, b: _Thing) -> Iterator[Difference]:
    for field, value in a.fields.items():
        if value == b.fields[field] or (field == "text" and None in (value, b.fields[field])):
            continue
        yield Difference(
            part=a.part,
            id=a.id,
            name=a.name,
            ordinal=a.ordinal,
            field=field,
            a=_shown(field, value),
            b=_shown(field, b.fields[field]),
        )


def _shown(field: str, value: str | None) -> str | None:
    return f"{len(value):,} characters" if field == "text" and value is not None else value


def _chapter(chapter: ExportedChapter) -> _Thing:
    return _Thing(
        Part.CHAPTER,
        chapter.chapter_id,
        chapter.title,
        chapter.ordinal,
        {
            "ordinal": str(chapter.ordinal),
            "title": chapter.title,
            "language": chapter.language,
            "text": chapter.text,
            "paratext": _listed(
                f"[{each.start}, {each.end}) {each.reason}" for each in chapter.paratext
            ),
        },
    )


def _scene(chapter: ExportedChapter, scene: ExportedScene) -> _Thing:
    return _Thing(
        Part.SCENE,
        scene.scene_id,
        scene.title,
        chapter.ordinal,
        {
            "chapter": chapter.chapter_id,
            "storyline": scene.path[-1] if scene.path else scene.thread,
            "touches": _listed(scene.also),
            "span": f"[{scene.start}, {scene.end})",
            "more spans": _listed(f"[{each.start}, {each.end})" for each in scene.extra_spans),
            "title": scene.title,
            "synopsis": scene.synopsis,
            "significance": scene.significance,
            "characters": _listed(scene.characters),
        },
    )


def _storyline(storyline: ExportedStoryline) -> _Thing:
    until = storyline.until_ordinal
    return _Thing(
        Part.STORYLINE,
        storyline.id,
        storyline.title,
        storyline.from_ordinal,
        {
            "kind": storyline.kind.value,
            "parent": storyline.parent,
            "title": storyline.title,
            "synopsis": storyline.synopsis,
            "begins": str(storyline.from_ordinal),
            "ends": None if until is None else str(until),
        },
    )


def _character(character: ExportedCharacter, shared: Collection[SceneId]) -> _Thing:
    """Of the scenes those count that both trees hold: the others are told of as scenes."""
    return _Thing(
        Part.CHARACTER,
        character.id,
        character.name,
        min((each.from_ordinal for each in character.aliases), default=None),
        {
            "name": character.name,
            "aliases": _listed(f"{a.alias} (from {a.from_ordinal})" for a in character.aliases),
            "is": _listed(f"{each.id} (from {each.from_ordinal})" for each in character.identities),
            "scenes": _listed(each for each in character.scenes if each in shared),
        },
    )


def _listed(told: Iterable[str]) -> str:
    return ", ".join(told)
