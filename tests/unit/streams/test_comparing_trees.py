"""Whether two trees are the same is decided by everything that their exports say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from contracts.answers import Export, ExportedScene
from contracts.events import ChapterPublished
from contracts.ids import ChapterId, WorkId
from contracts.ordinals import Ordinal
from contracts.reports import CompareReport, Part
from contracts.requests import ExportFile, Story, TwoTrees, WholeStory
from contracts.tree import StorylineKind
from streams import performing
from streams.comparing_trees import compare
from streams.export_file import read_export
from streams.inputs.values import UnusableInput
from streams.not_found import NotFound
from streams.operations import COMPARE, EXPORT
from streams.wiring import open_home
from tests.e2e.homes import in_memory, publish
from tests.unit.streams.exports import EXPORT as SEA

TEXTS = (
    "Hedda Klaasen weighed the herring. “Fifty-seven,” said Hedda Klaasen to Wim Vask.",
    "Hedda Klaasen went up to the pass. Wim Vask came too. It snowed, and Hedda Klaasen laughed.",
    "Hedda Klaasen met nobody at the scale, and weighed nothing at all that day.",
)
IN_FULL = SEA.model_copy(
    update={
        "chapters": tuple(
            each.model_copy(update={"text": f"The text of {each.chapter_id}."})
            for each in SEA.chapters
        )
    }
)


def told(report: CompareReport) -> list[tuple[str, str, str | None]]:
    return [(each.part.value, each.id, each.only or each.field) for each in report.differences]


def with_scene(number: int, **changes: Any) -> Export:
    chapter = SEA.chapters[number]
    scene: ExportedScene = chapter.scenes[0].model_copy(update=changes)
    changed = chapter.model_copy(update={"scenes": (scene, *chapter.scenes[1:])})
    return SEA.model_copy(
        update={"chapters": (*SEA.chapters[:number], changed, *SEA.chapters[number + 1 :])}
    )


def test_the_same_export_is_the_same_tree() -> None:
    report = compare(SEA, SEA)
    assert (report.same, report.by, report.differences) == (True, "id", ())
    assert (report.a.chapters, report.a.scenes, report.a.storylines) == (3, 3, 4)


def test_what_only_one_has_is_named_and_a_chapter_stands_for_its_scenes() -> None:
    shorter = SEA.model_copy(
        update={"chapters": SEA.chapters[:1], "storylines": SEA.storylines[:-1]}
    )
    expected = [("chapter", "2"), ("chapter", "3"), ("storyline", "arc")]
    assert told(compare(SEA, shorter)) == [(part, name, "a") for part, name in expected]
    assert told(compare(shorter, SEA)) == [(part, name, "b") for part, name in expected]


def test_a_scene_that_went_to_another_storyline_is_told_with_both() -> None:
    moved = with_scene(1, path=("root", "sea-2"), thread="sea-2")
    (found,) = compare(SEA, moved).differences
    assert (found.part, found.id, found.field) == (Part.SCENE, "s3", "storyline")
    assert (found.a, found.b, str(found.ordinal)) == ("arc", "sea-2", "2")


def test_texts_count_where_both_have_them_and_are_not_repeated() -> None:
    other = IN_FULL.model_copy(
        update={
            "chapters": (
                IN_FULL.chapters[0].model_copy(update={"text": "Another text."}),
                *IN_FULL.chapters[1:],
            )
        }
    )
    (found,) = compare(IN_FULL, other).differences
    assert (found.id, found.field, found.a, found.b) == (
        "1",
        "text",
        "14 characters",
        "13 characters",
    )
    assert compare(SEA, other).same


def changed_somewhere(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Yield `value`, as JSON, with one leaf changed, every leaf in its turn."""
    if isinstance(value, dict):
        for key, inner in value.items():
            for where, other in changed_somewhere(inner, (*path, key)):
                yield where, {**value, key: other}
    elif isinstance(value, list) and value:
        for at, inner in enumerate(value):
            for where, other in changed_somewhere(inner, (*path, str(at))):
                yield where, [*value[:at], other, *value[at + 1 :]]
        yield ".".join((*path, "last")), value[:-1]
    elif isinstance(value, int):
        yield ".".join(path), value + 1
    elif isinstance(value, str) and value in set(StorylineKind):
        yield ".".join(path), "group" if value != "group" else "thread"
    elif isinstance(value, str):
        yield ".".join(path), f"{value}7"


FOLLOWS = ("work_id", "generation", "as_of", "level", "thread", "path.0", "path.1")
"""What a comparison leaves out: names of the tree, and what other fields decide."""


def test_no_field_of_an_export_escapes_it() -> None:
    whole = IN_FULL.model_dump(mode="json", by_alias=True)
    seen = 0
    for where, fields in changed_somewhere(whole):
        if where.endswith(FOLLOWS) and not where.endswith("scenes.1.path.1"):
            continue
        assert not compare(IN_FULL, Export.model_validate(fields)).same, where
        seen += 1
    assert seen > 100


def rename(export: Export, work: str) -> Export:
    """Return the same story under ids that have nothing in common with those of `export`."""
    told = export.model_dump_json(by_alias=True)
    ids = r'(?<!"title":)"(sea-1|sea-2|root|0001aa|0001bb|s1|s2|s3)"'
    told = re.sub(ids, lambda found: f'"{work}/{found[1][::-1]}"', told)
    renamed = Export.model_validate_json(told)
    chapters = tuple(
        each.model_copy(update={"chapter_id": ChapterId(f"{work}-{each.chapter_id}")})
        for each in renamed.chapters
    )
    return renamed.model_copy(update={"work_id": WorkId(work), "chapters": chapters})


def test_two_works_of_one_story_are_the_same_whatever_their_ids() -> None:
    report = compare(SEA, rename(SEA, "other"))
    assert told(report) == []
    assert report.by == "place"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda: with_scene(0, end=9), {"only in one"}),
        (lambda: with_scene(1, path=("root", "sea-2"), thread="sea-2"), {"storyline"}),
        (lambda: with_scene(1, also=()), {"touches"}),
    ],
)
def test_two_works_differ_where_their_stories_do(
    change: Callable[[], Export], expected: set[str]
) -> None:
    report = compare(SEA, rename(change(), "other"))
    assert {each.field or "only in one" for each in report.differences} >= expected


# --- as an operation of a home --------------------------------------------------------------------


def chapters(work: str, prefix: str) -> list[ChapterPublished]:
    return [
        ChapterPublished(
            work_id=WorkId(work),
            chapter_id=ChapterId(f"{prefix}{number}"),
            ordinal=Ordinal.parse(number),
            body=body,
        )
        for number, body in enumerate(TEXTS, start=1)
    ]


def as_of(work: str, number: object = "head") -> Story:
    return Story(work_id=work, as_of="head" if number == "head" else Ordinal.parse(number))


async def test_works_as_ofs_and_files_of_a_home(tmp_path: Path) -> None:
    async with open_home(in_memory(tmp_path)) as home:
        await publish(home, [*chapters("a", "x"), *chapters("b", "y")])
        here = performing.Here(home)

        async def report(a: Story | ExportFile, b: Story | ExportFile) -> CompareReport:
            return await here.call(COMPARE, TwoTrees(a=a, b=b))

        assert (await report(as_of("a"), as_of("b"))).same  # one story, two works
        assert (await report(as_of("a", 3), as_of("a"))).same
        grown = await report(as_of("a", 2), as_of("a"))
        assert ("chapter", "x3", "b") in told(grown)
        assert not (await report(as_of("a", 2), as_of("b"))).same

        file = tmp_path / "a.json"
        file.write_bytes((await here.call(EXPORT, WholeStory(work_id="a", as_of="head"))).to_json())
        assert (await report(ExportFile(export=file), as_of("a"))).same
        assert (await report(ExportFile(export=file), as_of("b"))).by == "place"
        with pytest.raises(NotFound, match="There is no work 'c'"):
            await report(as_of("a"), as_of("c"))


@pytest.mark.parametrize(
    ("content", "wrong"),
    [(b"not json", "the file"), (b"{}", "work_id"), (b'{"chapters": 3}', "work_id")],
)
def test_a_file_that_is_no_export_says_how_to_write_one(
    tmp_path: Path, content: bytes, wrong: str
) -> None:
    file = tmp_path / "x.json"
    file.write_bytes(content)
    with pytest.raises(UnusableInput, match=rf"{wrong}.*storygraft export WORK --json"):
        read_export(file)
    with pytest.raises(UnusableInput, match="cannot be read"):
        read_export(tmp_path / "nowhere.json")
