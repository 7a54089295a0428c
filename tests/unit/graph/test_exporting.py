"""An export is of one state of the work, whoever writes to it meanwhile."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from contracts import events
from contracts.answers import Export
from contracts.errors import TransientError
from contracts.ids import ChapterId
from contracts.ports import StoryView, TreeSnapshot
from graph.exporting import export
from tests.unit.graph.test_grafter import CLOCK, HARBOUR, PASS, Home, W


@dataclass
class Disturbed:
    """A view under which, between the reading of scenes and tree, something is grafted."""

    view: StoryView
    home: Home
    times: int
    nth: int = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self.view, name)

    async def snapshot(self) -> TreeSnapshot:
        if self.nth < self.times:
            self.nth += 1
            gone = events.ChapterWithdrawn(work_id=W, chapter_id=ChapterId("2"))
            changed = self.home.text("1", "1", CLOCK if self.nth % 2 else HARBOUR)
            await self.home.graft(self.home.event(gone), changed)
        return await self.view.snapshot()


async def disturbed(times: int) -> Export:
    home = Home()
    await home.graft(home.text("1", "1", HARBOUR), home.text("2", "2", PASS))
    view: StoryView = Disturbed(await home.view("2"), home, times)  # type: ignore[assignment]
    return await export(view, with_text=True)


async def test_what_changed_while_it_was_read_is_read_again() -> None:
    told = await disturbed(1)
    assert [(each.chapter_id, each.text) for each in told.chapters] == [("1", CLOCK[0])]
    assert [character.name for character in told.characters] == ["Bettina"]


async def test_a_work_that_changes_each_time_is_not_exported() -> None:
    with pytest.raises(TransientError, match="keeps changing"):
        await disturbed(100)
