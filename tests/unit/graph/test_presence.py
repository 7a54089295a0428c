from __future__ import annotations

from contracts.tree import (
    AliasRow,
    AppearanceRow,
    CharacterRow,
    ChildRow,
    DescriptionRow,
    HomeRow,
    IdentityRow,
    StorylineKind,
    StorylineRow,
    TouchRow,
    TreeRow,
)
from graph.presence import Presence, told

_EVERYBODY: list[TreeRow] = [
    StorylineRow("thread", StorylineKind.THREAD, 1),
    ChildRow("thread", "root", 1, None),
    HomeRow("early", "thread", 1, None),
    HomeRow("late", "thread", 2, None),
    TouchRow("late", "thread", 2),
    DescriptionRow("thread", 1, "c1", "", "", ("early",)),
    DescriptionRow("thread", 3, "c3", "", "", ("early", "late")),
    CharacterRow("old", 1),
    CharacterRow("new", 2),
    AliasRow("old", "a", 1),
    AliasRow("old", "b", 2),
    AliasRow("new", "c", 2),
    AliasRow("new", "d", 3),
    IdentityRow("old", "new", 3),
    AppearanceRow("old", "early", 1, 1),
    AppearanceRow("new", "late", 1, 2),
    AppearanceRow("new", "early", 1, 3),
]


def test_nobody_absent_all_is_told_in_order() -> None:
    everywhere = Presence(frozenset({"early", "late"}), frozenset(), frozenset())
    assert list(told(_EVERYBODY, everywhere)) == _EVERYBODY


def test_a_chapter_that_is_not_live_takes_its_scenes_words_and_people_along() -> None:
    without_two = Presence(frozenset({"early"}), frozenset({"c2"}), frozenset({2}))
    assert list(told(_EVERYBODY, without_two)) == [
        StorylineRow("thread", StorylineKind.THREAD, 1),
        ChildRow("thread", "root", 1, None),
        HomeRow("early", "thread", 1, None),
        DescriptionRow("thread", 1, "c1", "", "", ("early",)),
        CharacterRow("old", 1),
        AliasRow("old", "a", 1),
        AppearanceRow("old", "early", 1, 1),
    ]


def test_a_description_goes_with_the_chapter_that_made_it() -> None:
    without_three = Presence(frozenset({"early", "late"}), frozenset({"c3"}), frozenset({3}))
    descriptions = [
        row for row in told(_EVERYBODY, without_three) if isinstance(row, DescriptionRow)
    ]
    assert [row.chapter_id for row in descriptions] == ["c1"]
