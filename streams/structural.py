"""A tree told by what it holds: where a thing stands in the story takes the place of its id.

Ids are derived from the work and its chapters, so two works that tell the same story have no id
in common; what they have in common is which scene stands where and what lies around it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from contracts.answers import Export, ExportedChapter, ExportedCharacter, ExportedScene
from contracts.ids import ChapterId, CharacterId, SceneId, StorylineId


def by_place(export: Export) -> Export:
    """Return `export` with ids made of content alone, unique within it, equal for equal stories.

    A chapter is called by its ordinal, a scene by chapter and span, a storyline by its kind and
    the first scene beneath it, a character by name and first scene. Of several that are called
    the same the second is `(2)`, in the order of the export.
    """
    chapters = _named((each.chapter_id, f"chapter {each.ordinal}") for each in export.chapters)
    scenes = _named(
        (scene.scene_id, f"{chapters[chapter.chapter_id]} [{scene.start}, {scene.end})")
        for chapter, scene in _scenes(export)
    )
    storylines = _named(_storylines(export, scenes))
    characters = _named(_characters(export, scenes))
    return export.model_copy(
        update={
            "chapters": tuple(
                chapter.model_copy(
                    update={
                        "chapter_id": ChapterId(chapters[chapter.chapter_id]),
                        "scenes": tuple(
                            _scene(scene, scenes, storylines) for scene in chapter.scenes
                        ),
                    }
                )
                for chapter in export.chapters
            ),
            "storylines": tuple(
                each.model_copy(
                    update={
                        "id": StorylineId(storylines[each.id]),
                        "parent": each.parent and StorylineId(_of(storylines, each.parent)),
                    }
                )
                for each in export.storylines
            ),
            "characters": tuple(_character(each, scenes, characters) for each in export.characters),
        }
    )


def _storylines(export: Export, scenes: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Name each by its kind, its rank of that kind on the way down, and its first scene."""
    kinds = {each.id: each.kind for each in export.storylines}
    first: dict[str, str] = {}
    for _, scene in _scenes(export):
        ranks: Counter[str] = Counter()
        for each in scene.path:
            kind = kinds[each].value if each in kinds else "storyline"
            ranks[kind] += 1
            first.setdefault(each, f"{kind} {ranks[kind]} of {scenes[scene.scene_id]}")
    for told in export.storylines:
        yield told.id, first.get(told.id, f"{told.kind.value} without a scene")


def _characters(export: Export, scenes: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for each in export.characters:
        first = _of(scenes, each.scenes[0]) if each.scenes else "no scene"
        yield each.id, f"{each.name} of {first}"


def _scene(
    scene: ExportedScene, scenes: Mapping[str, str], storylines: Mapping[str, str]
) -> ExportedScene:
    return scene.model_copy(
        update={
            "scene_id": SceneId(scenes[scene.scene_id]),
            "path": tuple(StorylineId(_of(storylines, each)) for each in scene.path),
            "thread": StorylineId(_of(storylines, scene.thread)),
            "also": tuple(sorted(StorylineId(_of(storylines, each)) for each in scene.also)),
        }
    )


def _character(
    character: ExportedCharacter, scenes: Mapping[str, str], characters: Mapping[str, str]
) -> ExportedCharacter:
    return character.model_copy(
        update={
            "id": CharacterId(characters[character.id]),
            "identities": tuple(
                each.model_copy(update={"id": CharacterId(_of(characters, each.id))})
                for each in character.identities
            ),
            "scenes": tuple(SceneId(_of(scenes, each)) for each in character.scenes),
        }
    )


def _named(wanted: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return a name for each id, no two alike."""
    met: Counter[str] = Counter()
    names = {}
    for id_, name in wanted:
        met[name] += 1
        names[id_] = name if met[name] == 1 else f"{name} ({met[name]})"
    return names


def _of(names: Mapping[str, str], id_: str) -> str:
    """Return the name of `id_`; what the export does not tell of keeps its id."""
    return names.get(id_, id_)


def _scenes(export: Export) -> Iterator[tuple[ExportedChapter, ExportedScene]]:
    return ((chapter, scene) for chapter in export.chapters for scene in chapter.scenes)
