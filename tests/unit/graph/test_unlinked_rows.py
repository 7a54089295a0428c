"""Minimal histories after which rows lie where nothing links them, and nobody knows their keys."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import pytest

from contracts import events
from contracts.crash_points import CrashPoint
from contracts.errors import TransientError
from contracts.ids import FIRST_GENERATION, ChapterId, Generation, RowKey, WorkId
from contracts.messages import ChapterEmbedded, EmbeddedMessage
from contracts.ordinals import Ordinal
from contracts.works import ChapterRecord
from graph.grafter import Grafter
from graph.memory import MemoryVectorStore
from tests.crashes import Dies, SimulatedCrash
from tests.stories import SceneText, written
from tests.unit.graph.test_grafter import CLOCK, HARBOUR, PASS, Home, W

ONE = ChapterId("1")
UNCLEAN = [CrashPoint.AFTER_COMMIT, CrashPoint.BEFORE_CLEANUP]
UNCOMMITTED = [CrashPoint.AFTER_ROWS, CrashPoint.BEFORE_COMMIT]


@dataclass
class Lives(Home):
    """A home whose grafters die, each of them cold."""

    def published(self, scene: SceneText, revision: int) -> ChapterEmbedded:
        """Publish chapter 1 at ordinal 1."""
        return self.text("1", "1", scene, revision=revision)

    def moved(self, to: str, revision: int) -> EmbeddedMessage:
        place = Ordinal.parse(to)
        return self.event(
            events.ChapterMoved(work_id=W, chapter_id=ONE, ordinal=place, revision=revision)
        )

    async def dies(self, point: CrashPoint, *batch: EmbeddedMessage) -> None:
        for message in batch:
            if isinstance(message, ChapterEmbedded):
                await written(self.vectors, message)
        with pytest.raises(SimulatedCrash):
            await Grafter(self.tree, self.vectors, Dies(point))(batch)
        self.grafter = Grafter(self.tree, self.vectors)

    async def rows(self) -> frozenset[RowKey]:
        return await self.vectors.keys(W, FIRST_GENERATION)


async def told_below_a_move() -> Lives:
    """Return a home whose chapter 1 has its rows under the position of a move that outranks it."""
    home = Lives()
    await home.graft(home.moved("5", 9), home.published(HARBOUR, 1))
    await home.assert_rows_are_exactly_those_linked()
    return home


@pytest.mark.parametrize("point", UNCLEAN)
async def test_a_text_replaced_below_the_same_move(point: CrashPoint) -> None:
    home = await told_below_a_move()
    edit = home.published(PASS, 2)
    await home.dies(point, edit)
    await home.graft(edit)
    await home.assert_rows_are_exactly_those_linked()


@pytest.mark.parametrize("point", UNCLEAN)
async def test_a_text_replaced_below_the_same_move_in_a_work_that_is_withdrawn_then(
    point: CrashPoint,
) -> None:
    home = await told_below_a_move()
    edit = home.published(PASS, 2)
    await home.dies(point, edit)
    gone = home.event(events.WorkWithdrawn(work_id=W))
    await home.dies(point, edit, gone)
    await home.graft(edit)
    await home.graft(gone, home.text("2", "2", CLOCK))
    await home.assert_rows_are_exactly_those_linked()


@pytest.mark.parametrize("first", UNCOMMITTED)
@pytest.mark.parametrize("second", UNCLEAN)
async def test_a_move_that_died_and_was_outdone_before_it_was_committed(
    first: CrashPoint, second: CrashPoint
) -> None:
    home = Lives()
    await home.graft(home.published(HARBOUR, 1))
    batch = [home.moved("5", 2), home.moved("6", 3)]
    await home.dies(first, batch[0])
    await home.dies(second, *batch)
    await home.graft(*batch)
    await home.assert_rows_are_exactly_those_linked()


@pytest.mark.parametrize("first", UNCOMMITTED)
@pytest.mark.parametrize("second", UNCLEAN)
async def test_a_text_that_died_below_a_move_which_was_outdone_before_it_was_committed(
    first: CrashPoint, second: CrashPoint
) -> None:
    home = Lives()
    await home.graft(home.moved("5", 2))
    batch = [home.published(HARBOUR, 1), home.moved("6", 3)]
    await home.dies(first, batch[0])
    await home.dies(second, *batch)
    await home.graft(*batch)
    await home.assert_rows_are_exactly_those_linked()


@pytest.mark.parametrize("point", UNCLEAN)
async def test_what_two_deliveries_left_one_after_the_other(point: CrashPoint) -> None:
    home = await told_below_a_move()
    batch: list[EmbeddedMessage] = [home.published(PASS, 2), home.moved("6", 10)]
    await home.dies(point, batch[0])
    await home.dies(point, *batch)
    await home.graft(*batch)
    await home.assert_rows_are_exactly_those_linked()


@pytest.mark.parametrize("point", UNCLEAN)
async def test_a_withdrawal_of_the_work_that_comes_after_a_later_move(point: CrashPoint) -> None:
    home = Lives()
    text, gone = home.published(HARBOUR, 1), home.event(events.WorkWithdrawn(work_id=W))
    await home.graft(text, home.moved("5", 2))
    await home.dies(point, gone)
    await home.graft(gone)
    assert await home.rows() == frozenset()


class DeletesLater(MemoryVectorStore):
    """Its server is down the next time that rows are to be deleted."""

    down = False

    async def delete(
        self, work_id: WorkId, generation: Generation, keys: Collection[RowKey]
    ) -> None:
        if self.down:
            self.down = False
            raise TransientError("the vector store is down")
        await super().delete(work_id, generation, keys)


@pytest.mark.parametrize("more", ["nothing", "more of the chapter", "more of another"])
async def test_rows_that_could_not_be_deleted_go_when_the_held_event_is_tried_again(
    more: str,
) -> None:
    store = DeletesLater()
    home = Lives(vectors=store)
    await home.graft(home.published(HARBOUR, 1))
    edit = home.published(PASS, 2)
    store.down = True
    with pytest.raises(TransientError):
        await home.graft(edit)
    after: dict[str, Sequence[EmbeddedMessage]] = {
        "nothing": (),
        "more of the chapter": [home.published(CLOCK, 3)],
        "more of another": [home.text("2", "2", CLOCK)],
    }
    await home.graft(edit, *after[more])
    await home.assert_rows_are_exactly_those_linked()


@pytest.mark.parametrize("point", UNCOMMITTED)
async def test_before_its_commit_a_delivery_deletes_nothing_that_another_may_link(
    point: CrashPoint,
) -> None:
    home = await told_below_a_move()
    await home.graft(home.published(PASS, 2))
    edit = home.published(CLOCK, 3)
    await home.dies(point, edit)  # the other one, which is about to link what it has written
    there = await home.rows()
    await home.dies(point, edit)
    assert await home.rows() == there
    await home.graft(edit)
    await home.assert_rows_are_exactly_those_linked()


async def test_positions_are_noted_until_they_are_known_to_be_cleaned() -> None:
    home = await told_below_a_move()
    first = 1  # the move under which the texts lay
    edits = [home.published(PASS, 2), home.published(CLOCK, 3)]
    await home.dies(CrashPoint.AFTER_COMMIT, edits[0])
    await home.graft(*edits, home.moved("6", 10))
    assert await noted(home) == (first,)
    await home.graft(home.moved("7", 11))
    assert await noted(home) == (home.position - 1,)


async def noted(home: Home) -> tuple[int, ...]:
    work = await home.tree.load(W)
    assert work is not None
    (chapter,) = work.chapters
    return chapter.unlinked_positions


@pytest.mark.parametrize(("stored", "read"), [("null", ()), ("0", (0,)), ("7", (7,))])
def test_a_record_that_noted_one_position_at_most_is_read(
    stored: str, read: tuple[int, ...]
) -> None:
    json = f'{{"chapter_id": "1", "registers": {{}}, "unlinked_position": {stored}}}'
    record = ChapterRecord.model_validate_json(json)
    assert record.unlinked_positions == read
    assert ChapterRecord.model_validate_json(record.to_json()) == record
