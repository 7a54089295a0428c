"""The whole work as of an ordinal, as one value in a fixed order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from contracts.answers import (
    Export,
    ExportedAlias,
    ExportedChapter,
    ExportedCharacter,
    ExportedIdentity,
    ExportedScene,
    ExportedStoryline,
)
from contracts.errors import TransientError
from contracts.ids import ChapterId, CharacterId, SceneId, StorylineId
from contracts.ordinals import Ordinal
from contracts.ports import ChapterScenes, StoryView, TreeSnapshot
from contracts.scenes import Scene
from contracts.tree import CharacterRow, StorylineRow
from contracts.works import ChapterRecord
from graph.tree_reading import TreeReading, read_tree

_ATTEMPTS: Final = 5  # a reading takes far less time than a commit: one more is enough as a rule


async def export(view: StoryView, with_text: bool) -> Export:
    """Return all that `view` holds: chapters and scenes in story order, storylines, characters.

    Storylines come by level, then age, then id; characters by age, then id. Texts only where
    asked for. It takes several readings: the last one confirms that the chapters are still those
    of the first.

    Raises:
        TransientError: a store is down, or the work changed each time it was read.
    """
    for _ in range(_ATTEMPTS):
        read = await _read(view, with_text)
        if _linked(await view.chapters()) == _linked(read.chapters):
            return _exported(view, read)
    raise TransientError(
        f"work {view.work_id} keeps changing while it is exported; try again when fewer chapters "
        "arrive"
    )


@dataclass(frozen=True, slots=True)
class _Read:
    """What an export is made from; only once it is confirmed does it fit together."""

    chapters: tuple[ChapterRecord, ...]
    scenes: tuple[ChapterScenes, ...]
    snapshot: TreeSnapshot
    texts: Mapping[ChapterId, str]


async def _read(view: StoryView, with_text: bool) -> _Read:
    chapters = await view.chapters()
    scenes = await view.scenes()
    snapshot = await view.snapshot()
    texts = await view.texts([chapter.chapter_id for chapter in chapters]) if with_text else {}
    return _Read(chapters, scenes, snapshot, texts)


def _linked(chapters: tuple[ChapterRecord, ...]) -> list[tuple[ChapterId, int]]:
    """Return which text of which chapters this is: a row position is never used again."""
    return [(chapter.chapter_id, chapter.row_position) for chapter in chapters]


def _exported(view: StoryView, read: _Read) -> Export:
    tree = read_tree(read.snapshot, read.scenes)
    of_chapter = {each.chapter_id: each for each in read.scenes}
    return Export(
        work_id=view.work_id,
        generation=view.generation,
        as_of=view.as_of,
        chapters=tuple(
            _chapter(chapter, of_chapter.get(chapter.chapter_id), tree, read.texts)
            for chapter in read.chapters
        ),
        storylines=_storylines(read.snapshot, tree),
        characters=_characters(read.snapshot, tree, read.scenes),
    )


def _chapter(
    chapter: ChapterRecord,
    scenes: ChapterScenes | None,
    tree: TreeReading,
    texts: Mapping[ChapterId, str],
) -> ExportedChapter:
    return ExportedChapter(
        chapter_id=chapter.chapter_id,
        ordinal=chapter.story_place,
        title=chapter.title,
        language=chapter.language,
        text=texts.get(chapter.chapter_id),
        paratext=chapter.paratext,
        scenes=tuple(_scene(scene, tree) for scene in scenes.scenes) if scenes else (),
    )


def _scene(scene: Scene, tree: TreeReading) -> ExportedScene:
    home = tree.homes[scene.scene_id]
    present = tree.present.get(scene.scene_id, [])
    return ExportedScene(
        scene_id=scene.scene_id,
        start=scene.start,
        end=scene.end,
        extra_spans=scene.extra_spans,
        title=scene.title,
        synopsis=scene.synopsis,
        significance=scene.significance,
        characters=tuple(sorted(tree.names[character] for character in present)),
        path=tree.path(home),
        thread=tree.thread(home),
        also=tuple(StorylineId(each) for each in tree.touches.get(scene.scene_id, [])),
    )


def _storylines(snapshot: TreeSnapshot, tree: TreeReading) -> tuple[ExportedStoryline, ...]:
    exported = [_storyline(row, tree) for row in snapshot.storylines]
    return tuple(sorted(exported, key=lambda s: (s.level, s.from_ordinal, s.id)))


def _storyline(row: StorylineRow, tree: TreeReading) -> ExportedStoryline:
    parent = tree.parents.get(row.id)
    return ExportedStoryline(
        id=StorylineId(row.id),
        kind=row.kind,
        parent=StorylineId(parent) if parent else None,
        level=len(tree.path(row.id)) - 1,
        title=tree.title(row.id),
        synopsis=tree.synopsis(row.id),
        from_ordinal=Ordinal(row.from_ordinal),
        until_ordinal=None,
    )


def _characters(
    snapshot: TreeSnapshot, tree: TreeReading, chapters: tuple[ChapterScenes, ...]
) -> tuple[ExportedCharacter, ...]:
    seen: dict[str, list[SceneId]] = {}
    for chapter in chapters:
        for scene in chapter.scenes:
            for character in tree.present.get(scene.scene_id, []):
                seen.setdefault(character, []).append(scene.scene_id)
    exported = [
        (row, _character(row, snapshot, tree, tuple(seen.get(row.id, []))))
        for row in snapshot.characters
    ]
    exported.sort(key=lambda pair: (pair[0].from_ordinal, pair[0].id))
    return tuple(character for _, character in exported)


def _character(
    row: CharacterRow, snapshot: TreeSnapshot, tree: TreeReading, scenes: tuple[SceneId, ...]
) -> ExportedCharacter:
    aliases = sorted(tree.aliases[row.id], key=lambda a: (a.from_ordinal, a.alias))
    return ExportedCharacter(
        id=CharacterId(row.id),
        name=tree.names[row.id],
        aliases=tuple(
            ExportedAlias(alias=each.alias, from_ordinal=Ordinal(each.from_ordinal))
            for each in aliases
        ),
        identities=_identities(row.id, snapshot),
        scenes=scenes,
    )


def _identities(character: str, snapshot: TreeSnapshot) -> tuple[ExportedIdentity, ...]:
    """Return whom the character is revealed to be, whichever of the two the story named first."""
    revealed = [
        (row.from_ordinal, row.same_as if row.character == character else row.character)
        for row in snapshot.identities
        if character in (row.character, row.same_as)
    ]
    return tuple(
        ExportedIdentity(id=CharacterId(other), from_ordinal=Ordinal(since))
        for since, other in sorted(revealed)
    )
