"""Chapters and scenes in story order, as of a chapter."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from contracts.reports import TimelineReport
from contracts.requests import Timeline
from contracts.story_graph import StoryPlace
from streams.reading.paging import turn_of
from streams.reading.timeline import timeline
from tests.unit.streams.reading.tale import INN, ISLE, SEA, Tale, W, a_tale


async def told(tale: Tale, as_of: object = None, **asked: object) -> TimelineReport:
    wanted = Timeline.model_validate({"work_id": W, "as_of": "head", **asked})
    return await timeline(await tale.as_of(as_of), wanted, turn_of(wanted, StoryPlace))


async def test_scenes_with_who_is_there_and_who_is_new() -> None:
    found = await told(await a_tale())
    assert [(each.chapter_id, each.title, len(each.scenes)) for each in found.chapters] == [
        ("c1", "Chapter c1", 2),
        ("c2", "Chapter c2", 1),
        ("c3", "Chapter c3", 1),
        ("c4", "Chapter c4", 0),
    ]
    one, two = found.chapters[0].scenes
    assert one.first_seen == one.characters == ("Jim Hawkins", "Long John Silver")
    assert (two.characters, two.first_seen) == (("Jim Hawkins", "the stranger"), ("the stranger",))
    (three,) = found.chapters[1].scenes
    assert (three.first_seen, three.thread.id) == ((), SEA)  # of its arc
    assert [each.id for each in three.also] == [INN]
    (reveal,) = found.revealed
    assert (str(reveal.ordinal), reveal.one.name, reveal.other.name) == (
        "4",
        "Ben Gunn",
        "the stranger",
    )
    early = await told(await a_tale(), 3)
    assert (len(early.chapters), early.revealed) == (3, ())


async def test_of_a_character_a_thread_or_some_chapters() -> None:
    tale = await a_tale()
    silver = await told(tale, character="silver")
    assert [each.chapter_id for each in silver.chapters] == ["c1", "c2"]
    assert silver.chapters[0].scenes[0].first_seen == ("Jim Hawkins", "Long John Silver")
    isle = await told(tale, thread=ISLE)
    assert [each.chapter_id for each in isle.chapters] == ["c3"]
    some = await told(tale, first="2", last="3")
    assert [each.chapter_id for each in some.chapters] == ["c2", "c3"]
    assert (await told(tale, first="5")).chapters == ()
    with pytest.raises(ValidationError, match="not both"):
        await told(tale, character="silver", thread=SEA)


async def test_pages_go_on_within_a_chapter() -> None:
    tale = await a_tale()
    first = await told(tale, limit=1)
    assert [len(each.scenes) for each in first.chapters] == [1]
    second = await told(tale, limit=1, after=first.next)
    assert [each.chapter_id for each in second.chapters] == ["c1"]
    rest = await told(tale, limit=5, after=second.next)
    assert [each.chapter_id for each in rest.chapters] == ["c2", "c3", "c4"]
    assert (len(rest.revealed), rest.next) == (1, None)
