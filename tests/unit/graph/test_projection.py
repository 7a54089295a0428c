from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contracts.ids import ChapterId, CharacterId, SceneId, StorylineId
from contracts.ordinals import Ordinal
from contracts.tree import (
    AliasRow,
    Appear,
    AppearanceRow,
    AttachScene,
    ChapterInputs,
    CharacterRow,
    ChildRow,
    Describe,
    DescriptionRow,
    GraftRecord,
    HomeRow,
    IdentityRow,
    IntroduceCharacter,
    LinkAlias,
    LinkIdentity,
    MoveScene,
    MoveStoryline,
    OpenStoryline,
    Operation,
    StorylineKind,
    StorylineRow,
    TouchRow,
    TouchStoryline,
    TreeRow,
)
from graph.projection import changes, inherited, key_of, project, snapshot, suffix_changes
from tests.unit.graph.stories import Told, chapter, folded, long_story, stories

ROOT, ONE, TWO = StorylineId("root"), StorylineId("one"), StorylineId("two")
SCENE, ADA, GRACE = SceneId("scene"), CharacterId("ada"), CharacterId("grace")


def _record(ordinal: int, *operations: Operation, name: str = "") -> GraftRecord:
    return GraftRecord(
        chapter_id=ChapterId(name or f"c{ordinal}"),
        ordinal=Ordinal.parse(ordinal),
        operations=operations,
        digest="",
    )


def _at(ordinal: int) -> int:
    return int(Ordinal.parse(ordinal))


def _rows(*records: GraftRecord) -> set[TreeRow]:
    return set(project(records).values())


OPENED = _record(
    1,
    OpenStoryline(storyline=ROOT, kind=StorylineKind.GROUP, parent=None),
    OpenStoryline(storyline=ONE, kind=StorylineKind.THREAD, parent=ROOT),
    AttachScene(scene=SCENE, storyline=ONE),
)
MOVED = MoveScene(scene=SCENE, source=ONE, target=TWO, since=Ordinal.parse(1))


def test_opening_and_attaching() -> None:
    assert _rows(OPENED) == {
        StorylineRow(ROOT, StorylineKind.GROUP, _at(1)),
        StorylineRow(ONE, StorylineKind.THREAD, _at(1)),
        ChildRow(ONE, ROOT, _at(1), None),
        HomeRow(SCENE, ONE, _at(1), None),
    }


def test_a_move_closes_the_old_edge_and_opens_the_new_one() -> None:
    rows = _rows(OPENED, _record(2, MOVED))
    assert HomeRow(SCENE, ONE, _at(1), _at(2)) in rows
    assert HomeRow(SCENE, TWO, _at(2), None) in rows


def test_a_storyline_moves_like_a_scene() -> None:
    moved = MoveStoryline(storyline=ONE, source=ROOT, target=TWO, since=Ordinal.parse(1))
    rows = _rows(OPENED, _record(2, moved))
    assert {row for row in rows if isinstance(row, ChildRow)} == {
        ChildRow(ONE, ROOT, _at(1), _at(2)),
        ChildRow(ONE, TWO, _at(2), None),
    }


def test_an_edge_that_would_be_empty_is_not_stored() -> None:
    rows = _rows(OPENED, _record(1, MOVED, name="tie"))
    assert {row for row in rows if isinstance(row, HomeRow)} == {HomeRow(SCENE, TWO, _at(1), None)}


def test_touches_and_what_is_said_of_characters() -> None:
    record = _record(
        3,
        TouchStoryline(scene=SCENE, storyline=TWO),
        IntroduceCharacter(character=ADA, name="Ada"),
        LinkAlias(character=ADA, alias="the Countess"),
        LinkIdentity(character=GRACE, same_as=ADA),
        Appear(character=ADA, scene=SCENE, count=4),
    )
    assert _rows(record) == {
        TouchRow(SCENE, TWO, _at(3)),
        CharacterRow(ADA, _at(3)),
        AliasRow(ADA, "Ada", _at(3)),
        AliasRow(ADA, "the Countess", _at(3)),
        IdentityRow(GRACE, ADA, _at(3)),
        AppearanceRow(ADA, SCENE, 4, _at(3)),
    }


def test_a_name_said_again_keeps_its_first_ordinal() -> None:
    introduced = _record(1, IntroduceCharacter(character=ADA, name="Ada"))
    again = _record(2, LinkAlias(character=ADA, alias="Ada"))
    assert AliasRow(ADA, "Ada", _at(1)) in _rows(introduced, again)


def _described(ordinal: int, name: str, title: str) -> GraftRecord:
    described = Describe(storyline=ONE, title=title, synopsis="", inputs=(SCENE,))
    return _record(ordinal, described, name=name)


def test_of_two_versions_at_one_ordinal_the_later_chapters_counts() -> None:
    rows = project([_described(1, "b", "late"), _described(1, "a", "early")])
    assert len(rows) == 2
    (version,) = snapshot(rows.values(), Ordinal.parse(1)).descriptions
    assert version == DescriptionRow(ONE, _at(1), "b", "late", "", (SCENE,))


def test_a_snapshot_holds_what_holds_and_masks_later_ends() -> None:
    rows = project([OPENED, _record(3, MOVED), _described(4, "c4", "four")])
    before = snapshot(rows.values(), Ordinal.parse(2))
    assert before.homes == (HomeRow(SCENE, ONE, _at(1), None),)
    assert before.descriptions == ()
    after = snapshot(rows.values(), Ordinal.parse(4))
    assert after.homes == (HomeRow(SCENE, TWO, _at(3), None),)
    assert [row.title for row in after.descriptions] == ["four"]


def test_a_snapshot_is_sorted_whatever_the_order_of_the_rows() -> None:
    rows = list(project(folded(long_story(12, 4, subjects=3))[1]).values())
    at = Ordinal.parse(8)
    assert snapshot(rows, at) == snapshot(rows[::-1], at)


def test_keys_tell_rows_apart_by_what_identifies_them() -> None:
    rows: list[TreeRow] = [
        HomeRow(SCENE, ONE, 1, None),
        HomeRow(SCENE, ONE, 2, None),
        TouchRow(SCENE, ONE, 1),
        AliasRow(ADA, "a:b", 1),
        AliasRow(ADA, "a", 1),
        DescriptionRow(ONE, 1, "c1", "", "", ()),
        DescriptionRow(ONE, 1, "c2", "", "", ()),
        StorylineRow(ONE, StorylineKind.ARC, 1),
        CharacterRow(ONE, 1),
    ]
    assert len({key_of(row) for row in rows}) == len(rows)


def test_an_edges_end_is_no_part_of_its_key() -> None:
    assert key_of(ChildRow(ONE, ROOT, 1, None)) == key_of(ChildRow(ONE, ROOT, 1, 5))
    assert key_of(HomeRow(SCENE, ONE, 1, None)) == key_of(HomeRow(SCENE, ONE, 1, 5))


def test_changes_puts_what_differs_and_deletes_what_has_gone() -> None:
    old, new = project([OPENED]), project([OPENED, _record(1, MOVED, name="tie")])
    found = changes(old, new)
    assert set(found.puts.values()) == {HomeRow(SCENE, TWO, _at(1), None)}
    assert set(found.deletes.values()) == {HomeRow(SCENE, ONE, _at(1), None)}


def test_a_suffix_inherits_the_edges_that_it_closes_but_did_not_open() -> None:
    assert set(inherited([_record(2, MOVED)]).values()) == {HomeRow(SCENE, ONE, _at(1), None)}
    assert inherited([OPENED, _record(2, MOVED)]) == {}


def test_an_edge_that_the_new_suffix_leaves_open_is_reopened() -> None:
    found = suffix_changes([_record(2, MOVED)], [_record(2)])
    assert set(found.puts.values()) == {HomeRow(SCENE, ONE, _at(1), None)}
    assert set(found.deletes.values()) == {HomeRow(SCENE, TWO, _at(2), None)}


def test_an_edge_that_a_tie_had_emptied_comes_back() -> None:
    found = suffix_changes([_record(1, MOVED, name="tie")], [])
    assert set(found.puts.values()) == {HomeRow(SCENE, ONE, _at(1), None)}


def test_growth_closes_inherited_edges() -> None:
    found = suffix_changes([], [_record(2, MOVED)])
    assert HomeRow(SCENE, ONE, _at(1), _at(2)) in found.puts.values()
    assert not found.deletes


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(stories(most=16), st.data())
def test_suffix_changes_turn_the_stored_rows_into_the_new_ones(
    story: list[ChapterInputs], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(story) - 1))
    edited = list(story)
    edited[at] = chapter(story[at].chapter_id, str(story[at].ordinal), [Told(5), Told(6)])
    if data.draw(st.booleans()):
        del edited[at]
    (_, old), (_, new) = folded(story), folded(edited)
    found = suffix_changes(old[at:], new[at:])
    stored = project(old)
    assert found.deletes.keys() <= stored.keys()
    assert not found.deletes.keys() & found.puts.keys()
    kept = {key: row for key, row in stored.items() if key not in found.deletes}
    assert kept | dict(found.puts) == project(new)
