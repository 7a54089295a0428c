"""What readers are shown is cut from the export, in a fixed order."""

from __future__ import annotations

import pytest

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
from streams import reading
from streams.reading import Ambiguous
from streams.session import NotFound


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


def test_the_tree_counts_all_scenes_beneath() -> None:
    root = reading.tree(EXPORT).root
    assert root is not None
    assert (root.id, root.scenes) == ("root", 3)
    assert [(child.id, child.scenes) for child in root.children] == [("sea-1", 2), ("sea-2", 1)]
    assert [child.id for child in root.children[0].children] == ["arc"]
    empty = EXPORT.model_copy(update={"storylines": (), "chapters": ()})
    assert reading.tree(empty).root is None


def test_threads_with_their_span() -> None:
    lines = reading.threads(EXPORT).threads
    assert [(line.id, line.scenes, line.touching, str(line.last_ordinal)) for line in lines] == [
        ("sea-1", 2, 0, "2"),
        ("sea-2", 1, 1, "2"),
    ]


def test_a_thread_by_the_beginning_of_its_id() -> None:
    found = reading.thread(EXPORT, "SEA-2")
    assert [(line.scene_id, line.home) for line in found.scenes] == [("s2", True), ("s3", False)]
    with pytest.raises(Ambiguous, match="sea-1"):
        reading.thread(EXPORT, "sea")
    with pytest.raises(NotFound, match="no thread 'x'"):
        reading.thread(EXPORT, "x")


def test_characters_of_most_scenes_first() -> None:
    lines = reading.characters(EXPORT).characters
    assert [line.name for line in lines] == [
        "Jim Hawkins",
        "Long John Silver",
        "Mrs. Hawkins",
        "Jim the cat",
    ]
    assert lines[1].aliases == ("Silver", "Barbecue")
    assert (lines[3].first_ordinal, lines[3].scenes) == (None, 0)


@pytest.mark.parametrize("name", ["long john silver", "BARBECUE", "  silver ", "0001aa", "john"])
def test_a_character_by_name_alias_id_or_a_word_of_the_name(name: str) -> None:
    found = reading.character(EXPORT, name)
    assert found.character.name == "Long John Silver"
    assert (str(found.first_ordinal), str(found.last_ordinal)) == ("1", "2")
    assert [(c.name, c.scenes) for c in found.companions] == [("Jim Hawkins", 2)]
    assert [line.scene_id for line in found.scenes] == ["s1", "s3"]


def test_a_whole_name_counts_before_a_word_of_one() -> None:
    assert reading.character(EXPORT, "hawkins").character.id == "cc"


def test_several_of_one_name_are_told_apart() -> None:
    with pytest.raises(Ambiguous, match=r"Jim Hawkins \(0001bb\), Jim the cat \(dd\)"):
        reading.character(EXPORT, "jim")
    with pytest.raises(Ambiguous):
        reading.character(EXPORT, "0001")
    with pytest.raises(NotFound, match="Nobody is called"):
        reading.character(EXPORT, "flint")
