"""Kills workers and servers of a distributed index again and again, and compares the end.

Nothing may show that there ever was a kill: every work's export is that of an undisturbed run in
one process, byte for byte; each chapter's registers are those that the log gives; no row, text
or record is there that nothing links, or missing; nothing is a dead letter.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final, TypeVar

from contracts.crash_points import CrashPoint
from contracts.errors import TransientError
from contracts.events import ChapterEvent
from contracts.ids import FIRST_GENERATION, WorkId
from contracts.ports import NewRecord
from contracts.topics import CHAPTERS
from graph.exporting import export
from replay.soak import scenario
from replay.soak.crew import Crew
from replay.soak.servers import Server, Servers, started
from streams import dead_letters
from streams.doctor.checking import check
from streams.intakes import HIDE, chapter_intakes
from streams.kafka import topics
from streams.kafka.access import KafkaAccess, brokers_of
from streams.kafka.event_log import KafkaEventLog
from streams.kafka.topic_plan import TopicShape
from streams.logs.logged import logged_work
from streams.publishing import record_of
from streams.session import Home
from streams.settings import Settings
from streams.wiring import opened

_WORKS: Final = 8
_WORKERS: Final = 2
_PARTITIONS: Final = 4
_WORKING_S: Final = 6.0  # about how long a worker takes to start and to do a portion
_REACHED_S: Final = 300.0
_LONGEST_OUTAGE_S: Final = 10.0
_IDLE_S: Final = 900.0
_LOOK_S: Final = 0.5
_PATIENCE_S: Final = 120.0

T = TypeVar("T")


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
    """What came of it. `kills` by kind; the rest is in sentences, and should be empty."""

    kills: Counter[str] = field(default_factory=Counter)
    lives: int = 0
    events: int = 0
    seconds: float = 0.0
    lost: list[str] = field(default_factory=list)
    unlike: list[str] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    dead: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether nothing shows that there ever was a kill."""
        return not (self.lost or self.unlike or self.findings or self.dead or self.ended)


def soak(plan: Plan, folder: Path, tell: Callable[[str], None]) -> Outcome:
    """Carry out `plan` with everything in `folder`, and tell of each kill.

    Raises:
        Stuck: the workers did not come to an end, or a crash point was never reached.
    """
    began = time.monotonic()
    random = Random(plan.seed)  # noqa: S311 - moments, not secrets
    outcome = Outcome()
    with started(folder) as servers:
        settings = servers.settings(folder / "home")
        access = KafkaAccess(brokers_of(settings["log"]))
        asyncio.run(topics.create(access, TopicShape(partitions=_PARTITIONS)))
        environment = {f"STORYGRAFT_{name.upper()}": text for name, text in settings.items()}
        crew = Crew(environment, folder / "workers.log", random)
        told = _Told(access, scenario.portions(plan.seed, _WORKS))
        with crew.on_duty(_WORKERS):
            for kind in _kinds(plan, servers, random):
                told.some()
                _kill(kind, crew, told, random)
                outcome.kills[_name(kind)] += 1
                tell(f"{outcome.kills.total():4}  {_name(kind)}, {len(told.events)} events so far")
            _until_idle(access, crew)
        outcome.lives, outcome.events = crew.lives, len(told.events)
        outcome.ended = [f"{n} workers ended with {code}" for code, n in crew.ended.items()]
        told_settings = Settings.model_validate(settings)
        asyncio.run(_compare(told_settings, told.events, folder / "calm", outcome))
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


@dataclass(slots=True)
class _Told:
    """What was published so far; it goes on telling while the brokers are away."""

    access: KafkaAccess
    portions: Iterator[list[ChapterEvent]]
    events: list[ChapterEvent] = field(default_factory=list)

    def some(self) -> None:
        """Publish a portion."""
        portion = next(self.portions)
        patiently(lambda: self._append(portion))
        self.events += portion

    async def _append(self, portion: Sequence[ChapterEvent]) -> None:
        log = KafkaEventLog(self.access)
        try:
            await log.append([record_of(event) for event in portion])
        finally:
            await log.close()


def patiently(deed: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Do it again until the servers let it be done; to publish twice changes nothing.

    Raises:
        TransientError: they do not for long.
    """
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        try:
            return asyncio.run(deed())
        except TransientError:
            if time.monotonic() > deadline:
                raise
        time.sleep(_LOOK_S)


def _kill(kind: _Kind, crew: Crew, told: _Told, random: Random) -> None:
    match kind:
        case CrashPoint():
            if not crew.die_at(kind, _REACHED_S, told.some):
                raise Stuck(f"{kind.value} was never reached in {_REACHED_S:.0f} s")
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
        if patiently(lambda: _lag(access)) == 0:
            return
        time.sleep(_LOOK_S)
    raise Stuck(f"after {_IDLE_S:.0f} s something still waits")


async def _lag(access: KafkaAccess) -> int:
    log = KafkaEventLog(access)
    try:
        return sum(
            [
                line.lag
                for intake in (
                    HIDE.of_generation(FIRST_GENERATION),
                    *chapter_intakes(FIRST_GENERATION),
                )
                for line in await log.standing(intake.group, intake.source)
            ]
        )
    finally:
        await log.close()


async def _compare(
    settings: Settings, events: Sequence[ChapterEvent], calm: Path, outcome: Outcome
) -> None:
    expected = await _undisturbed(calm, events)
    async with opened(settings) as home:
        for work_id in scenario.works(_WORKS):
            if await _exported(home, work_id) != expected[work_id]:
                outcome.unlike.append(str(work_id))
            logged, known = await logged_work(home.log, work_id), await home.tree.load(work_id)
            wanted = {each.chapter_id: each.registers for each in logged.chapters}
            found = {each.chapter_id: each.registers for each in known.chapters} if known else {}
            outcome.lost += [
                f"{work_id}, chapter {name}: what the log says of it is not all there"
                for name in wanted
                if wanted[name] != found.get(name)
            ]
        report = await check(home)
        outcome.findings += [
            f"{w.work_id}: {each.text}" for w in report.works for each in w.findings
        ]
        outcome.dead += [
            f"{letter.source} {letter.offset}: {letter.failure.reason}"
            for letter in await dead_letters.everyone(home.log, FIRST_GENERATION)
        ]


async def _undisturbed(folder: Path, events: Sequence[ChapterEvent]) -> dict[WorkId, bytes]:
    """Return every work as one process makes it of the same events."""
    settings = Settings(
        home=folder, log="memory:", vectors="memory:", graph="memory:", memo="memory:"
    )
    async with opened(settings) as home:
        await home.log.append(
            [NewRecord(CHAPTERS, e.work_id.encode(), e.to_json()) for e in events]
        )
        await home.runner().run_until_idle()
        return {work_id: await _exported(home, work_id) for work_id in scenario.works(_WORKS)}


async def _exported(home: Home, work_id: WorkId) -> bytes:
    view = await home.tree.view(work_id, None)
    return (await export(view, with_text=True)).to_json() if view else b""
