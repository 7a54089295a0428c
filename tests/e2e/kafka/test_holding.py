"""On a real broker: what waits, waits alone, and goes on by itself, in order and once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from contracts.errors import TransientError
from contracts.frozen import Frozen
from contracts.messages import ChapterEmbedded, EventPassed
from streams.identity import identity_of
from streams.lane import QUEUE_MESSAGES
from streams.stage import BatchLimits, Stage
from tests.e2e.kafka.cluster import Corner, corner, partition_of, until, working
from tests.unit.streams.stand_ins import StandInTree, path_to, published

pytestmark = pytest.mark.real

# One work a partition of four.
WORKS = {partition_of(work.encode()): work for work in ("w5", "w4", "w1", "w0", "w2", "w3", "w6")}


class HoldingTree(StandInTree):
    """Down for one work, and it notes the order in which the others' chapters came."""

    def __init__(self) -> None:
        super().__init__()
        self.holds = ""
        self.tried = 0
        self.came: list[tuple[str | None, str | None]] = []

    async def graft(self, batch: Sequence[ChapterEmbedded | EventPassed]) -> Sequence[Frozen]:
        if identity_of(batch[0]).work_id == self.holds:
            self.tried += 1
            raise TransientError("the graph is down for this work")
        await asyncio.sleep(0.001)
        self.came += [(i.work_id, i.chapter_id) for i in map(identity_of, batch)]
        return await super().graft(batch)

    def of(self, work: str) -> list[str | None]:
        return [chapter for of, chapter in self.came if of == work]


def short(stages: Sequence[Stage[Any]]) -> tuple[Stage[Any], ...]:
    """The stages with short queues."""
    return tuple(replace(stage, limits=BatchLimits(8)) for stage in stages)


async def tell_chapters(
    where: Corner, work: str, chapters: range, body: str = "It rained."
) -> None:
    await where.tell(*(published(str(n), body, work) for n in chapters))


async def test_a_held_partition_holds_no_other_on_the_same_worker(
    kafka_url: str, tmp_path: Path
) -> None:
    tree = HoldingTree()
    held, *others = WORKS.values()
    chapters = 3 * QUEUE_MESSAGES  # a lane queues fewer: its partition must be paused
    async with (
        corner(kafka_url, "hold.") as where,
        working(where, short(path_to(tree)), tmp_path) as worker,
    ):
        tree.holds = held
        await tell_chapters(where, held, range(chapters))
        await until(lambda: tree.tried > 0)
        for work in others:
            await tell_chapters(where, work, range(20))
        await until(lambda: all(len(tree.of(work)) == 20 for work in others))
        began = time.monotonic()
        await tell_chapters(where, others[0], range(20, 21))
        await until(lambda: len(tree.of(others[0])) == 21)
        assert time.monotonic() - began < 2, "a chapter beside a held partition takes no longer"

        (lane,) = [lane for lane in worker.progress() if lane.reason]
        assert (lane.stage, lane.partition) == ("graft", partition_of(held.encode()))
        assert "down for this work" in (lane.reason or "")
        assert b'storygraft_held_seconds{partition="%d",stage="graft"' % lane.partition in (
            worker.metrics.text()
        )

        async def told() -> bool:
            standing = await where.log.standing("graft.g1", "embedded.g1")
            return [line.hold.work_id for line in standing if line.hold] == [held]

        await until(told)  # whoever asks Kafka, and no worker, sees it too

        tree.holds = ""
        await until(lambda: len(tree.of(held)) == chapters)
        assert tree.of(held) == [str(n) for n in range(chapters)], "in order, each once"
        for work in others:
            assert tree.of(work) == [str(n) for n in range(len(tree.of(work)))]
        assert not any(lane.reason for lane in worker.progress())
        assert await where.letters("embedded.g1.dlq") == ()


async def test_a_hold_is_cancelled_when_the_partition_goes_to_another_worker(
    kafka_url: str, tmp_path: Path
) -> None:
    tree, other = HoldingTree(), HoldingTree()
    held = WORKS[0]
    async with corner(kafka_url, "revoke.") as where:
        async with working(where, path_to(tree), tmp_path / "a"):
            tree.holds = held
            await tell_chapters(where, held, range(20))
            await until(lambda: tree.tried > 0)
            began = time.monotonic()
        assert time.monotonic() - began < 15, "nobody waits for what is held"
        async with working(where, path_to(other), tmp_path / "b"):
            await until(lambda: len(other.of(held)) == 20)
    assert other.of(held) == [str(n) for n in range(20)]


async def test_a_long_backfill_does_not_starve_anothers_daily_chapter(
    kafka_url: str, tmp_path: Path
) -> None:
    tree = HoldingTree()
    backfilled, daily, *_ = WORKS.values()
    async with (
        corner(kafka_url, "fair.") as where,
        working(where, path_to(tree), tmp_path),
    ):
        await tell_chapters(where, backfilled, range(3_000), "It rained. " * 50)
        await until(lambda: len(tree.of(backfilled)) > 10)
        took: list[float] = []
        for n in range(3):
            began = time.monotonic()
            await tell_chapters(where, daily, range(n, n + 1))
            await until(lambda: len(tree.of(daily)) == len(took) + 1)
            took.append(time.monotonic() - began)
        assert len(tree.of(backfilled)) < 3_000, "the backfill was still going on"
        assert max(took) < 5
