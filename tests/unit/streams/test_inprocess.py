"""The in-process runner: everything once, whatever dies, in few transactions."""

from __future__ import annotations

import asyncio
from itertools import product
from pathlib import Path

import pytest

from contracts.ids import FIRST_GENERATION
from contracts.ports import EventLog, NewRecord
from streams.crashes import Crash, Moment, SimulatedCrash
from streams.holds import current_holds
from streams.inprocess import InProcessRunner
from streams.intakes import chapter_intakes
from streams.runner import Step
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


def runner(log: EventLog, tree: StandInTree, *crashes: Crash) -> InProcessRunner:
    return InProcessRunner(log, path_to(tree), now_ms=now_ms, crashes=crashes)


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


CRASHES = [
    Crash(stage, moment, nth)
    for stage, moment, nth in product(("segment", "embed", "graft"), Moment, (0, 1))
]


@pytest.mark.parametrize("crash", CRASHES, ids=lambda c: f"{c.stage}-{c.moment}-{c.nth}")
async def test_after_a_crash_anywhere_the_end_is_the_same(tmp_path: Path, crash: Crash) -> None:
    tree, undisturbed = StandInTree(), StandInTree()
    sent = [as_record(published(str(n), f"{n}.", work)) for n in (1, 2, 3) for work in "vw"]
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    async with opened_log(tmp_path / "a") as log:
        await log.append(sent)
        with pytest.raises(SimulatedCrash):
            await runner(log, tree, crash).run_until_idle()
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
