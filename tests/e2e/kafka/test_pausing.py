"""On a real broker: a paused work waits alone, whoever has its partition, and goes on in order."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from contracts.errors import TransientError
from contracts.events import ChapterEvent
from contracts.frozen import Frozen
from contracts.ids import WorkId
from contracts.ports import NewRecord
from contracts.topics import CHAPTERS
from streams.cli.application import app
from streams.dead_letters import read_back
from streams.operating import status
from streams.parking import ParkingLot
from streams.session import Home
from streams.stage import Stage, each_with_position
from tests.e2e.kafka.cluster import Corner, corner, home_in, partition_of, until, working
from tests.e2e.kafka.processes import told_by_environment
from tests.e2e.kafka.test_holding import HoldingTree, tell_chapters
from tests.unit.streams.stand_ins import path_to, segment

pytestmark = pytest.mark.real

PAUSED, BESIDE = WorkId("w0"), WorkId("w7")  # in one partition


def environment(home: Home) -> dict[str, str]:
    names = ("home", "log", "graph", "memo", "vectors", "topic_prefix")
    return told_by_environment({name: str(getattr(home.settings, name)) for name in names})


class Model:
    """Cuts into scenes, and is down for one work when told so."""

    down_for = ""

    async def segment(self, event: ChapterEvent, position: int) -> Frozen:
        if event.work_id == self.down_for:
            raise TransientError("the model is down")
        return await segment(event, position)


def path(where: Corner, tree: HoldingTree, model: Model) -> Sequence[Stage[Any]]:
    first, *rest = path_to(tree, ParkingLot(where.log))
    return [replace(first, handler=each_with_position(model.segment)), *rest]


async def test_a_paused_work_waits_alone_and_goes_on_in_order(
    kafka_url: str, tmp_path: Path
) -> None:
    assert partition_of(PAUSED.encode()) == partition_of(BESIDE.encode())
    tree, model = HoldingTree(), Model()
    async with corner(kafka_url, "pause.") as where, home_in(where, tmp_path) as home:
        lot = ParkingLot(where.log)
        await tell_chapters(where, PAUSED, range(30))
        done = await asyncio.to_thread(
            CliRunner().invoke, app, ["pause", PAUSED], env=environment(home)
        )
        assert done.stdout == "w0 is paused; events that wait: 0 (storygraft resume w0).\n"
        await where.put(NewRecord(CHAPTERS, PAUSED.encode(), b"no event"))
        async with working(where, path(where, tree, model), tmp_path / "a") as worker:
            await tell_chapters(where, BESIDE, range(20))
            await until(lambda: len(tree.of(BESIDE)) == 20)
            told_by_metrics = worker.metrics.text()
        assert b"storygraft_paused_works 1.0" in told_by_metrics
        assert b"storygraft_parked_events 30.0" in told_by_metrics
        assert tree.of(PAUSED) == []
        report = await status(home)
        (told,) = report.paused
        assert (told.work_id, told.paused, told.waiting) == (PAUSED, True, 30)
        assert {lag.stage: lag.waiting for lag in report.lag}["segment"] == 0
        gaps = await home.finder(PAUSED)
        assert {gap.reason for gap in gaps} == {"waiting, since the work is paused"}
        assert len(gaps) == 30
        (letter,) = await where.letters("chapters.dlq")
        assert letter.value == b"no event"
        assert read_back(letter).position == 30

        model.down_for = PAUSED
        await lot.resume(PAUSED)
        async with working(where, path(where, tree, model), tmp_path / "b"):
            await tell_chapters(where, PAUSED, range(30, 35))
            await tell_chapters(where, BESIDE, range(20, 40))
            await until(lambda: len(tree.of(BESIDE)) == 40)

            async def told_why() -> bool:
                return [work.held for work in (await status(home)).paused] == ["the model is down"]

            await until(told_why)
            assert tree.of(PAUSED) == []
            model.down_for = ""
            await until(lambda: len(tree.of(PAUSED)) == 35)
            await tell_chapters(where, PAUSED, range(35, 40))
            await until(lambda: len(tree.of(PAUSED)) == 40)
        assert tree.of(PAUSED) == [str(n) for n in range(40)], "in order, each once"
        assert (await status(home)).paused == ()
