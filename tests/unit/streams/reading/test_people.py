"""Who is in the story, and all about one of them, as of a chapter."""

from __future__ import annotations

import pytest

from contracts.reports import CharacterLine, CharacterReport
from contracts.requests import OneCharacter, Page
from contracts.story_graph import CastPlace, StoryPlace
from streams.not_found import Ambiguous, NotFound
from streams.reading import people
from streams.reading.paging import turn_of
from tests.unit.streams.reading.tale import BEN, JIM, SILVER, STRANGER, Tale, W, a_page, a_tale


async def one(
    tale: Tale, name: str, as_of: object = None, *, limit: int = 50, after: str | None = None
) -> CharacterReport:
    view = await tale.as_of(as_of)
    asked = OneCharacter(work_id=W, as_of="head", character=name, limit=limit, after=after)
    return await people.character(view, name, turn_of(asked, StoryPlace))


async def test_those_of_most_scenes_come_first() -> None:
    tale = await a_tale()
    found = await people.characters(await tale.as_of(), turn_of(a_page(), CastPlace))
    assert [(line.name, line.scenes) for line in found.characters] == [
        ("Jim Hawkins", 3),
        ("Long John Silver", 2),
        ("the stranger", 1),
        ("Ben Gunn", 1),
        ("Captain Flint", 1),
        ("Jim", 0),
    ]
    assert found.characters[1].aliases == ("Barbecue",)
    assert found.characters[5].first_ordinal is None
    assert found.next is None
    early = await people.characters(await tale.as_of(1), turn_of(a_page(), CastPlace))
    assert [(line.name, line.aliases) for line in early.characters][:2] == [
        ("Jim Hawkins", ("Jim",)),
        ("Long John Silver", ()),  # nobody has called him Barbecue yet
    ]


async def test_pages_make_the_list() -> None:
    view = await (await a_tale()).as_of()
    whole = await people.characters(view, turn_of(a_page(), CastPlace))
    after: str | None = None
    found: list[CharacterLine] = []
    for _ in range(3):
        asked = Page(work_id=W, as_of="head", limit=2, after=after)
        page = await people.characters(view, turn_of(asked, CastPlace))
        found += page.characters
        after = page.next
    assert tuple(found) == whole.characters
    assert after is None


@pytest.mark.parametrize("name", ["long john silver", "BARBECUE", "  silver ", "0001aa", "john"])
async def test_a_character_by_name_alias_id_or_a_word_of_the_name(name: str) -> None:
    found = await one(await a_tale(), name)
    assert (found.character.id, found.character.name) == (SILVER, "Long John Silver")
    assert (str(found.first_ordinal), str(found.last_ordinal)) == ("1", "2")
    assert [(each.name, each.scenes) for each in found.companions] == [("Jim Hawkins", 2)]
    assert [str(line.ordinal) for line in found.scenes] == ["1", "2"]
    assert found.scenes[0].characters == ("Jim Hawkins", "Long John Silver")
    assert (found.scene_count, found.companion_count, found.next) == (2, 1, None)


async def test_an_identity_is_told_both_ways_once_it_is_revealed() -> None:
    tale = await a_tale()
    for name, other in (("the stranger", BEN), ("ben gunn", STRANGER)):
        (revealed,) = (await one(tale, name)).revealed
        assert (revealed.id, str(revealed.from_ordinal)) == (other, "4")
        assert (await one(tale, name, 3)).revealed == ()


async def test_the_scenes_come_in_pages() -> None:
    tale = await a_tale()
    first = await one(tale, "jim hawkins", limit=2)
    assert (len(first.scenes), len(first.companions), first.companion_count) == (2, 2, 2)
    rest = await one(tale, "jim hawkins", limit=2, after=first.next)
    assert [str(line.ordinal) for line in (*first.scenes, *rest.scenes)] == ["1", "1", "2"]
    assert (rest.scene_count, rest.companions, rest.next) == (3, first.companions, None)


async def test_several_of_one_name_are_told_apart() -> None:
    tale = await a_tale()
    with pytest.raises(Ambiguous, match=r"Jim Hawkins \(0001bb\), Jim \(ee11\)"):
        await one(tale, "jim")
    with pytest.raises(Ambiguous):
        await one(tale, "0001")
    assert (await one(tale, "jim hawkins")).character.id == JIM


async def test_only_who_is_known_by_then_is_suggested() -> None:
    tale = await a_tale()
    with pytest.raises(NotFound, match="Did you mean Ben Gunn"):
        await one(tale, "Ben Gun")
    with pytest.raises(NotFound) as early:
        await one(tale, "Ben Gun", 2)
    assert "Gunn" not in str(early.value)
    for name in ("Ben Gunn", BEN, "Barbecue", ""):
        with pytest.raises(NotFound, match="as of 1"):
            await one(tale, name, 1)


async def test_of_a_withdrawn_chapter_nothing_is_suggested() -> None:
    tale = await a_tale()
    await tale.withdraw("c3")
    with pytest.raises(NotFound) as told:
        await one(tale, "Ben Gun", 4)
    assert "Gunn" not in str(told.value)
