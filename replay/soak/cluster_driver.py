"""Kills workers and servers of a distributed index again and again; nothing of it may show."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from contracts.crash_points import CrashPoint
from contracts.events import ChapterEvent
from replay.soak import scenario
from replay.soak.crew import Crew
from replay.soak.servers import Server, Servers, started
from replay.soak.telling import Publisher, lag
from replay.soak.verdict import Verdict, judged
from streams.kafka import topics
from streams.kafka.access import KafkaAccess, brokers_of
from streams.kafka.topic_plan import TopicShape
from streams.settings import Settings
from streams.wiring import opened

_WORKS: Final = 8
_WORKERS: Final = 2
_PARTITIONS: Final = 4
_WORKING_S: Final = 30.0  # until partitions of a dead worker are dealt out anew, and longer
_REACHED_S: Final = 600.0  # others may use the processor
_LONGEST_OUTAGE_S: Final = 10.0
_IDLE_S: Final = 900.0
_LOOK_S: Final = 0.5


class Stuck(Exception):  # noqa: N818 - what happened
    """The workers do not get on."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How often to kill: workers in all, of these at each crash point, and each server."""

    workers: int
    each_point: int
    each_server: int
    seed: int


@dataclass(slots=True)
class Outcome:
    """What came of it. `kills` by kind; `ended` says which workers nobody killed, and ended."""

    kills: Counter[str] = field(default_factory=Counter)
    lives: int = 0
    events: int = 0
    seconds: float = 0.0
    verdict: Verdict = field(default_factory=Verdict)
    ended: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether nothing shows that there ever was a kill."""
        return not (self.verdict.sentences or self.ended)


def soak(plan: Plan, folder: Path, tell: Callable[[str], None]) -> Outcome:
    """Carry out `plan` with everything in `folder`, and tell of each kill.

    Raises:
        Stuck: the workers did not come to an end, or a crash point was never reached.
    """
    began = time.monotonic()
    random = Random(plan.seed)  # noqa: S311 - moments, not secrets
    outcome = Outcome()

    def say(what: str) -> None:
        tell(f"{(time.monotonic() - began) / 60:6.1f} min  {what}")

    with started(folder) as servers:
        settings = servers.settings(folder / "home")
        access = KafkaAccess(brokers_of(settings["log"]))
        asyncio.run(topics.create(access, TopicShape(partitions=_PARTITIONS)))
        crew = Crew(settings, folder / "workers.log", random)
        publisher = Publisher(access, scenario.portions(plan.seed, _WORKS))
        with crew.on_duty(_WORKERS):
            for kind in _kinds(plan, servers, random):
                publisher.some()
                _kill(kind, crew, publisher, random)
                outcome.kills[_name(kind)] += 1
                killed = f"{outcome.kills.total():4}  {_name(kind)}"
                say(f"{killed}, {len(publisher.events)} events so far")
            _until_idle(access, crew)
            say("all is done")
        outcome.lives, outcome.events = crew.lives, len(publisher.events)
        outcome.ended = [f"{n} workers ended with {code}" for code, n in crew.ended.items()]
        outcome.verdict = asyncio.run(_judged(settings, publisher.events, folder / "calm"))
    outcome.seconds = time.monotonic() - began
    return outcome


async def _judged(
    settings: Mapping[str, str], events: Sequence[ChapterEvent], calm: Path
) -> Verdict:
    async with opened(Settings.model_validate(settings)) as home:
        return await judged(home, events, scenario.works(_WORKS), calm)


_Kind = CrashPoint | Server | None
"""What dies: a worker at a point, a server, or a worker at any moment."""


def _name(kind: _Kind) -> str:
    match kind:
        case CrashPoint():
            return f"a worker, {kind.value}"
        case Server():
            return kind.name
        case None:
            return "a worker, at any moment"


def _kinds(plan: Plan, servers: Servers, random: Random) -> Sequence[_Kind]:
    """Return what to kill, kill by kill."""
    points = [point for point in CrashPoint for _ in range(plan.each_point)]
    machines = [server for server in servers for _ in range(plan.each_server)]
    kinds: list[_Kind] = [*points, *machines, *[None] * (plan.workers - len(points))]
    random.shuffle(kinds)
    return kinds


def _kill(kind: _Kind, crew: Crew, publisher: Publisher, random: Random) -> None:
    match kind:
        case CrashPoint():
            if not crew.die_at(kind, _REACHED_S, publisher.some):
                raise Stuck(f"no worker died at {kind.value} in {_REACHED_S:.0f} s")
        case Server():
            time.sleep(random.uniform(0, _WORKING_S))
            kind.kill()
            time.sleep(random.uniform(0, _LONGEST_OUTAGE_S))
            kind.start()
        case None:
            time.sleep(random.uniform(0, _WORKING_S))
            crew.kill()
    crew.keep()


def _until_idle(access: KafkaAccess, crew: Crew) -> None:
    """Wait until nothing lies before any stage."""
    deadline = time.monotonic() + _IDLE_S
    while time.monotonic() < deadline:
        crew.keep()
        if lag(access) == 0:
            return
        time.sleep(_LOOK_S)
    raise Stuck(f"after {_IDLE_S:.0f} s something still waits")
