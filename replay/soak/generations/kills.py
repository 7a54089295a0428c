"""`python -m replay.soak.generations.kills`: kill who rebuilds an index, again and again.

A live index is kept by one worker that nobody touches; a generation cut by a model is built beside
it by two that are killed at random moments and at every crash point. It ends as one that nobody
disturbed, and no answer that was stored was asked for again.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

import structlog
from rich.console import Console
from rich.table import Table

from contracts.clock import now_ms
from contracts.crash_points import CrashPoint
from contracts.events import ChapterEvent
from contracts.ids import FIRST_GENERATION, Generation
from replay.soak.crew import Crew
from replay.soak.generations.auditing import Audit, audited, purposes
from replay.soak.generations.programs import Books, Model, model, storygraft, worker
from replay.soak.generations.serials import Serial, serials, turns
from replay.soak.running import Stuck
from replay.soak.servers import started
from replay.soak.telling import Publisher, lag
from replay.soak.verdict import Verdict, judged
from streams.kafka import topics
from streams.kafka.access import KafkaAccess, brokers_of
from streams.kafka.topic_plan import TopicShape
from streams.settings import Settings
from streams.spending import spending
from streams.wiring import opened

_PARTITIONS: Final = 4
_WORKERS: Final = 2
_SETTLED: Final = 4
_PORTION: Final = 6  # events: what two workers do between two kills
_WORKING_S: Final = 15.0  # until partitions of a dead worker are dealt out anew, and longer
_REACHED_S: Final = 600.0
_IDLE_S: Final = 1_800.0
_LOOK_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class Plan:
    """How often to kill: in all, and of these at each crash point; `seconds` an answer takes."""

    works: int
    kills: int
    each_point: int
    seconds: float
    seed: int


@dataclass(slots=True)
class Outcome:
    """What came of it. `purposes` counts the model's answers by what they were for."""

    kills: Counter[str] = field(default_factory=Counter)
    events: int = 0
    lives: int = 0
    seconds: float = 0.0
    verdict: Verdict = field(default_factory=Verdict)
    audit: Audit | None = None
    purposes: Mapping[str, int] = field(default_factory=dict)
    ended: list[str] = field(default_factory=list)
    mistakes: Sequence[str] = ()

    @property
    def wrong(self) -> Sequence[str]:
        """Everything that is not as it should be."""
        audit = self.audit.wrong if self.audit else ()
        return [*self.verdict.sentences, *audit, *self.ended, *self.mistakes]


@dataclass(frozen=True, slots=True)
class Rebuild:
    """A generation that is built, by whom, and what is published meanwhile."""

    generation: Generation
    access: KafkaAccess
    crew: Crew
    publisher: Publisher

    def kill(self, kind: CrashPoint | None, random: Random) -> int:
        """Kill a worker at a point, or at any moment; return when (ms since 1970)."""
        self.publisher.some()
        if kind is None:
            time.sleep(random.uniform(0, _WORKING_S))
            self.crew.kill()
        elif not self.crew.die_at(kind, _REACHED_S, self.publisher.some):
            raise Stuck(f"no worker died at {kind.value} in {_REACHED_S:.0f} s")
        killed_ms = now_ms()
        self.crew.keep()
        return killed_ms

    def until_idle(self) -> None:
        """Wait until nothing lies before its stages."""
        _until_idle(self.access, self.generation, self.crew.keep)


@dataclass(frozen=True, slots=True)
class Scene:
    """Servers with a live index on them, and what is to be built beside it."""

    folder: Path
    access: KafkaAccess
    answering: Model
    old: Mapping[str, str]
    new: Mapping[str, str]
    works: Sequence[Serial]
    random: Random

    def begin(self, publisher: Publisher) -> Rebuild:
        """Have the live index take what is settled, and begin the other."""
        publisher.some()
        _until_idle(self.access, FIRST_GENERATION, lambda: None)
        told = asyncio.run(storygraft(self.new, "reindex", "start"))
        crew = Crew(self.new, self.folder / "workers.log", self.random)
        return Rebuild(Generation(told["generation"]), self.access, crew, publisher)

    async def conclude(self, events: Sequence[ChapterEvent], kills: _Kills) -> _Concluded:
        """Make it live, and look at it and at the books. Nobody may be at work on it."""
        await storygraft(self.new, "reindex", "swap", "--force", "it is looked at anyhow")
        async with opened(Settings.model_validate(self.new)) as home:
            books = self.answering.books()  # before an index is built again, to compare
            entries = [
                each for work in self.works for each in await home.memo.of_work(work.work_id)
            ]
            ledger = (await spending(home.memo, None, None)).total
            audit = audited(books.paid, entries, ledger, kills)
            names = [work.work_id for work in self.works]
            verdict = await judged(home, events, names, self.folder / "calm")
        return verdict, audit, books


_Kills = Sequence[int]
_Concluded = tuple[Verdict, Audit, Books]


def suffer(plan: Plan, folder: Path, tell: Callable[[str], None]) -> Outcome:
    """Carry out `plan` with everything in `folder`, and tell of each kill.

    Raises:
        Stuck: the workers did not come to an end, or a crash point was never reached.
        Refused: a command failed.
    """
    began, outcome = time.monotonic(), Outcome()
    with _scene(plan, folder) as scene:
        publisher = Publisher(scene.access, _portions(scene.works, scene.random))
        rebuild = scene.begin(publisher)
        kills_ms = []
        with rebuild.crew.on_duty(_WORKERS):
            for kind in _kinds(plan, scene.random):
                kills_ms.append(rebuild.kill(kind, scene.random))
                outcome.kills[kind.value if kind else "at any moment"] += 1
                calls = scene.answering.books().calls
                minutes = (time.monotonic() - began) / 60
                events = len(publisher.events)
                tell(f"{minutes:6.1f} min  {len(kills_ms):4} kills, {events} events, {calls} calls")
            rebuild.until_idle()
        crew = rebuild.crew
        outcome.ended = [f"{n} workers ended with {code}" for code, n in crew.ended.items()]
        outcome.events, outcome.lives = len(publisher.events), crew.lives
        concluded = asyncio.run(scene.conclude(publisher.events, kills_ms))
        outcome.verdict, outcome.audit, books = concluded
        outcome.purposes, outcome.mistakes = purposes(books.paid), books.mistakes
    outcome.seconds = time.monotonic() - began
    return outcome


@contextmanager
def _scene(plan: Plan, folder: Path) -> Iterator[Scene]:
    with ExitStack() as stack:
        servers = stack.enter_context(started(folder, short_lived=True))
        answering = stack.enter_context(model(plan.seconds))
        old = {**servers.settings(folder / "home"), "topic_partitions": f"{_PARTITIONS}"}
        new = {**old, **answering.settings, "segmenter": "litseg-lite", "reindex_share": "1"}
        access = KafkaAccess(brokers_of(old["log"]))
        asyncio.run(topics.create(access, TopicShape(partitions=_PARTITIONS)))
        live = worker(old, folder / "live.log")
        stack.callback(live.child.kill)
        works = serials(plan.works, _SETTLED, plan.seed)
        random = Random(plan.seed)  # noqa: S311 - moments, not secrets
        yield Scene(folder, access, answering, old, new, works, random)


def _until_idle(access: KafkaAccess, generation: Generation, keep: Callable[[], None]) -> None:
    """Wait until nothing lies before a generation's stages."""
    deadline = time.monotonic() + _IDLE_S
    while lag(access, generation):
        keep()
        if time.monotonic() > deadline:
            raise Stuck(f"after {_IDLE_S:.0f} s something still waits")
        time.sleep(_LOOK_S)


def _portions(works: Sequence[Serial], random: Random) -> Iterator[list[ChapterEvent]]:
    yield [event for work in works for event in work.settle()]
    coming = turns(works, random)
    while True:
        yield list(islice(coming, _PORTION))


def _kinds(plan: Plan, random: Random) -> Sequence[CrashPoint | None]:
    points: list[CrashPoint | None] = [
        point for point in CrashPoint for _ in range(plan.each_point)
    ]
    kinds = [*points, *[None] * (plan.kills - len(points))]
    random.shuffle(kinds)
    return kinds


def main() -> int:
    """Do it as told on the command line; 1 if anything is not as it should be."""
    parser = argparse.ArgumentParser(
        prog="python -m replay.soak.generations.kills", description=__doc__
    )
    parser.add_argument("--works", type=int, default=20, help="serials")
    parser.add_argument("--kills", type=int, default=30, help="of workers, in all")
    parser.add_argument("--each", type=int, default=2, help="of these at each crash point")
    parser.add_argument("--seconds", type=float, default=0.2, help="an answer of the model takes")
    parser.add_argument("--seed", type=int, default=1, help="what the chances come from")
    parser.add_argument("--keep", type=Path, help="folder for data and logs, kept afterwards")
    given = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    console = Console()
    console.print(f"seed {given.seed}")
    plan = Plan(given.works, given.kills, given.each, given.seconds, given.seed)
    with tempfile.TemporaryDirectory(prefix="kills-") as passing:
        folder = given.keep or Path(passing)
        folder.mkdir(parents=True, exist_ok=True)
        outcome = suffer(plan, folder, lambda line: console.print(line, highlight=False))
    console.print(_table(outcome))
    for line in outcome.wrong:
        console.print(line, highlight=False, soft_wrap=True)
    return 1 if outcome.wrong else 0


def _table(outcome: Outcome) -> Table:
    table = Table("what", "how many", title="A rebuild, killed and started again")
    for kind, count in sorted(outcome.kills.items()):
        table.add_row(f"kills: {kind}", str(count))
    table.add_row("kills together", str(outcome.kills.total()))
    table.add_row("workers started", str(outcome.lives))
    table.add_row("events", str(outcome.events))
    for what, number in outcome.verdict.figures.items():
        table.add_row(what, str(number))
    for purpose, count in sorted(outcome.purposes.items()):
        table.add_row(f"answers of the model: {purpose}", f"{count:,}")
    if outcome.audit is not None:
        audit = outcome.audit
        table.add_row("questions to the model", f"{audit.questions:,}")
        table.add_row("paid twice, though stored", str(len(audit.twice)))
        table.add_row("paid twice, under way at a kill", str(audit.lost))
        table.add_row("calls by the ledger", f"{audit.ledger.calls:,}")
        table.add_row("tokens by the ledger", f"{audit.ledger.tokens:,}")
        table.add_row("tokens of what was kept, by the server", f"{audit.tokens:,}")
    table.add_row("workers that ended of themselves", str(len(outcome.ended)))
    table.add_row("seconds", f"{outcome.seconds:.0f}")
    return table


if __name__ == "__main__":
    sys.exit(main())
