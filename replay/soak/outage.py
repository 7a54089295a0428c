"""`python -m replay.soak.outage`: take each server away for two minutes, and see the work go on.

One server after the other is killed while chapters wait, and started again; told is how long it
takes, from the moment the server answers, until a waiting chapter is grafted, and until all are.
Nobody starts a worker again: one that ends is a finding, as is whatever the soak would find.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import structlog
from rich.console import Console
from rich.table import Table

from contracts.errors import TransientError
from replay.soak.running import Stuck, running
from replay.soak.servers import Server
from replay.soak.telling import Publisher, patiently, positions
from replay.soak.verdict import Verdict
from streams.kafka.access import KafkaAccess

_SERVERS: Final = ("Kafka", "Neo4j", "Milvus")
_WAITING: Final = 8  # portions that are there to do when the server comes back
_LONGEST_S: Final = 600.0
_LOOK_S: Final = 0.2
_SOON_S: Final = 15.0


@dataclass(frozen=True, slots=True)
class Outage:
    """What became of one: seconds down, and after its end until work went on and was done."""

    server: str
    down_s: float
    resumed_s: float
    done_s: float


@dataclass(frozen=True, slots=True)
class Plan:
    """Which servers are away, one after the other, for how long, and what chances come from."""

    servers: Sequence[str]
    down_s: float
    seed: int


def suffer(
    plan: Plan, folder: Path, tell: Callable[[str], None]
) -> tuple[list[Outage], Verdict, Sequence[str]]:
    """Take servers away; return what became of it, what is wrong, and workers that ended.

    Raises:
        Stuck: the work did not go on.
    """
    with running(folder, plan.seed, Random(plan.seed)) as cluster:  # noqa: S311 - no secret
        outages = []
        with cluster.at_work():
            for server in (each for each in cluster.servers if each.name in plan.servers):
                outages.append(_outage(server, cluster.publisher, plan.down_s))
                tell(f"{server.name} is back, work goes on after {outages[-1].resumed_s:.1f} s")
            cluster.crew.keep()
        return outages, cluster.verdict(), cluster.ended()


def _outage(server: Server, publisher: Publisher, down_s: float) -> Outage:
    publisher.some()
    _until(publisher.access, lambda done, end: done == end)
    for _ in range(_WAITING):
        publisher.some()
    before, _ = _grafted(publisher.access)
    server.kill()
    began = time.monotonic()
    time.sleep(down_s)
    before = _grafted_meanwhile(publisher.access, before)
    server.start()
    back = time.monotonic()
    _until(publisher.access, lambda done, _: done > before)
    resumed = time.monotonic()
    _until(publisher.access, lambda done, end: done == end)
    return Outage(server.name, back - began, resumed - back, time.monotonic() - back)


def _until(access: KafkaAccess, holds: Callable[[int, int], bool]) -> None:
    """Wait until it holds of how many chapters are grafted, and how many are there to graft."""
    deadline = time.monotonic() + _LONGEST_S
    while not holds(*_grafted(access)):
        if time.monotonic() > deadline:
            raise Stuck(f"after {_LONGEST_S:.0f} s the work has not gone on")
        time.sleep(_LOOK_S)


def _grafted(access: KafkaAccess) -> tuple[int, int]:
    """Return how many events are grafted, of how many that were published."""
    found = patiently(lambda: positions(access))
    return found["graft"][0], found["segment"][1]


def _grafted_meanwhile(access: KafkaAccess, before: int) -> int:
    """Return how many events are grafted now: what needs no store that is away goes on."""
    try:
        return asyncio.run(positions(access))["graft"][0]
    except TransientError:  # it is Kafka that is away, and nothing goes on
        return before


def _table(outages: Sequence[Outage], verdict: Verdict, ended: Sequence[str]) -> Table:
    table = Table("server", "down", "work goes on after", "all is done after")
    for each in outages:
        times = (each.down_s, each.resumed_s, each.done_s)
        table.add_row(each.server, *(f"{seconds:.1f} s" for seconds in times))
    for what, number in (*verdict.figures.items(), ("workers that ended", len(ended))):
        table.add_row(what, str(number))
    return table


def main() -> int:
    """Do it as told on the command line; 1 if anything is not as it should be."""
    parser = argparse.ArgumentParser(prog="python -m replay.soak.outage", description=__doc__)
    parser.add_argument(
        "--server", action="append", choices=_SERVERS, help="one that is away; all, if not given"
    )
    parser.add_argument("--down", type=float, default=120.0, help="seconds that a server is away")
    parser.add_argument("--seed", type=int, default=1, help="what the chances come from")
    parser.add_argument("--keep", type=Path, help="folder for data and logs, kept afterwards")
    given = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    console = Console()
    with tempfile.TemporaryDirectory(prefix="outage-") as passing:
        folder = given.keep or Path(passing)
        folder.mkdir(parents=True, exist_ok=True)
        plan = Plan(given.server or _SERVERS, given.down, given.seed)
        outages, verdict, ended = suffer(plan, folder, console.print)
    console.print(_table(outages, verdict, ended))
    for line in (*verdict.sentences, *ended):
        console.print(line, highlight=False)
    soon = all(each.resumed_s < _SOON_S for each in outages)
    return 0 if soon and not (verdict.sentences or ended) else 1


if __name__ == "__main__":
    sys.exit(main())
