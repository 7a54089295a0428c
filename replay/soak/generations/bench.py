"""`python -m replay.soak.generations.bench`: how fast a rebuild is, and what it costs readers.

In one home: the same chapters rebuilt from their texts, by a model that takes its time, and from
the scenes there are, with another table of weights. Then on a cluster: the time from publishing a
chapter until a search finds it, with no rebuild, and while one takes its share.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

import structlog
from rich.console import Console
from rich.table import Table

from contracts.errors import StorygraftError
from contracts.events import ChapterPublished
from contracts.requests import Everything, Reindex, Swap
from graph.placement_weights import WEIGHTS
from replay.soak.generations.auditing import purposes
from replay.soak.generations.programs import Books, Model, model, storygraft
from replay.soak.servers import started
from replay.soak.streaming import chapters_told, found_after, indexed, p95, working
from streams.kafka import topics
from streams.kafka.access import KafkaAccess, brokers_of
from streams.kafka.topic_plan import TopicShape
from streams.operations import CATCH_UP, REINDEX, SWAP
from streams.performing import Here
from streams.publishing import record_of
from streams.session import Home
from streams.settings import Settings
from streams.wiring import open_home, opened

_WORKS: Final = 4
_PARTITIONS: Final = 4
_WARM: Final = 5
_FORCED: Final = "it is measured"


@dataclass(frozen=True, slots=True)
class Scale:
    """How much: chapters rebuilt, chapters waited for, seconds an answer of the model takes."""

    chapters: int
    singles: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """How a rebuild went. `calls` by purpose are those that the model got."""

    name: str
    chapters: int
    seconds: float
    calls: Mapping[str, int]

    @property
    def rate(self) -> float:
        """Chapters a second."""
        return self.chapters / self.seconds


class Unfinished(StorygraftError):  # noqa: N818 - what happened
    """A rebuild did not come to its end."""


_WAYS: Final[Mapping[str, Mapping[str, str]]] = {
    "one call at once": {"placement_advice": "none", "model_concurrency": "1"},
    "eight at once": {"placement_advice": "none"},
    "eight, placement too": {"placement_advice": "close"},
}
"""How the model is asked: it is a server's affair how many answers it gives at once."""


async def rebuilds(
    scale: Scale, way: str, answering: Model, folder: Path
) -> AsyncIterator[Rebuilt]:
    """Rebuild a home from chapters, by a model as slow as told, and then from scenes."""
    home = {"home": str(folder / way.replace(" ", "-")), "reindex_share": "1", **_WAYS[way]}
    first = {**home, **answering.settings}
    hotter = {**first, "temperature": "0.9"}
    events = chapters_told("bench", _WORKS, scale.chapters)
    with model(0.0) as quick:
        async with open_home(_settings({**first, **quick.settings})) as built:
            await built.log.append([record_of(event) for event in events])
            await built.runner().run_until_idle()
    other = {**hotter, "placement_weights": _other_weights(folder)}
    yield await _rebuilt("hotter model", hotter, answering, len(events))
    yield await _rebuilt("other weights", other, answering, len(events))


async def _rebuilt(
    name: str, settings: Mapping[str, str], answering: Model, chapters: int
) -> Rebuilt:
    """Build a generation as `reindex start` does, time that, and make it live."""
    async with open_home(_settings(settings)) as home:
        told = await Here(home).call(REINDEX, Reindex())
    async with open_home(_settings(settings)) as home:
        before, began = answering.books(), time.monotonic()
        done = await Here(home).call(CATCH_UP, Everything())
        seconds = time.monotonic() - began
        if done.held or done.generation != told.generation:
            raise Unfinished(f"{name}: {done}")
        calls = _calls(before, answering.books())
        await Here(home).call(SWAP, Swap(generation=told.generation, forced=_FORCED))
    return Rebuilt(f"{name} ({told.source})", chapters, seconds, calls)


def _calls(before: Books, after: Books) -> Mapping[str, int]:
    return purposes(after.paid[len(before.paid) :])


@dataclass(frozen=True, slots=True)
class Waits:
    """Seconds from publishing a chapter until it was found; `rebuilt` meanwhile, chapters."""

    name: str
    seconds: Sequence[float]
    rebuilt: int = 0


async def waits(scale: Scale, folder: Path) -> list[Waits]:
    """Publish chapter after chapter, with no rebuild and beside one that takes half its time."""
    with started(folder) as servers:
        live = {**servers.settings(folder / "home"), "topic_partitions": f"{_PARTITIONS}"}
        new = {**live, "placement_weights": _other_weights(folder), "reindex_share": "0.5"}
        access = KafkaAccess(brokers_of(live["log"]))
        await topics.create(access, TopicShape(partitions=_PARTITIONS))
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(working(live))
            home = await stack.enter_async_context(opened(_settings(live)))
            await indexed(home, chapters_told("backlog", _WORKS, scale.chapters))
            alone = await _found(home, chapters_told("alone", 1, _WARM + scale.singles))
            await storygraft(new, "reindex", "start", "--from", "chapters")
            await stack.enter_async_context(working(new))
            while not await _grafted(home):  # noqa: ASYNC110 - it is Kafka that knows
                await asyncio.sleep(0.5)
            beside = await _found(home, chapters_told("beside", 1, _WARM + scale.singles))
            return [
                Waits("no rebuild", alone),
                Waits("beside a rebuild, share 0.5", beside, await _grafted(home)),
            ]


async def _found(home: Home, events: Sequence[ChapterPublished]) -> list[float]:
    return [await found_after(home, event) for event in events][_WARM:]


async def _grafted(home: Home) -> int:
    return await home.log.position("graft.g2", "embedded.g2")


def _other_weights(folder: Path) -> str:
    """Write a table of weights that is not the usual one; return where."""
    table = folder / "weights.json"
    table.write_text(json.dumps(asdict(replace(WEIGHTS, fits=WEIGHTS.fits + 20))), "utf-8")
    return str(table)


def _settings(settings: Mapping[str, str]) -> Settings:
    return Settings.model_validate(settings)


def _speeds(rows: Mapping[str, Sequence[Rebuilt]]) -> Table:
    table = Table("the model is asked", "rebuilt", "chapters", "seconds", "chapters/s", "calls")
    for way, rebuilt in rows.items():
        for each in rebuilt:
            calls = ", ".join(f"{n} {purpose}" for purpose, n in sorted(each.calls.items()))
            cells = (str(each.chapters), f"{each.seconds:.1f}", f"{each.rate:.2f}")
            table.add_row(way, each.name, *cells, calls or "none")
        full, scenes = rebuilt
        table.add_row("", "times as fast", "", "", f"{full.seconds / scenes.seconds:.1f}", "")
    return table


def _latencies(rows: Sequence[Waits]) -> Table:
    table = Table("publish to found", "chapters", "p50", "p95", "rebuilt meanwhile")
    for each in rows:
        p50 = statistics.median(each.seconds)
        cells = (str(len(each.seconds)), f"{p50:.2f} s", f"{p95(each.seconds):.2f} s")
        table.add_row(each.name, *cells, str(each.rebuilt))
    return table


async def _measured(
    scale: Scale, answering: Model, folder: Path, console: Console
) -> Mapping[str, Sequence[Rebuilt]]:
    rows: dict[str, list[Rebuilt]] = {way: [] for way in _WAYS}
    for way, rebuilt in rows.items():
        async for each in rebuilds(scale, way, answering, folder):
            rebuilt.append(each)
            console.print(f"{way}: {each.name}, {each.seconds:.1f} s, calls {dict(each.calls)}")
    return rows


def main() -> int:
    """Measure as told on the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m replay.soak.generations.bench", description=__doc__
    )
    parser.add_argument("--chapters", type=int, default=120, help="chapters rebuilt")
    parser.add_argument("--singles", type=int, default=40, help="chapters that are waited for")
    parser.add_argument("--seconds", type=float, default=0.2, help="an answer of the model takes")
    given = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    scale = Scale(given.chapters, given.singles, given.seconds)
    console = Console()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, model(scale.seconds) as answering:
        rows = asyncio.run(_measured(scale, answering, Path(folder), console))
        console.print(_speeds(rows))
        if scale.singles:
            cluster = Path(folder) / "cluster"
            cluster.mkdir()
            console.print(_latencies(asyncio.run(waits(scale, cluster))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
