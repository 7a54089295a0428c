"""The in-process runner: everything once, whatever dies, in few transactions."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from contracts.crash_points import CrashPoint, Reached, go_on
from contracts.errors import PermanentError, TransientError
from contracts.events import ChapterEvent, ChapterWithdrawn
from contracts.frozen import Frozen
from contracts.ids import FIRST_GENERATION, ChapterId, WorkId
from contracts.ports import EventLog, NewRecord
from streams.holds import current_holds
from streams.inprocess import InProcessRunner
from streams.intakes import HIDE, chapter_intakes
from streams.peeking import may_withdraw
from streams.runner import Step
from streams.stage import NOWHERE, Stage, each_with_position, effect, of_generation
from tests.crashes import Dies, SimulatedCrash
from tests.unit.streams.stand_ins import (
    StandInTree,
    as_record,
    now_ms,
    opened_log,
    path_to,
    published,
)

ALL = 10**9
INTAKES = chapter_intakes(FIRST_GENERATION)


async def append(log: EventLog, count: int, works: str = "w") -> None:
    await log.append(
        [
            as_record(published(str(n), f"Body {n}.", work))
            for n in range(1, count + 1)
            for work in works
        ]
    )


def runner(log: EventLog, tree: StandInTree, reached: Reached = go_on) -> InProcessRunner:
    return InProcessRunner(log, path_to(tree), now_ms=now_ms, reached=reached)


async def test_a_whole_work_is_grafted_in_few_batches(tmp_path: Path) -> None:
    tree = StandInTree()
    async with opened_log(tmp_path) as log:
        await append(log, 100)
        report = await runner(log, tree).run_until_idle()
    assert dict(report.done) == {"segment": 100, "embed": 100, "graft": 100}
    assert tree.batches == [32, 32, 32, 4]
    assert len(tree.chapters) == 100


async def test_one_new_chapter_goes_straight_through(tmp_path: Path) -> None:
    tree = StandInTree()
    steps: list[Step] = []
    async with opened_log(tmp_path) as log:
        await append(log, 1)
        running = runner(log, tree)
        running.progress = steps.append
        await running.run_until_idle()
    assert [step.stage for step in steps] == ["segment", "embed", "graft"]
    assert tree.batches == [1]


async def test_works_are_interleaved_and_each_is_whole(tmp_path: Path) -> None:
    tree = StandInTree()
    async with opened_log(tmp_path) as log:
        await append(log, 5, "abc")
        await runner(log, tree).run_until_idle()
    assert len(tree.chapters) == 15
    assert all(len(works) == 1 for works in tree.works)


async def test_a_second_run_does_nothing(tmp_path: Path) -> None:
    tree = StandInTree()
    async with opened_log(tmp_path) as log:
        await append(log, 3)
        await runner(log, tree).run_until_idle()
        report = await runner(log, tree).run_until_idle()
    assert sum(count for _, count in report.done) == 0
    assert tree.batches == [3]


@pytest.mark.parametrize("nth", [1, 2, 7, 8, 13, 14])  # six records a stage, then two grafts
@pytest.mark.parametrize(
    "point", [CrashPoint.BEFORE_HANDLING, CrashPoint.BEFORE_ACK, CrashPoint.AFTER_ACK]
)
async def test_after_a_crash_anywhere_the_end_is_the_same(
    tmp_path: Path, point: CrashPoint, nth: int
) -> None:
    tree, undisturbed = StandInTree(), StandInTree()
    sent = [as_record(published(str(n), f"{n}.", work)) for n in (1, 2, 3) for work in "vw"]
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    async with opened_log(tmp_path / "a") as log:
        await log.append(sent)
        with pytest.raises(SimulatedCrash):
            await runner(log, tree, Dies(point, nth)).run_until_idle()
    async with opened_log(tmp_path / "a") as log:  # another process finds what the dead one left
        await runner(log, tree).run_until_idle()
        positions = [await log.position(s.group, s.source) for s in INTAKES]
        ends = [await log.end(s.source) for s in INTAKES]
    async with opened_log(tmp_path / "b") as log:
        await log.append(sent)
        await runner(log, undisturbed).run_until_idle()
    assert positions == ends
    assert tree.chapters == undisturbed.chapters


async def test_redelivery_and_a_stale_redelivery_change_nothing(tmp_path: Path) -> None:
    tree = StandInTree()
    async with opened_log(tmp_path) as log:
        await log.append([as_record(published("1", "first")), as_record(published("1", "second"))])
        old = NewRecord(
            "chapters", b"w", published("1", "first").to_json(), (("storygraft-position", b"0"),)
        )
        await log.append([old, old])
        await runner(log, tree).run_until_idle()
    assert tree.chapters[("w", "1")] == (1, "second")


async def test_a_dead_letter_stops_nobody(tmp_path: Path) -> None:
    tree = StandInTree()
    async with opened_log(tmp_path) as log:
        await log.append(
            [
                as_record(published("1")),
                NewRecord("chapters", b"w", b"rubbish"),
                as_record(published("2", "poison")),
                as_record(published("3")),
            ]
        )
        report = await runner(log, tree).run_until_idle()
        letters = await log.read("chapters.dlq", 0, 9, ALL)
    assert sorted(tree.chapters) == [("w", "1"), ("w", "3")]
    assert [letter.value for letter in letters] == [
        b"rubbish",
        published("2", "poison").to_json(),
    ]
    assert len(report.dead) == 2


async def test_a_hold_keeps_the_position_and_the_others_go_on(tmp_path: Path) -> None:
    tree = StandInTree(down=True)
    async with opened_log(tmp_path) as log:
        await append(log, 3)
        running = runner(log, tree)
        report = await running.run_until_idle()
        await running.run_until_idle()
        assert [hold.reason for hold in report.held] == ["the graph is down"]
        assert dict(report.done) == {"segment": 3, "embed": 3}
        assert await log.position("graft.g1", "embedded.g1") == 0
        assert await current_holds(log, INTAKES) == report.held
        assert await log.end("holds") == 1  # told once, however often it is tried
        tree.down = False
        await running.run_until_idle()
        assert await current_holds(log, INTAKES) == ()
    assert len(tree.chapters) == 3


async def test_as_a_service_it_tries_again_ever_more_rarely(tmp_path: Path) -> None:
    tree = StandInTree(down=True)
    pauses: list[float] = []

    async def pause(stop: asyncio.Event, seconds: float) -> None:
        pauses.append(seconds)
        tree.down = len(pauses) < 4
        if len(pauses) == 5:
            stop.set()

    async with opened_log(tmp_path) as log:
        await append(log, 1)
        running = InProcessRunner(log, path_to(tree), now_ms=now_ms, pause=pause)
        await running.run_until_stopped(asyncio.Event())
    assert pauses == [1.0, 2.0, 4.0, 8.0, 0.5]
    assert len(tree.chapters) == 1


class Ahead:
    """A stage that looks ahead, and the bodies that it was given."""

    def __init__(self) -> None:
        self.seen: list[int] = []
        self.error: Exception | None = None

    async def __call__(self, events: Sequence[tuple[ChapterEvent, int]]) -> None:
        if self.error is not None:
            raise self.error
        self.seen += [position for _, position in events]

    def before(self, stages: Sequence[Stage[Any]]) -> tuple[Stage[Any], ...]:
        hide = of_generation(Stage(HIDE, effect(self), NOWHERE), FIRST_GENERATION)
        return (replace(hide, concerns=may_withdraw), *stages)


WITHDRAWN = ChapterWithdrawn(work_id=WorkId("w"), chapter_id=ChapterId("1"))


async def test_what_looks_ahead_waits_for_no_stage_that_is_held(tmp_path: Path) -> None:
    ahead = Ahead()

    async def down(event: ChapterEvent, position: int) -> Frozen:
        raise TransientError("the model server is down")

    stages = [replace(path_to(StandInTree())[0], handler=each_with_position(down))]
    async with opened_log(tmp_path) as log:
        await append(log, 100)
        await log.append([as_record(WITHDRAWN)])
        running = InProcessRunner(log, ahead.before(stages), now_ms=now_ms)
        report = await running.run_until_idle()
        assert ahead.seen == [100]
        assert [hold.stage for hold in report.held] == ["segment"]
        await log.append([as_record(WITHDRAWN)])
        await running.look_ahead()
    assert ahead.seen == [100, 101]


async def test_what_looks_ahead_does_not_wait_for_a_chapter_under_way(tmp_path: Path) -> None:
    ahead, seen = Ahead(), asyncio.Event()

    async def slow(event: ChapterEvent, position: int) -> Frozen:
        await log.append([as_record(WITHDRAWN)])
        for _ in range(100):
            await asyncio.sleep(0.05)
            if ahead.seen:
                seen.set()
                break
        raise PermanentError("enough")

    stages = [replace(path_to(StandInTree())[0], handler=each_with_position(slow))]
    async with opened_log(tmp_path) as log:
        await append(log, 1)
        running = InProcessRunner(log, ahead.before(stages), now_ms=now_ms)
        task = asyncio.create_task(running.run_until_idle())
        await asyncio.wait_for(seen.wait(), 10)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    assert ahead.seen


@pytest.mark.parametrize("error", [PermanentError("no"), KeyError("a bug")])
async def test_what_looks_ahead_writes_no_dead_letter(tmp_path: Path, error: Exception) -> None:
    ahead = Ahead()
    ahead.error = error
    unfit = [b"withdrawn rubbish", b"\xff withdrawn", None]
    async with opened_log(tmp_path) as log:
        await log.append([NewRecord("chapters", b"w", value) for value in unfit])
        await log.append([NewRecord("chapters", None, WITHDRAWN.to_json()), as_record(WITHDRAWN)])
        running = InProcessRunner(log, ahead.before([]), now_ms=now_ms)
        report = await running.run_until_idle()
        assert await log.end("chapters.dlq") == 0
        assert await log.position("hide.g1", "chapters") == await log.end("chapters")
    assert dict(report.done) == {"hide": 5}


async def test_what_looks_ahead_is_held_and_tried_again(tmp_path: Path) -> None:
    ahead = Ahead()
    ahead.error = TransientError("the graph is down")
    async with opened_log(tmp_path) as log:
        await log.append([as_record(published("1")), as_record(WITHDRAWN)])
        running = InProcessRunner(log, ahead.before([]), now_ms=now_ms)
        assert [hold.offset for hold in (await running.run_until_idle()).held] == [1]
        ahead.error = None
        assert (await running.run_until_idle()).held == ()
    assert ahead.seen == [1]
