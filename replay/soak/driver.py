"""Kills an indexing process again and again, and compares the end with an undisturbed run."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from contracts.crash_points import CrashPoint
from contracts.events import ChapterEvent
from contracts.ids import WorkId
from contracts.ports import NewRecord
from contracts.topics import CHAPTERS
from graph.exporting import export
from replay.soak import lives, scenario
from replay.soak.lives import Life
from streams.doctor.checking import check
from streams.logs.sqlite_log import SqliteEventLog
from streams.settings import Settings
from streams.wiring import open_home

_STARTING_S: Final = 3.0  # about how long a process takes to open its home
_WORKING_S: Final = 1.5  # about how long it is busy with one portion
_AT_START: Final = 0.2  # the share of random kills that hit a process which is not open yet
_TRIES: Final = 20  # a point is not reached where all there was is done already


@dataclass(frozen=True, slots=True)
class Plan:
    """How often to kill: at random moments, and at each of `points`."""

    random: int
    each_point: int
    seed: int
    points: Sequence[CrashPoint] = tuple(CrashPoint)


@dataclass(slots=True)
class Outcome:
    """What came of it. `kills` by kind; `unlike` names works whose export is another one."""

    kills: Counter[str] = field(default_factory=Counter)
    lives: int = 0
    events: int = 0
    seconds: float = 0.0
    works: int = 0
    unlike: list[str] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether nothing shows that there ever was a kill."""
        return not (self.unlike or self.findings or self.left)


def soak(plan: Plan, folder: Path, tell: Callable[[str], None]) -> Outcome:
    """Carry out `plan` in `folder`, and tell of each kill.

    Raises:
        Broken: the process ended of itself, or is stuck.
    """
    began = time.monotonic()
    random = Random(plan.seed)  # noqa: S311 - moments, not secrets
    home, calm, outcome = folder / "killed", folder / "calm", Outcome()
    home.mkdir()
    calm.mkdir()
    portions = scenario.portions(plan.seed)
    told: list[ChapterEvent] = []
    for kind in _kinds(plan, random):
        for _ in range(_TRIES):
            portion = next(portions)
            told += portion
            asyncio.run(_append(home, portion))
            life = _life(home, kind, random)
            outcome.lives += 1
            outcome.left += [f"process {each.pid} after {kind}" for each in life.left]
            if life.killed:
                break
        else:
            raise lives.Broken(f"{kind} was never reached")
        outcome.kills[kind] += 1
        tell(f"{outcome.kills.total():4}  {kind}, {len(told)} events so far")
    lives.undisturbed(home)
    asyncio.run(_append(calm, told))
    lives.undisturbed(calm)
    outcome.events, outcome.works = len(told), len(scenario.works())
    asyncio.run(_compare(home, calm, outcome))
    outcome.seconds = time.monotonic() - began
    return outcome


def _kinds(plan: Plan, random: Random) -> Sequence[str]:
    """Return what to do, kill by kill."""
    points = [point.value for point in plan.points for _ in range(plan.each_point)]
    at_start = round(plan.random * _AT_START)
    kinds = [*points, *["starting"] * at_start, *["working"] * (plan.random - at_start)]
    random.shuffle(kinds)
    return kinds


def _life(home: Path, kind: str, random: Random) -> Life:
    if kind == "starting":
        return lives.killed_after(home, random.uniform(0, _STARTING_S), ready=False)
    if kind == "working":
        return lives.killed_after(home, random.uniform(0, _WORKING_S), ready=True)
    return lives.killed_at(home, CrashPoint(kind), random.randint(1, 3))


async def _append(home: Path, events: Sequence[ChapterEvent]) -> None:
    log = SqliteEventLog(home / "events.sqlite")
    try:
        await log.append([NewRecord(CHAPTERS, e.work_id.encode(), e.to_json()) for e in events])
    finally:
        await log.close()


async def _compare(home: Path, calm: Path, outcome: Outcome) -> None:
    exported, outcome.findings = await _result(home)
    expected, found = await _result(calm)
    outcome.findings += [f"undisturbed: {finding}" for finding in found]
    outcome.unlike = [name for name in expected if exported[name] != expected[name]]


async def _result(home: Path) -> tuple[dict[WorkId, bytes], list[str]]:
    """Return every work as its bytes, and what is unsound about the home."""
    async with open_home(Settings(home=home)) as opened:
        exported = {}
        for work_id in scenario.works():
            view = await opened.tree.view(work_id, None)
            exported[work_id] = (await export(view, with_text=True)).to_json() if view else b""
        report = await check(opened)
        return exported, [
            *(f"event log: {finding.text}" for finding in report.log),
            *(f"{work.work_id}: {each.text}" for work in report.works for each in work.findings),
        ]
