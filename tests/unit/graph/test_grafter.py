from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import pytest

from contracts import events
from contracts.errors import PermanentError, TransientError
from contracts.ids import FIRST_GENERATION, ChapterId, RowKey, WorkId
from contracts.messages import ChapterEmbedded, EmbeddedMessage, EventPassed, Outcome
from contracts.ordinals import Ordinal
from contracts.ports import StoryView
from contracts.works import Commit
from graph.exporting import export
from graph.grafter import Grafter
from graph.grafting_plan import linked_keys
from graph.memory import MemoryTreeStore, MemoryVectorStore
from tests.stories import SceneText, embedded, written

W = WorkId("w")
HARBOUR: SceneText = ("Hedda weighs herring at the harbour scale", ["Hedda"])
PASS: SceneText = ("Clemency tunes the piano in the snowed pass", ["Clemency"])
CLOCK: SceneText = ("Bettina opens the station clock in the pass", ["Bettina"])


@dataclass
class Home:
    """Stores with a grafter, and the positions of a log."""

    tree: MemoryTreeStore = field(default_factory=MemoryTreeStore)
    vectors: MemoryVectorStore = field(default_factory=MemoryVectorStore)
    position: int = 0

    def __post_init__(self) -> None:
        self.grafter = Grafter(self.tree, self.vectors)

    def text(
        self, chapter: str, ordinal: str, *scenes: SceneText, revision: int | None = None
    ) -> ChapterEmbedded:
        return embedded(W, chapter, self._next(), ordinal, scenes, revision)

    def event(self, event: events.TextlessEvent) -> EventPassed:
        return EventPassed(position=self._next(), event=event)

    async def graft(self, *batch: EmbeddedMessage) -> list[Outcome]:
        for message in batch:
            if isinstance(message, ChapterEmbedded):
                await written(self.vectors, message)
        return [grafted.outcome for grafted in await self.grafter(batch)]

    async def exported(self, as_of: str | None = None) -> bytes:
        view = await self.view(as_of)
        return (await export(view, with_text=True)).to_json()

    async def view(self, as_of: str | None = None) -> StoryView:
        view = await self.tree.view(W, Ordinal.parse(as_of) if as_of else None)
        assert view is not None
        return view

    async def assert_rows_are_exactly_those_linked(self) -> None:
        work = await self.tree.load(W)
        assert work is not None
        linked = frozenset(linked_keys(work, work.chapters))
        assert await self.vectors.keys(W, FIRST_GENERATION) == linked

    def _next(self) -> int:
        self.position += 1
        return self.position


async def test_appending_one_by_one_equals_one_batch() -> None:
    single, whole = Home(), Home()
    chapters = [("1", HARBOUR), ("2", PASS), ("3", CLOCK), ("4", HARBOUR)]
    for name, scene in chapters:
        await single.graft(single.text(name, name, scene))
    await whole.graft(*[whole.text(name, name, scene) for name, scene in chapters])
    assert await single.exported() == await whole.exported()


async def test_a_cold_grafter_goes_on_where_a_warm_one_would() -> None:
    warm, cold = Home(), Home()
    for name in "123":
        await warm.graft(warm.text(name, name, HARBOUR, PASS))
        cold.grafter = Grafter(cold.tree, cold.vectors)
        await cold.graft(cold.text(name, name, HARBOUR, PASS))
    assert await warm.exported() == await cold.exported()


@pytest.mark.parametrize("order", list(itertools.permutations("1234")))
async def test_the_order_of_arrival_does_not_matter(order: tuple[str, ...]) -> None:
    scenes = {"1": [HARBOUR], "2": [PASS, HARBOUR], "3": [CLOCK], "4": [HARBOUR, CLOCK]}
    straight, mixed = Home(), Home()
    for name in "1234":
        await straight.graft(straight.text(name, name, *scenes[name]))
    for name in order:
        await mixed.graft(mixed.text(name, name, *scenes[name]))
    for n in "1234":
        assert await mixed.exported(n) == await straight.exported(n)
    await mixed.assert_rows_are_exactly_those_linked()


async def test_an_edit_leaves_nothing_of_the_old_text() -> None:
    home = Home()
    await home.graft(home.text("1", "1", HARBOUR), home.text("2", "2", PASS))
    assert await home.graft(home.text("1", "1", CLOCK)) == [Outcome.EDITED]
    assert b"Hedda" not in await home.exported()
    await home.assert_rows_are_exactly_those_linked()


async def test_the_same_text_again_is_no_work_and_leaves_no_rows() -> None:
    home = Home()
    await home.graft(home.text("1", "1", HARBOUR))
    before = await home.exported()
    assert await home.graft(home.text("1", "1", HARBOUR)) == [Outcome.UNCHANGED]
    assert await home.exported() == before
    await home.assert_rows_are_exactly_those_linked()


async def test_redelivery_changes_nothing_and_keeps_linked_rows() -> None:
    home = Home()
    batch = [home.text("1", "1", HARBOUR), home.text("2", "2", PASS)]
    await home.graft(*batch)
    before = await home.exported()
    assert await home.graft(*batch) == [Outcome.UNCHANGED, Outcome.UNCHANGED]
    assert await home.exported() == before
    await home.assert_rows_are_exactly_those_linked()


async def test_withdrawal_takes_the_chapter_and_its_rows() -> None:
    home = Home()
    await home.graft(home.text("1", "1", HARBOUR), home.text("2", "2", PASS))
    gone = events.ChapterWithdrawn(work_id=W, chapter_id=ChapterId("1"))
    assert await home.graft(home.event(gone)) == [Outcome.WITHDRAWN]
    only = Home()
    await only.graft(only.text("2", "2", PASS))
    assert await home.exported() == await only.exported()
    await home.assert_rows_are_exactly_those_linked()


async def test_a_move_writes_rows_again_without_embedding() -> None:
    home = Home()
    await home.graft(home.text("1", "1", HARBOUR), home.text("2", "2", PASS))
    moved = events.ChapterMoved(work_id=W, chapter_id=ChapterId("1"), ordinal=Ordinal.parse("5"))
    assert await home.graft(home.event(moved)) == [Outcome.MOVED]
    straight = Home()
    await straight.graft(straight.text("2", "2", PASS), straight.text("1", "5", HARBOUR))
    assert await home.exported() == await straight.exported()
    assert await home.exported("4") == await straight.exported("4")
    await home.assert_rows_are_exactly_those_linked()
    work = await home.tree.load(W)
    assert work is not None
    keys: list[RowKey] = linked_keys(work, work.chapters[:1])
    rows = await home.vectors.fetch(W, FIRST_GENERATION, keys)
    assert {row.ordinal for row in rows.values()} == {int(Ordinal.parse("5"))}


async def test_a_moved_chapter_that_is_redelivered_stays_where_it_was_moved() -> None:
    home = Home()
    first = home.text("1", "1", HARBOUR)
    await home.graft(first)
    moved = events.ChapterMoved(work_id=W, chapter_id=ChapterId("1"), ordinal=Ordinal.parse("5"))
    await home.graft(home.event(moved))
    before = await home.exported()
    await home.graft(first)
    assert await home.exported() == before
    await home.assert_rows_are_exactly_those_linked()


async def test_a_text_below_a_higher_move_is_placed_by_the_move() -> None:
    home = Home()
    moved = events.ChapterMoved(
        work_id=W, chapter_id=ChapterId("1"), ordinal=Ordinal.parse("5"), revision=9
    )
    assert await home.graft(home.event(moved)) == [Outcome.WAITING]
    await home.graft(home.text("1", "1", HARBOUR, revision=2))
    view = await home.view()
    assert [str(chapter.place) for chapter in await view.chapters()] == ["5"]
    await home.assert_rows_are_exactly_those_linked()


async def test_a_renumbering_changes_ordinals_only() -> None:
    home = Home()
    await home.graft(home.text("1", "1", HARBOUR), home.text("2", "2", PASS))
    places = tuple(
        events.NewPlace(chapter_id=ChapterId(name), ordinal=Ordinal.parse(to))
        for name, to in (("1", "10"), ("2", "20"))
    )
    event = home.event(events.WorkReordered(work_id=W, chapters=places))
    assert await home.graft(event) == [Outcome.REORDERED]
    straight = Home()
    await straight.graft(straight.text("1", "10", HARBOUR), straight.text("2", "20", PASS))
    assert await home.exported() == await straight.exported()
    await home.assert_rows_are_exactly_those_linked()


async def test_a_withdrawn_work_leaves_nothing_and_may_begin_again() -> None:
    home = Home()
    await home.graft(home.text("1", "1", HARBOUR), home.text("2", "2", PASS))
    gone = home.event(events.WorkWithdrawn(work_id=W))
    assert await home.graft(gone) == [Outcome.WORK_WITHDRAWN]
    assert await home.tree.view(W, None) is None
    assert await home.vectors.keys(W, FIRST_GENERATION) == frozenset()
    await home.graft(home.text("1", "1", CLOCK))
    fresh = Home()
    await fresh.graft(fresh.text("1", "1", CLOCK))
    assert await home.exported() == await fresh.exported()


async def test_a_work_withdrawn_and_begun_again_in_one_batch() -> None:
    home = Home()
    await home.graft(home.text("1", "1", HARBOUR), home.text("2", "2", PASS))
    gone = home.event(events.WorkWithdrawn(work_id=W))
    await home.graft(gone, home.text("1", "1", CLOCK))
    fresh = Home()
    await fresh.graft(fresh.text("1", "1", CLOCK))
    assert await home.exported() == await fresh.exported()
    await home.assert_rows_are_exactly_those_linked()


async def test_a_late_withdrawal_of_the_work_leaves_what_was_published_again_since() -> None:
    home, fresh = Home(), Home()
    before = home.text("1", "1", HARBOUR)
    gone = home.event(events.WorkWithdrawn(work_id=W))
    again = home.text("1", "1", HARBOUR)
    await home.graft(before, again, gone)
    await fresh.graft(fresh.text("1", "1", HARBOUR))
    assert await home.exported() == await fresh.exported()
    await home.assert_rows_are_exactly_those_linked()


async def test_two_grafters_on_one_work_lose_nothing() -> None:
    home = Home()
    other = Grafter(home.tree, home.vectors)
    await home.graft(home.text("1", "1", HARBOUR))
    second = await written(home.vectors, home.text("2", "2", PASS))
    await other([second])
    await home.graft(home.text("3", "3", CLOCK))
    straight = Home()
    for name, scene in (("1", HARBOUR), ("2", PASS), ("3", CLOCK)):
        await straight.graft(straight.text(name, name, scene))
    assert await home.exported() == await straight.exported()
    await home.assert_rows_are_exactly_those_linked()


async def test_rows_that_are_not_there_hold_the_event_and_commit_nothing() -> None:
    home = Home()
    with pytest.raises(TransientError, match="rows are missing"):
        await home.grafter([home.text("1", "1", HARBOUR)])
    assert await home.tree.load(W) is None


async def test_a_batch_of_two_works_is_refused() -> None:
    home = Home()
    other = embedded("other", "1", 9, "1", [PASS])
    with pytest.raises(PermanentError, match="exactly one work"):
        await home.grafter([home.text("1", "1", HARBOUR), other])


class NeverWins(MemoryTreeStore):
    """A store in which somebody else always commits first."""

    async def commit(self, commit: Commit) -> bool:
        return False


async def test_a_grafter_that_always_loses_holds_the_event_and_deletes_no_row() -> None:
    home = Home(tree=NeverWins())
    with pytest.raises(TransientError, match="another worker"):
        await home.graft(home.text("1", "1", HARBOUR))
    assert len(await home.vectors.keys(W, FIRST_GENERATION)) == 2
