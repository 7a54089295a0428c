"""Each rule for chapter events, on a whole home: raw JSON in, what readers get out."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from contracts.answers import Export
from contracts.ids import WorkId
from contracts.messages import Outcome
from contracts.ordinals import Ordinal
from contracts.ports import NewRecord
from contracts.reports import WorkStatus
from contracts.topics import CHAPTERS, dead_letters
from graph.exporting import export
from streams.operating import status
from streams.session import Home
from streams.wiring import open_home
from tests.e2e.homes import in_memory

W = WorkId("w")
HARBOUR = "Hedda Klaasen weighed the herring at the harbour scale."
PASS = "Clemency Orr tuned the piano in the snowed-in pass."
CLOCK = "Bettina Vask opened the station clock with a spoon."
SEPARATORS = "* * *\n\n---"


@dataclass
class Publisher:
    """Sends events as a publisher would, and looks at what became of them."""

    home: Home

    async def send(self, *events: dict[str, Any]) -> None:
        records = [
            NewRecord(CHAPTERS, W.encode(), json.dumps({"work_id": W} | event).encode())
            for event in events
        ]
        await self.home.log.append(records)
        await self.home.runner().run_until_idle()

    async def story(self, as_of: str | None = None) -> list[tuple[str, str, str]]:
        """Return (chapter, ordinal, text) in story order; nothing where there is no story."""
        exported = await self.exported(as_of)
        chapters = exported.chapters if exported else ()
        return [(c.chapter_id, str(c.ordinal), c.text or "") for c in chapters]

    async def exported(self, as_of: str | None = None) -> Export | None:
        at = Ordinal.parse(as_of) if as_of else None
        view = await self.home.tree.view(W, at)
        return await export(view, with_text=True) if view else None

    async def places(self, as_of: str | None = None) -> dict[str, str]:
        return {chapter: place for chapter, place, _ in await self.story(as_of)}

    async def standing(self) -> WorkStatus:
        (work,) = (await status(self.home)).works
        return work

    async def outcomes(self) -> dict[str, Outcome]:
        return {each.chapter_id: each.outcome for each in (await self.standing()).outcomes}

    async def dead(self) -> list[bytes | None]:
        records = await self.home.log.read_key(dead_letters(CHAPTERS), W.encode())
        return [record.value for record in records]


def text(chapter: str, ordinal: object, body: str = HARBOUR, **more: Any) -> dict[str, Any]:
    fields = {"chapter_id": chapter, "ordinal": ordinal, "body": body}
    return {"kind": "chapter.published"} | fields | more


def gone(chapter: str, **more: Any) -> dict[str, Any]:
    return {"kind": "chapter.withdrawn", "chapter_id": chapter} | more


def moved(chapter: str, ordinal: object, **more: Any) -> dict[str, Any]:
    return {"kind": "chapter.moved", "chapter_id": chapter, "ordinal": ordinal} | more


def renumbered(places: dict[str, object], **more: Any) -> dict[str, Any]:
    chapters = [{"chapter_id": name, "ordinal": place} for name, place in places.items()]
    return {"kind": "work.reordered", "chapters": chapters} | more


WORK_GONE = {"kind": "work.withdrawn"}


@pytest.fixture
async def publisher(tmp_path: Path) -> AsyncIterator[Publisher]:
    async with open_home(in_memory(tmp_path)) as home:
        yield Publisher(home)


# --- order tokens and registers -------------------------------------------------------------------


async def test_an_older_revision_is_stale_and_the_status_says_so(publisher: Publisher) -> None:
    await publisher.send(text("a", 1, HARBOUR, revision=5), text("a", 2, PASS, revision=4))
    assert await publisher.story() == [("a", "1", HARBOUR)]
    assert await publisher.outcomes() == {"a": Outcome.STALE}


async def test_an_event_without_a_revision_has_the_highest_before_it(publisher: Publisher) -> None:
    await publisher.send(text("a", 1, HARBOUR, revision=5), text("a", 1, PASS))
    assert await publisher.story() == [("a", "1", PASS)]
    await publisher.send(text("a", 1, CLOCK, revision=4))
    assert await publisher.story() == [("a", "1", PASS)]
    await publisher.send(text("a", 1, CLOCK, revision=5))
    assert await publisher.story() == [("a", "1", CLOCK)]


async def test_text_ordinal_and_presence_each_have_their_own_order(publisher: Publisher) -> None:
    await publisher.send(
        text("a", 1, HARBOUR, revision=1),
        moved("a", 9, revision=7),
        text("a", 2, PASS, revision=6),  # its text counts, its ordinal does not
        gone("a", revision=5),  # and it is not gone: it was published since
    )
    assert await publisher.story() == [("a", "9", PASS)]
    await publisher.send(gone("a", revision=8), text("a", 3, CLOCK, revision=7))
    assert await publisher.story() == []


async def test_the_same_content_again_counts_for_the_order(publisher: Publisher) -> None:
    await publisher.send(text("a", 1, HARBOUR, revision=1), text("a", 1, HARBOUR, revision=9))
    assert await publisher.outcomes() == {"a": Outcome.UNCHANGED}
    await publisher.send(text("a", 1, PASS, revision=8))
    assert await publisher.story() == [("a", "1", HARBOUR)]


# --- withdrawals ----------------------------------------------------------------------------------


async def test_withdrawn_twice_is_withdrawn_once(publisher: Publisher) -> None:
    await publisher.send(text("a", 1), text("b", 2, PASS), gone("a"))
    before = await publisher.exported()
    await publisher.send(gone("a"))
    assert await publisher.exported() == before
    assert await publisher.outcomes() == {"a": Outcome.UNCHANGED}


async def test_a_withdrawn_chapter_may_be_published_again(publisher: Publisher) -> None:
    await publisher.send(text("a", 1), gone("a"))
    assert await publisher.story() == []
    await publisher.send(text("a", 1))
    assert await publisher.story() == [("a", "1", HARBOUR)]


async def test_withdrawing_an_unknown_chapter_shows_nothing_and_is_kept(
    publisher: Publisher,
) -> None:
    await publisher.send(gone("a", revision=5), text("b", 2, PASS))
    assert await publisher.places() == {"b": "2"}
    assert (await publisher.standing()).gaps == ()
    await publisher.send(text("a", 1, revision=4))
    assert await publisher.places() == {"b": "2"}
    await publisher.send(text("a", 1, revision=6))
    assert await publisher.places() == {"a": "1", "b": "2"}


async def test_a_tombstone_on_a_works_key_is_a_dead_letter_and_no_withdrawal(
    publisher: Publisher,
) -> None:
    await publisher.send(text("a", 1))
    before = await publisher.exported()
    await publisher.home.log.append([NewRecord(CHAPTERS, W.encode(), None)])
    await publisher.home.runner().run_until_idle()
    assert await publisher.exported() == before
    assert await publisher.dead() == [None]
    (letter,) = (await status(publisher.home)).dead_letters
    assert (letter.source, letter.stage, letter.work_id) == ("chapters", "segment", W)
    await publisher.send(text("b", 2, PASS))
    assert await publisher.places() == {"a": "1", "b": "2"}


# --- moves and renumberings -----------------------------------------------------------------------


async def test_a_move_waits_for_its_text(publisher: Publisher) -> None:
    await publisher.send(moved("a", 9, revision=3), text("b", 2, PASS))
    assert await publisher.places() == {"b": "2"}
    assert await publisher.outcomes() == {"a": Outcome.WAITING}
    await publisher.send(text("a", 1, revision=2))
    assert await publisher.places() == {"b": "2", "a": "9"}
    assert await publisher.places("8") == {"b": "2"}


async def test_a_publication_after_a_move_says_where_it_stands(publisher: Publisher) -> None:
    await publisher.send(moved("a", 9), text("a", 1))
    assert await publisher.places() == {"a": "1"}


async def test_a_move_of_a_withdrawn_chapter_brings_nothing_back(publisher: Publisher) -> None:
    await publisher.send(text("a", 1, revision=1), gone("a", revision=2), moved("a", 4, revision=6))
    assert await publisher.story() == []
    await publisher.send(text("a", 1, revision=5))
    assert await publisher.places() == {"a": "4"}


async def test_a_renumbering_of_chapters_that_are_not_there_waits(publisher: Publisher) -> None:
    await publisher.send(text("a", 1), text("b", 2, PASS))
    await publisher.send(renumbered({"a": 20, "x": 5, "y": 7}, revision=4))
    assert await publisher.places() == {"b": "2", "a": "20"}
    await publisher.send(text("x", 1, CLOCK, revision=3), text("y", 1, CLOCK, revision=5))
    assert await publisher.places() == {"y": "1", "b": "2", "x": "5", "a": "20"}


async def test_a_renumbering_of_nothing_but_unknown_chapters(publisher: Publisher) -> None:
    await publisher.send(renumbered({"x": 5, "y": 7}))
    assert await publisher.story() == []
    assert set((await publisher.outcomes()).values()) == {Outcome.WAITING}
    assert await publisher.dead() == []


async def test_a_renumbering_ranks_chapter_by_chapter(publisher: Publisher) -> None:
    await publisher.send(text("a", 1, revision=9), text("b", 2, PASS, revision=1))
    await publisher.send(renumbered({"a": 30, "b": 40}, revision=5))
    assert await publisher.places() == {"a": "1", "b": "40"}


async def test_two_chapters_may_change_places(publisher: Publisher) -> None:
    await publisher.send(text("a", 1), text("b", 2, PASS))
    await publisher.send(renumbered({"a": 2, "b": 1}))
    assert [chapter for chapter, _, _ in await publisher.story()] == ["b", "a"]
    assert await publisher.places("1") == {"b": "1"}


async def test_a_chapter_named_twice_in_a_renumbering_is_a_dead_letter(
    publisher: Publisher,
) -> None:
    await publisher.send(text("a", 1))
    twice = [{"chapter_id": "a", "ordinal": 2}, {"chapter_id": "a", "ordinal": 3}]
    await publisher.send({"kind": "work.reordered", "chapters": twice})
    assert await publisher.places() == {"a": "1"}
    assert len(await publisher.dead()) == 1


# --- works ----------------------------------------------------------------------------------------


async def test_a_withdrawn_work_makes_all_before_it_stale_whatever_its_revision(
    publisher: Publisher,
) -> None:
    described = {"kind": "work.described", "title": "The Sea", "revision": 50}
    await publisher.send(described, text("a", 1, revision=100), moved("b", 9, revision=100))
    await publisher.send(WORK_GONE)
    assert await publisher.story() == []
    assert (await publisher.standing()).title == ""
    await publisher.send(text("a", 3, PASS), text("b", 2, CLOCK, revision=1))
    assert await publisher.story() == [("b", "2", CLOCK), ("a", "3", PASS)]
    assert await publisher.outcomes() == {}


async def test_a_new_incarnation_is_as_if_there_had_been_none_before(
    publisher: Publisher, tmp_path: Path
) -> None:
    again = [text("a", 1, PASS), text("c", 2, CLOCK)]
    await publisher.send(text("a", 1), text("b", 2, PASS), gone("b"), WORK_GONE, *again)
    async with open_home(in_memory(tmp_path / "fresh")) as home:
        fresh = Publisher(home)
        await fresh.send(*again)
        assert await publisher.exported() == await fresh.exported()


async def test_a_description_changes_nothing_but_what_the_work_is_called(
    publisher: Publisher,
) -> None:
    await publisher.send(text("a", 1))
    before = await publisher.exported()
    await publisher.send(
        {"kind": "work.described", "title": "New", "language": "zh", "revision": 3},
        {"kind": "work.described", "title": "Old", "revision": 2},
    )
    assert await publisher.exported() == before
    assert (await publisher.standing()).title == "New"


# --- ordinals -------------------------------------------------------------------------------------


async def test_ordinals_are_numbers_or_texts_and_come_out_as_canonical_texts(
    publisher: Publisher,
) -> None:
    given = {"a": 7, "b": "6.50", "c": 6.25, "d": "000.000000001", "e": "999999999.999999999"}
    await publisher.send(*[text(name, place) for name, place in given.items()])
    assert await publisher.places() == {
        "d": "0.000000001",
        "c": "6.25",
        "b": "6.5",
        "a": "7",
        "e": "999999999.999999999",
    }
    assert list(await publisher.places("6.499999999")) == ["d", "c"]
    assert list(await publisher.places("6.500000000")) == ["d", "c", "b"]


async def test_the_ninth_digit_after_the_point_decides(publisher: Publisher) -> None:
    await publisher.send(text("a", "3.000000002"), text("b", "3.000000001", PASS), text("c", 3))
    assert list(await publisher.places()) == ["c", "b", "a"]
    assert list(await publisher.places("3.000000001")) == ["c", "b"]


@pytest.mark.parametrize(
    "ordinal", [-1, "1.0000000001", "1234567890", "seven", True, None, "1e3", 1.1234567890123456]
)
async def test_what_is_no_ordinal_is_a_dead_letter(publisher: Publisher, ordinal: object) -> None:
    await publisher.send(text("a", 1), text("b", ordinal, PASS))
    assert await publisher.places() == {"a": "1"}
    assert len(await publisher.dead()) == 1


async def test_a_tie_is_told_by_id_and_warned_of(publisher: Publisher) -> None:
    await publisher.send(text("z", 4), text("b", "4.0", PASS), text("m", 4.0, CLOCK), text("a", 5))
    assert list(await publisher.places("4")) == ["b", "m", "z"]
    assert await publisher.places("3") == {}
    (tie,) = (await publisher.standing()).ties
    assert (str(tie.ordinal), tie.chapter_ids) == ("4", ("b", "m", "z"))
    await publisher.send(moved("m", 6), gone("z"))
    assert (await publisher.standing()).ties == ()


# --- texts ----------------------------------------------------------------------------------------


async def test_chapters_of_equal_text_are_two(publisher: Publisher) -> None:
    await publisher.send(text("a", 1), text("b", 2))
    assert await publisher.story() == [("a", "1", HARBOUR), ("b", "2", HARBOUR)]
    exported = await publisher.exported()
    assert exported is not None
    first, second = exported.chapters
    assert {s.scene_id for s in first.scenes}.isdisjoint(s.scene_id for s in second.scenes)
    await publisher.send(gone("a"))
    assert await publisher.story() == [("b", "2", HARBOUR)]


@pytest.mark.parametrize("body", ["", " \n\t", "\u200b\ufeff"])
async def test_an_edit_to_nothing_is_a_dead_letter_and_no_deletion(
    publisher: Publisher, body: str
) -> None:
    await publisher.send(text("a", 1), text("a", 1, body))
    assert await publisher.story() == [("a", "1", HARBOUR)]
    assert len(await publisher.dead()) == 1
    assert [gap.chapter_id for gap in (await publisher.standing()).gaps] == ["a"]


async def test_a_chapter_of_nothing_but_paratext_has_no_scene(publisher: Publisher) -> None:
    await publisher.send(text("a", 1, SEPARATORS), text("b", 2))
    exported = await publisher.exported()
    assert exported is not None
    assert [len(chapter.scenes) for chapter in exported.chapters] == [0, 1]
    assert exported.chapters[0].paratext
    only = await publisher.exported("1")
    assert only is not None
    assert (only.storylines, only.characters) == ((), ())


async def test_a_title_of_another_number_is_no_key(publisher: Publisher) -> None:
    await publisher.send(text("a", 1, title="Chapter 7"), text("b", 2, PASS, title="Chapter 7"))
    assert await publisher.places() == {"a": "1", "b": "2"}


async def test_unknown_fields_are_ignored_and_unknown_kinds_are_not(publisher: Publisher) -> None:
    await publisher.send(text("a", 1, likes=12), {"kind": "chapter.liked", "chapter_id": "a"})
    assert await publisher.places() == {"a": "1"}
    assert len(await publisher.dead()) == 1
