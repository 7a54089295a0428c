"""An export of a small story, made by hand."""

from __future__ import annotations

from contracts.answers import (
    Export,
    ExportedAlias,
    ExportedChapter,
    ExportedCharacter,
    ExportedIdentity,
    ExportedScene,
    ExportedStoryline,
)
from contracts.ids import ChapterId, CharacterId, SceneId, StorylineId, WorkId
from contracts.ordinals import Ordinal
from contracts.tree import StorylineKind


def at(number: int) -> Ordinal:
    return Ordinal.parse(number)


def storyline(name: str, kind: StorylineKind, parent: str | None, start: int) -> ExportedStoryline:
    return ExportedStoryline(
        id=StorylineId(name),
        kind=kind,
        parent=StorylineId(parent) if parent else None,
        level=0,
        title=f"Title of {name}",
        synopsis="",
        from_ordinal=at(start),
        until_ordinal=None,
    )


def scene(name: str, path: tuple[str, ...], also: tuple[str, ...] = ()) -> ExportedScene:
    return ExportedScene(
        scene_id=SceneId(name),
        start=0,
        end=1,
        extra_spans=(),
        title=name,
        synopsis="",
        significance="",
        characters=(),
        path=tuple(map(StorylineId, path)),
        thread=StorylineId(path[1]),
        also=tuple(map(StorylineId, also)),
    )


def character(
    name: str, scenes: tuple[str, ...], *aliases: str, ident: str = "", same: str = ""
) -> ExportedCharacter:
    return ExportedCharacter(
        id=CharacterId(ident or name.lower()),
        name=name,
        aliases=tuple(ExportedAlias(alias=each, from_ordinal=at(1)) for each in (name, *aliases)),
        identities=(ExportedIdentity(id=CharacterId(same), from_ordinal=at(2)),) if same else (),
        scenes=tuple(map(SceneId, scenes)),
    )


def chapter(number: int, *scenes: ExportedScene) -> ExportedChapter:
    return ExportedChapter(
        chapter_id=ChapterId(str(number)),
        ordinal=at(number),
        title="",
        language="en",
        paratext=(),
        scenes=scenes,
    )


EXPORT = Export(
    work_id=WorkId("w"),
    generation="g1",
    as_of=at(3),
    chapters=(
        chapter(1, scene("s1", ("root", "sea-1")), scene("s2", ("root", "sea-2"))),
        chapter(2, scene("s3", ("root", "sea-1", "arc"), also=("sea-2",))),
        chapter(3),
    ),
    storylines=(
        storyline("root", StorylineKind.GROUP, None, 1),
        storyline("sea-1", StorylineKind.THREAD, "root", 1),
        storyline("sea-2", StorylineKind.THREAD, "root", 1),
        storyline("arc", StorylineKind.ARC, "sea-1", 2),
    ),
    characters=(
        character("Long John Silver", ("s1", "s3"), "Silver", "Barbecue", ident="0001aa"),
        character("Jim Hawkins", ("s1", "s2", "s3"), "Jim", ident="0001bb"),
        character("Mrs. Hawkins", ("s2",), "Hawkins", ident="cc", same="0001bb"),
        character("Jim the cat", (), "Jim", ident="dd"),
    ),
)
