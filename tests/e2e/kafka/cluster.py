"""A corner of a real broker: topics under a prefix of their own, written and read as they are."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from aiokafka.partitioner import DefaultPartitioner

from contracts.crash_points import Reached, go_on
from contracts.events import ChapterEvent
from contracts.ports import NewRecord, Record
from streams.kafka import topics
from streams.kafka.access import KafkaAccess, brokers_of
from streams.kafka.event_log import KafkaEventLog
from streams.kafka.topic_plan import TopicShape
from streams.parking import ParkingLot
from streams.publishing import record_of
from streams.session import Home
from streams.settings import Settings
from streams.stage import Stage
from streams.stage_wiring import stages_opened
from streams.wiring import opened
from streams.worker import Worker

DEADLINE_S = 150.0  # a worker may take a minute to start where others take the processor
_LOOK_S = 0.05


@dataclass(frozen=True, slots=True)
class Corner:
    """Topics of `access` for one test."""

    access: KafkaAccess
    log: KafkaEventLog

    async def tell(self, *events: ChapterEvent) -> None:
        await self.log.append([record_of(event) for event in events])

    async def put(self, *records: NewRecord) -> None:
        await self.log.append(records)

    async def letters(self, topic: str) -> tuple[Record, ...]:
        """Every record of a topic with one partition."""
        return await self.log.read(topic, 0, 1_000_000, 2**40)

    async def done(self, group: str, topic: str) -> int:
        return await self.log.position(group, topic)


@asynccontextmanager
async def corner(url: str, prefix: str, partitions: int = 4) -> AsyncIterator[Corner]:
    access = KafkaAccess(brokers_of(url), prefix=prefix)
    await topics.create(access, TopicShape(partitions=partitions))
    log = KafkaEventLog(access)
    try:
        yield Corner(access, log)
    finally:
        await log.close()


@asynccontextmanager
async def working(
    where: Corner, stages: Sequence[Stage[Any]], folder: Path, reached: Reached = go_on
) -> AsyncIterator[Worker]:
    """A worker of this process, ready when the block begins, and stopped in peace at its end."""

    @asynccontextmanager
    async def opening() -> AsyncIterator[Sequence[Stage[Any]]]:
        log = KafkaEventLog(where.access)  # its clients belong to the loop that they are made in
        lot = ParkingLot(log)
        yield [replace(each, parking=lot) if each.parking else each for each in stages]
        await log.close()

    async with at_work(Worker(where.access, opening, folder, reached)) as worker:
        yield worker


@asynccontextmanager
async def working_on(settings: Settings, folder: Path) -> AsyncIterator[Worker]:
    """The same on the stores of `settings`, which the worker opens as `storygraft worker` does."""
    access = settings.kafka_access(settings.kafka_url)
    async with at_work(Worker(access, lambda: stages_opened(settings), folder)) as worker:
        yield worker


@asynccontextmanager
async def at_work(worker: Worker) -> AsyncIterator[Worker]:
    stop = asyncio.Event()
    task = asyncio.create_task(worker.run(stop))
    try:
        await until(lambda: task.done() or worker.health().ready)
        yield worker
    finally:
        stop.set()
        await task


async def until(
    holds: Callable[[], bool | Awaitable[bool]], deadline_s: float = DEADLINE_S
) -> float:
    """Wait until it holds, and return how many seconds that took."""
    began = time.monotonic()
    while True:
        held = holds()
        if held if isinstance(held, bool) else await held:
            return time.monotonic() - began
        assert time.monotonic() - began < deadline_s, "it never happened"
        await asyncio.sleep(_LOOK_S)


def partition_of(key: bytes, partitions: int = 4) -> int:
    """Where Kafka's clients put a key."""
    return int(DefaultPartitioner()(key, list(range(partitions)), []))


@asynccontextmanager
async def home_in(where: Corner, folder: Path, vectors: str = "memory:") -> AsyncIterator[Home]:
    """A home in memory, but for its log, which is the cluster's, and its vectors if they are."""
    url = "kafka://" + ",".join(where.access.brokers)
    settings = Settings(
        home=folder,
        log=url,
        topic_prefix=where.access.prefix,
        vectors=vectors,
        graph="memory:",
        memo="memory:",
    )
    async with opened(settings) as home:
        yield home
