"""`python -m replay.soak.streaming`: how fast a stream is indexed, and how soon it can be found.

On the same Neo4j and Milvus, in one run: chapters a second through Kafka, with one and two
workers, for one work and for eight, against the runner in one process; then, with workers that
have nothing else to do, the time from publishing a chapter to the moment a search finds it. The
same once more on a worker of which one partition is held, of works in the others.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import logging
import os
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import structlog
from rich.console import Console
from rich.table import Table

from contracts.events import ChapterPublished
from contracts.ids import ChapterId, WorkId
from contracts.ordinals import Ordinal
from contracts.topics import GRAFTS, physical
from replay.evaluation.shared_data import shared_data
from replay.soak.holding import hold, partition_of
from replay.soak.servers import started
from streams.kafka import topics
from streams.kafka.access import KafkaAccess, brokers_of
from streams.kafka.topic_plan import TopicShape
from streams.publishing import record_of
from streams.session import Home
from streams.settings import Settings
from streams.wiring import opened

_ROOT: Final = Path(__file__).resolve().parents[2]
_BOOKS: Final = ("alice-in-wonderland", "treasure-island", "daisy-miller")
_WORKS: Final = 8
_PARTITIONS: Final = 8
_CHARACTERS: Final = 12_000  # about 2,000 words: a chapter of a web serial
_WARM: Final = 5  # chapters after which whoever searches is warm, as a server is
_LOOK_S: Final = 0.01
_SELDOM_S: Final = 0.05
_LONGEST_S: Final = 600.0


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured in one setting; `workers` 0 is the runner in one process.

    Where one partition was `held` all the while, it was measured on works in the others.
    """

    workers: int
    works: int
    chapters: int
    seconds: float
    waits: Sequence[float] = ()
    held: bool = False

    @property
    def rate(self) -> float:
        """Chapters a second."""
        return self.chapters / self.seconds

    @property
    def name(self) -> str:
        """What it ran in."""
        name = f"{self.workers} worker(s)" if self.workers else "one process"
        return f"{name}, a partition held" if self.held else name


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured: chapters a setting, and chapters that are waited for one by one."""

    chapters: int
    singles: int


class Slow(Exception):  # noqa: N818 - what happened
    """It did not come to an end."""


async def measure(settings: Mapping[str, str], scale: Scale) -> list[Row]:
    """Return a row a setting."""
    rows = []
    for works in (1, _WORKS):
        rows.append(await _in_process(settings, works, scale.chapters))
        rows += [await _through_kafka(settings, workers, works, scale) for workers in (1, 2)]
    rows.append(await _through_kafka(settings, 1, _WORKS, scale, held=True))
    return rows


async def _in_process(settings: Mapping[str, str], works: int, chapters: int) -> Row:
    given = Settings.model_validate({**settings, "log": "memory:"})
    events = chapters_told(f"calm-{works}", works, chapters)
    async with opened(given) as home:
        await home.log.append([record_of(event) for event in events[: 2 * works]])
        await home.runner().run_until_idle()  # warm, as workers are
        await home.log.append([record_of(event) for event in events[2 * works :]])
        began = time.monotonic()
        await home.runner().run_until_idle()
        return Row(0, works, len(events) - 2 * works, time.monotonic() - began)


async def _through_kafka(
    settings: Mapping[str, str], workers: int, works: int, scale: Scale, *, held: bool = False
) -> Row:
    prefix = f"bench-{workers}-{works}-{'held' if held else 'free'}."
    told = {**settings, "topic_prefix": prefix}
    access = KafkaAccess(brokers_of(settings["log"]), prefix)
    await topics.create(access, TopicShape(partitions=_PARTITIONS))
    events = chapters_told(prefix, works, scale.chapters)
    async with AsyncExitStack() as stack:
        for _ in range(workers):
            await stack.enter_async_context(working(told))
        home = await stack.enter_async_context(opened(Settings.model_validate(told)))
        warm, rest = events[: 2 * works], events[2 * works :]
        await indexed(home, warm)
        if held:
            stuck = await hold(home, warm[0].work_id)
            rest = [each for each in rest if await partition_of(home, each.work_id) != stuck]
        seconds = await indexed(home, rest)
        waits = [
            await found_after(home, each)
            for each in chapters_told(f"{prefix}one", 1, _WARM + scale.singles)
        ]
    of = len({event.work_id for event in rest})
    return Row(workers, of, len(rest), seconds, waits[_WARM:], held)


async def indexed(home: Home, events: Sequence[ChapterPublished]) -> float:
    """Publish chapters, and return after how many seconds all were grafted."""
    grafts = physical(GRAFTS)
    before, began = await home.log.end(grafts), time.monotonic()
    await home.log.append([record_of(event) for event in events])
    while await home.log.end(grafts) < before + len(events):
        if time.monotonic() - began > _LONGEST_S:
            raise Slow(f"{len(events)} chapters were not grafted in {_LONGEST_S:.0f} s")
        await asyncio.sleep(_SELDOM_S)
    return time.monotonic() - began


async def found_after(home: Home, event: ChapterPublished) -> float:
    """Publish a chapter and return after how many seconds a search has found it.

    It is searched for when the story's head says that it is there, not before: searches in vain
    would take the processor from the workers.
    """
    began = time.monotonic()
    await home.log.append([record_of(event)])
    while time.monotonic() - began < _LONGEST_S:
        view = await home.tree.view(event.work_id, None)
        if view is not None and view.as_of >= event.ordinal:
            found = await home.retriever.search(view, f"What is {_word(event)}?", 100)
            if any(passage.chapter_id == event.chapter_id for passage in found.passages):
                return time.monotonic() - began
        await asyncio.sleep(_LOOK_S)
    raise Slow(f"chapter {event.chapter_id} was not found in {_LONGEST_S:.0f} s")


@asynccontextmanager
async def working(settings: Mapping[str, str]) -> AsyncIterator[None]:
    """Have a worker run in the block."""
    told = {f"STORYGRAFT_{name.upper()}": text for name, text in settings.items()}
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "replay.soak.worker_child", cwd=_ROOT, env=os.environ | told
    )
    try:
        yield
    finally:
        child.terminate()
        await child.wait()


def chapters_told(name: str, works: int, chapters: int) -> list[ChapterPublished]:
    """Return so many chapters of so many works, in turn; each says a word that no other says."""
    texts = itertools.cycle(_texts())
    return [
        ChapterPublished(
            work_id=WorkId(f"{name}-{nth % works}"),
            chapter_id=ChapterId(str(nth)),
            ordinal=Ordinal.parse(nth + 1),
            body=f"The word of the day was {_word_of(nth)}.\n\n{next(texts)}",
        )
        for nth in range(chapters)
    ]


def _word(event: ChapterPublished) -> str:
    return _word_of(int(event.chapter_id))


def _word_of(nth: int) -> str:
    return "Zq" + "".join(chr(ord("a") + int(digit)) for digit in f"{nth:04}")


def _texts() -> list[str]:
    told = [json.loads(shared_data("books", f"{book}.json").read_text("utf-8")) for book in _BOOKS]
    return [chapter["text"][:_CHARACTERS] for book in told for chapter in book["chapters"]]


def _table(rows: Sequence[Row]) -> Table:
    table = Table("runs in", "works", "chapters/s", "of one process", "found p50", "found p95")
    floor = {row.works: row.rate for row in rows if row.workers == 0}
    for row in rows:
        of = floor[1 if row.works == 1 else _WORKS]
        cells = [row.name, str(row.works), f"{row.rate:.2f}", f"{row.rate / of:.0%}"]
        if row.waits:
            cells += [f"{statistics.median(row.waits):.2f} s", f"{p95(row.waits):.2f} s"]
        table.add_row(*cells)
    return table


def p95(waits: Sequence[float]) -> float:
    """Return what 95 of 100 do not exceed."""
    return sorted(waits)[max(0, round(0.95 * len(waits)) - 1)]


def main() -> int:
    """Measure as told on the command line."""
    parser = argparse.ArgumentParser(prog="python -m replay.soak.streaming", description=__doc__)
    parser.add_argument("--chapters", type=int, default=200, help="chapters a setting")
    parser.add_argument("--singles", type=int, default=40, help="chapters that are waited for")
    given = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, started(Path(folder)) as servers:
        settings = servers.settings(Path(folder) / "home")
        rows = asyncio.run(measure(settings, Scale(given.chapters, given.singles)))
    Console().print(_table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
