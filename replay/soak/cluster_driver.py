"""Kills workers and servers of a distributed index again and again; nothing of it may show."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from contracts.crash_points import CrashPoint
from replay.soak.crew import Crew
from replay.soak.running import Stuck, running
from replay.soak.servers import Server, Servers
from replay.soak.telling import Publisher, lag
from replay.soak.verdict import Verdict
from streams.kafka.access import KafkaAccess

_WORKING_S: Final = 30.0  # until partitions of a dead worker are dealt out anew, and longer
_REACHED_S: Final = 600.0  # others may use the processor
_LONGEST_OUTAGE_S: Final = 10.0
_IDLE_S: Final = 900.0
_LOOK_S: Final = 0.5


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

    with running(folder, plan.seed, random) as cluster:
        crew, publisher = cluster.crew, cluster.publisher
        with cluster.at_work():
            for kind in _kinds(plan, cluster.servers, random):
                publisher.some()
                _kill(kind, crew, publisher, random)
                outcome.kills[_name(kind)] += 1
                killed = f"{outcome.kills.total():4}  {_name(kind)}"
                say(f"{killed}, {len(publisher.events)} events so far")
            _until_idle(publisher.access, crew)
            say("all is done")
        outcome.lives, outcome.events = crew.lives, len(publisher.events)
        outcome.ended, outcome.verdict = cluster.ended(), cluster.verdict()
    outcome.seconds = time.monotonic() - began
    return outcome


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
