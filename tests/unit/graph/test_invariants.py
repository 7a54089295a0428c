"""Each invariant is broken on purpose, and the fault is seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import pytest

from contracts.ordinals import Ordinal
from contracts.tree import (
    ChapterInputs,
    ChildRow,
    DescriptionRow,
    GraftRecord,
    HomeRow,
    StorylineKind,
    StorylineRow,
    TouchRow,
    TreeRow,
)
from graph.invariants import violations
from graph.projection import key_of, project
from tests.unit.graph.stories import PEOPLE, WORK, Told, chapter, folded, long_story


@dataclass(frozen=True)
class Stored:
    chapters: tuple[ChapterInputs, ...]
    records: tuple[GraftRecord, ...]
    rows: tuple[TreeRow, ...]

    def faults(self) -> tuple[str, ...]:
        return violations(WORK, self.chapters, self.records, self.rows)

    def with_rows(self, rows: Iterable[TreeRow]) -> Stored:
        return replace(self, rows=tuple(rows))

    def changing(self, row: TreeRow, *instead: TreeRow) -> Stored:
        return self.with_rows([*(each for each in self.rows if each != row), *instead])


@pytest.fixture(scope="module")
def sound() -> Stored:
    meeting = chapter("c99", 99, [Told(0, people=PEOPLE[:3])])
    story = (*long_story(19, 6, subjects=3), meeting)
    _, records = folded(story)
    return Stored(story, records, tuple(project(records).values()))


def test_a_folded_story_has_no_fault(sound: Stored) -> None:
    assert sound.faults() == ()
    assert violations(WORK, (), (), ()) == ()


def _homes(stored: Stored) -> list[HomeRow]:
    return [row for row in stored.rows if isinstance(row, HomeRow)]


def _children(stored: Stored) -> list[ChildRow]:
    return [row for row in stored.rows if isinstance(row, ChildRow)]


def _storylines(stored: Stored, kind: StorylineKind) -> list[StorylineRow]:
    return [row for row in stored.rows if isinstance(row, StorylineRow) and row.kind is kind]


def _descriptions(stored: Stored) -> list[DescriptionRow]:
    return [row for row in stored.rows if isinstance(row, DescriptionRow)]


def _root(stored: Stored) -> StorylineRow:
    beneath = {row.child for row in _children(stored)}
    return next(s for s in _storylines(stored, StorylineKind.GROUP) if s.id not in beneath)


# --- inputs, records and rows -----------------------------------------------------------------


def test_records_that_the_inputs_do_not_give(sound: Stored) -> None:
    altered = sound.records[5].model_copy(update={"digest": "0" * 32})
    records = (*sound.records[:5], altered, *sound.records[6:])
    assert replace(sound, records=records).faults() == (
        f"chapter {altered.chapter_id!r}: folding its inputs gives another graft record",
    )


def test_a_chapter_without_a_record(sound: Stored) -> None:
    assert (
        "20 live chapters, but 19 graft records"
        in replace(sound, records=sound.records[:-1]).faults()
    )


def test_rows_that_do_not_follow_from_the_records(sound: Stored) -> None:
    home = _homes(sound)[0]
    touch = TouchRow(home.scene, _root(sound).id, home.from_ordinal)
    assert (
        f"row {key_of(touch)} does not follow from the records"
        in sound.with_rows([*sound.rows, touch]).faults()
    )
    without = sound.changing(home).faults()
    assert f"row {key_of(home)} follows from the records but is not there" in without
    longer = replace(home, until_ordinal=10**15)
    assert (
        f"row {key_of(home)} differs from what the records say"
        in sound.changing(home, longer).faults()
    )


def test_a_row_that_is_there_twice(sound: Stored) -> None:
    row = sound.rows[3]
    assert f"row {key_of(row)} is there twice" in sound.with_rows([*sound.rows, row]).faults()


# --- the tree, at every as-of -----------------------------------------------------------------


def test_two_roots(sound: Stored) -> None:
    second = StorylineRow("second", StorylineKind.GROUP, 0)
    assert "2 roots, not 1" in sound.with_rows([*sound.rows, second]).faults()


def test_no_root(sound: Stored) -> None:
    assert "0 roots, not 1" in sound.with_rows([]).faults()


def test_a_root_that_comes_late_or_is_no_group(sound: Stored) -> None:
    root = _root(sound)
    fault = f"root {root.id} is not a group from 0 on"
    assert fault in sound.changing(root, replace(root, from_ordinal=1)).faults()
    assert fault in sound.changing(root, replace(root, kind=StorylineKind.ARC)).faults()


def test_a_storyline_that_leaves_the_tree(sound: Stored) -> None:
    edge = next(row for row in _children(sound) if row.until_ordinal is None)
    at = Ordinal.parse(50)
    fault = f"storyline {edge.child} is in the tree nowhere from {at} on"
    assert fault in sound.changing(edge, replace(edge, until_ordinal=int(at))).faults()


def test_a_storyline_with_two_parents(sound: Stored) -> None:
    edge = next(row for row in _children(sound) if row.until_ordinal is None)
    second = replace(edge, parent="elsewhere", from_ordinal=int(Ordinal.parse(50)))
    fault = f"storyline {edge.child} is in the tree twice at 50"
    assert fault in sound.with_rows([*sound.rows, second]).faults()


def test_a_cycle(sound: Stored) -> None:
    root = _root(sound)
    thread = next(row for row in _children(sound) if row.parent == root.id)
    closing = ChildRow(root.id, thread.child, thread.from_ordinal, None)
    fault = f"storyline {thread.child} lies beneath itself at {Ordinal(thread.from_ordinal)}"
    assert fault in sound.with_rows([*sound.rows, closing]).faults()


def test_a_scene_without_a_home(sound: Stored) -> None:
    home = _homes(sound)[-1]
    rest = [row for row in sound.rows if not (isinstance(row, HomeRow) and row.scene == home.scene)]
    at = next(
        chapter.ordinal
        for chapter in sound.chapters
        if home.scene in {inputs.scene.scene_id for inputs in chapter.scenes}
    )
    fault = f"scene {home.scene} is at home nowhere from {at} on"
    assert fault in sound.with_rows(rest).faults()


def test_a_scene_at_home_before_its_chapter(sound: Stored) -> None:
    home = next(row for row in _homes(sound) if row.from_ordinal > 0 and not row.until_ordinal)
    early = replace(home, from_ordinal=home.from_ordinal - 1)
    fault = f"scene {home.scene} is at home twice at {Ordinal(early.from_ordinal)}"
    assert fault in sound.changing(home, early).faults()


def test_a_scene_with_two_homes(sound: Stored) -> None:
    home = next(row for row in _homes(sound) if row.until_ordinal is None)
    second = replace(home, storyline="elsewhere")
    fault = f"scene {home.scene} is at home twice at {Ordinal(home.from_ordinal)}"
    assert fault in sound.with_rows([*sound.rows, second]).faults()


def test_a_scene_between_two_homes(sound: Stored) -> None:
    home = next(row for row in _homes(sound) if row.until_ordinal is not None)
    short = replace(home, until_ordinal=(home.until_ordinal or 0) - 1)
    assert any(
        fault.startswith(f"scene {home.scene} is at home nowhere from")
        for fault in sound.changing(home, short).faults()
    )


def test_a_home_of_a_scene_that_has_gone(sound: Stored) -> None:
    stray = HomeRow("gone", _storylines(sound, StorylineKind.THREAD)[0].id, 0, None)
    fault = "scene gone has a home but belongs to no live chapter"
    assert fault in sound.with_rows([*sound.rows, stray]).faults()


def test_an_empty_storyline(sound: Stored) -> None:
    bare = StorylineRow("bare", StorylineKind.THREAD, 0)
    edge = ChildRow("bare", _root(sound).id, 0, None)
    fault = "storyline bare has 0 children as of 0"
    assert fault in sound.with_rows([*sound.rows, bare, edge]).faults()


def test_a_storyline_that_is_empty_for_a_while(sound: Stored) -> None:
    arc = next(s for s in _storylines(sound, StorylineKind.ARC))
    early = replace(arc, from_ordinal=0)
    assert f"storyline {arc.id} has 0 children as of 0" in sound.changing(arc, early).faults()


def test_a_storyline_over_capacity_for_a_while(sound: Stored) -> None:
    arc = _storylines(sound, StorylineKind.ARC)[0]
    at, end = int(Ordinal.parse(60)), int(Ordinal.parse(61))
    extra = [HomeRow(f"extra {n}", arc.id, at, end) for n in range(13)]
    faults = sound.with_rows([*sound.rows, *extra]).faults()
    assert any(f"storyline {arc.id} has" in f and f.endswith("as of 60") for f in faults)
    assert not any(f"storyline {arc.id} has" in f and f.endswith("as of 61") for f in faults)


def test_an_edge_that_holds_before_its_storyline(sound: Stored) -> None:
    edge = next(row for row in _homes(sound) if row.from_ordinal > 0)
    unknown = replace(edge, storyline="nobody")
    assert (
        f"{key_of(unknown)} holds before its storylines do"
        in sound.with_rows([*sound.rows, unknown]).faults()
    )
    late = StorylineRow(edge.storyline, StorylineKind.ARC, edge.from_ordinal + 1)
    faults = sound.with_rows([*sound.rows, late]).faults()
    assert f"{key_of(edge)} holds before its storylines do" in faults


def test_an_edge_that_holds_nowhere(sound: Stored) -> None:
    home = _homes(sound)[0]
    empty = replace(home, from_ordinal=5, until_ordinal=5)
    assert f"{key_of(empty)} holds nowhere" in sound.with_rows([*sound.rows, empty]).faults()


def test_a_touch_that_does_not_begin_with_its_scene(sound: Stored) -> None:
    touch = next(row for row in sound.rows if isinstance(row, TouchRow))
    late = replace(touch, from_ordinal=touch.from_ordinal + 1)
    fault = f"{key_of(touch)} does not begin with its scene"
    assert fault in sound.changing(touch, late).faults()


# --- descriptions -----------------------------------------------------------------------------


def _redescribed(stored: Stored, altered: DescriptionRow) -> tuple[str, tuple[str, ...]]:
    """Put `altered` in the place of the first version; return how faults begin, and the faults."""
    version = _descriptions(stored)[0]
    begins = f"the description of {version.storyline} at {Ordinal(version.from_ordinal)} is made"
    return begins, stored.changing(version, altered).faults()


def test_a_description_made_from_a_scene_that_has_gone(sound: Stored) -> None:
    altered = replace(_descriptions(sound)[0], inputs=("gone",))
    begins, faults = _redescribed(sound, altered)
    assert f"{begins} from gone: gone" in faults


def test_a_description_made_from_a_later_scene(sound: Stored) -> None:
    later = sound.chapters[-1].scenes[0].scene.scene_id
    begins, faults = _redescribed(sound, replace(_descriptions(sound)[0], inputs=(later,)))
    assert f"{begins} from {later}: later" in faults


def test_a_description_made_from_nothing(sound: Stored) -> None:
    begins, faults = _redescribed(sound, replace(_descriptions(sound)[0], inputs=()))
    assert f"{begins} from nothing" in faults


def test_a_description_of_what_is_not_there(sound: Stored) -> None:
    _, faults = _redescribed(sound, replace(_descriptions(sound)[0], storyline="nobody"))
    assert any(fault.startswith("storyline nobody is described at") for fault in faults)


# --- ties --------------------------------------------------------------------------------------


def test_chapters_at_one_ordinal_are_no_fault() -> None:
    story = tuple(chapter(name, 1, [Told(1, stray=n)] * 9) for n, name in enumerate("abc"))
    _, records = folded(story)
    assert violations(WORK, story, records, project(records).values()) == ()
