"""What a reader asks of the tree, cut from an export: it cannot know more than that does."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from contracts.answers import (
    Export,
    ExportedChapter,
    ExportedCharacter,
    ExportedScene,
    ExportedStoryline,
)
from contracts.ids import StorylineId
from contracts.ordinals import Ordinal
from contracts.reports import (
    CharacterLine,
    CharacterReport,
    CharactersReport,
    Companion,
    Revealed,
    SceneLine,
    ThreadLine,
    ThreadReport,
    ThreadsReport,
    TreeNode,
    TreeReport,
)
from contracts.tree import StorylineKind
from streams.session import NotFound

_SHOWN: Final = 5  # names in an error, enough to choose from


class Ambiguous(NotFound):
    """Several things are called so; the text names them."""


def tree(export: Export) -> TreeReport:
    """Return the storylines as a tree, children in the order in which they began."""
    children: defaultdict[StorylineId | None, list[ExportedStoryline]] = defaultdict(list)
    for storyline in export.storylines:
        children[storyline.parent].append(storyline)
    beneath = Counter(each for _, scene in _scenes(export) for each in scene.path)

    def node(storyline: ExportedStoryline) -> TreeNode:
        return TreeNode(
            id=storyline.id,
            kind=storyline.kind,
            title=storyline.title,
            synopsis=storyline.synopsis,
            from_ordinal=storyline.from_ordinal,
            scenes=beneath[storyline.id],
            children=tuple(node(child) for child in children[storyline.id]),
        )

    roots = [node(storyline) for storyline in children[None]]
    return TreeReport(
        work_id=export.work_id,
        generation=export.generation,
        as_of=export.as_of,
        root=roots[0] if roots else None,
    )


def threads(export: Export) -> ThreadsReport:
    """Return all threads, oldest first."""
    found = [each for each in export.storylines if each.kind is StorylineKind.THREAD]
    lines = [_thread_line(export, storyline) for storyline in found]
    return ThreadsReport(
        work_id=export.work_id,
        generation=export.generation,
        as_of=export.as_of,
        threads=tuple(sorted(lines, key=lambda line: (line.from_ordinal, line.id))),
    )


def thread(export: Export, prefix: str) -> ThreadReport:
    """Return the storyline whose id begins with `prefix`, with its scenes in story order.

    Raises:
        NotFound: no storyline as of then, or (`Ambiguous`) several.
    """
    storyline = _storyline(export, prefix)
    return ThreadReport(
        work_id=export.work_id,
        generation=export.generation,
        as_of=export.as_of,
        thread=_thread_line(export, storyline),
        scenes=tuple(
            _scene_line(chapter, scene, home=storyline.id in scene.path)
            for chapter, scene in _scenes(export)
            if storyline.id in scene.path or storyline.id in scene.also
        ),
    )


def characters(export: Export) -> CharactersReport:
    """Return all characters, those of most scenes first."""
    lines = [_character_line(export, character) for character in export.characters]
    return CharactersReport(
        work_id=export.work_id,
        generation=export.generation,
        as_of=export.as_of,
        characters=tuple(sorted(lines, key=lambda line: (-line.scenes, line.name, line.id))),
    )


def character(export: Export, name: str) -> CharacterReport:
    """Return the character called `name`, in any case of letters, or whose id begins so.

    Raises:
        NotFound: nobody is called so as of then, or (`Ambiguous`) several are.
    """
    found = _called(export, name)
    seen = set(found.scenes)
    together = Counter(
        {other.id: len(seen.intersection(other.scenes)) for other in export.characters}
    )
    names = {other.id: other.name for other in export.characters}
    companions = [
        Companion(id=other, name=names[other], scenes=count)
        for other, count in together.items()
        if count and other != found.id
    ]
    scenes = [(chapter, scene) for chapter, scene in _scenes(export) if scene.scene_id in seen]
    first, last = _span(chapter.ordinal for chapter, _ in scenes)
    return CharacterReport(
        work_id=export.work_id,
        generation=export.generation,
        as_of=export.as_of,
        character=found,
        first_ordinal=first,
        last_ordinal=last,
        revealed=tuple(_revealed(export, found)),
        companions=tuple(sorted(companions, key=lambda c: (-c.scenes, c.name, c.id))),
        scenes=tuple(_scene_line(chapter, scene) for chapter, scene in scenes),
    )


def _revealed(export: Export, found: ExportedCharacter) -> Iterator[Revealed]:
    names = {other.id: other.name for other in export.characters}
    for link in found.identities:
        yield Revealed(id=link.id, name=names[link.id], from_ordinal=link.from_ordinal)


def _scenes(export: Export) -> Iterator[tuple[ExportedChapter, ExportedScene]]:
    return ((chapter, scene) for chapter in export.chapters for scene in chapter.scenes)


def _scene_line(chapter: ExportedChapter, scene: ExportedScene, *, home: bool = True) -> SceneLine:
    return SceneLine(
        chapter_id=chapter.chapter_id,
        ordinal=chapter.ordinal,
        scene_id=scene.scene_id,
        title=scene.title,
        synopsis=scene.synopsis,
        characters=scene.characters,
        home=home,
    )


def _thread_line(export: Export, storyline: ExportedStoryline) -> ThreadLine:
    at_home = [chapter for chapter, scene in _scenes(export) if storyline.id in scene.path]
    touching = [chapter for chapter, scene in _scenes(export) if storyline.id in scene.also]
    _, last = _span(chapter.ordinal for chapter in (*at_home, *touching))
    return ThreadLine(
        id=storyline.id,
        title=storyline.title,
        synopsis=storyline.synopsis,
        from_ordinal=storyline.from_ordinal,
        last_ordinal=last,
        scenes=len(at_home),
        touching=len(touching),
    )


def _storyline(export: Export, prefix: str) -> ExportedStoryline:
    found = [each for each in export.storylines if each.id.startswith(prefix.casefold())]
    if len(found) == 1:
        return found[0]
    if not found:
        raise NotFound(
            f"There is no thread {prefix!r} in {export.work_id} as of {export.as_of}; "
            "`storygraft threads` lists them."
        )
    shown = ", ".join(f"{each.id} ({each.title})" for each in found[:_SHOWN])
    raise Ambiguous(f"{len(found)} threads begin with {prefix!r}: {shown}; give more of the id.")


def _character_line(export: Export, character: ExportedCharacter) -> CharacterLine:
    seen = set(character.scenes)
    first, last = _span(
        chapter.ordinal for chapter, scene in _scenes(export) if scene.scene_id in seen
    )
    return CharacterLine(
        id=character.id,
        name=character.name,
        aliases=tuple(alias.alias for alias in character.aliases if alias.alias != character.name),
        first_ordinal=first,
        last_ordinal=last,
        scenes=len(character.scenes),
    )


def _called(export: Export, name: str) -> ExportedCharacter:
    """Find who is called exactly so, else whose id begins so, else whose name holds the words."""
    wanted = _folded(name)
    ways = (
        [each for each in export.characters if wanted in map(_folded, _names(each))],
        [each for each in export.characters if each.id.startswith(wanted) and len(wanted) > 3],
        [
            each
            for each in export.characters
            if any(set(wanted.split()) <= set(_folded(other).split()) for other in _names(each))
        ],
    )
    found = next((way for way in ways if way), [])
    if len(found) == 1:
        return found[0]
    if not found:
        raise NotFound(
            f"Nobody is called {name!r} in {export.work_id} as of {export.as_of}; "
            "`storygraft characters` lists everybody."
        )
    shown = ", ".join(f"{each.name} ({each.id[:8]})" for each in found[:_SHOWN])
    raise Ambiguous(
        f"{len(found)} characters are called {name!r}: {shown}; give the name in full, or the id."
    )


def _names(character: ExportedCharacter) -> tuple[str, ...]:
    return (character.name, *(alias.alias for alias in character.aliases))


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().replace("’", "'").split())


def _span(ordinals: Iterable[Ordinal]) -> tuple[Ordinal | None, Ordinal | None]:
    found = list(ordinals)
    return (min(found), max(found)) if found else (None, None)
