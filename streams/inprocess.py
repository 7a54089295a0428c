"""Runs the whole path in this process: the stages in order, a few records at a time.

A round gives every stage its next records, so one new chapter goes straight through and a whole
novel is grafted in a few transactions. A position is committed together with the outputs; what
was cut off between an effect and its position is delivered again, which changes nothing.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final

from contracts import clock
from contracts.crash_points import CrashPoint, Reached, go_on
from contracts.ids import WorkId
from contracts.ports import EventLog, Record
from contracts.reports import Hold
from streams.holds import hold_of, hold_record
from streams.releasing import Releaser
from streams.runner import Held, Processed, StageRunner, Step
from streams.stage import Stage

_ROUND: Final = 32  # records a stage takes in one round: few enough that later stages are not idle
_ROUND_BYTES: Final = 64_000_000
_FIRST_PAUSE_S: Final = 1.0
_LONGEST_PAUSE_S: Final = 60.0
_IDLE_PAUSE_S: Final = 0.5  # how long a published chapter waits at most before work on it begins

Progress = Callable[[Step], None]
Pause = Callable[[asyncio.Event, float], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class RunReport:
    """What a run did: records done by stage, records that are dead, and stages that are held."""

    done: tuple[tuple[str, int], ...] = ()
    dead: tuple[Step, ...] = ()
    held: tuple[Hold, ...] = ()


@dataclass(slots=True)
class _Run:
    """A run so far."""

    done: Counter[str] = field(default_factory=Counter)
    dead: list[Step] = field(default_factory=list)
    held: dict[str, Hold] = field(default_factory=dict)
    stuck: dict[WorkId, Hold] = field(default_factory=dict)

    def hold_work(self, held: Held) -> None:
        """Note that a work that was resumed cannot go on now."""
        self.stuck[WorkId(held.identity.work_id or "")] = hold_of(held)

    def add(self, stage: str, steps: Sequence[Step]) -> None:
        self.done[stage] += sum(step.failure is None for step in steps)
        self.dead.extend(step for step in steps if step.failure is not None)

    def report(self) -> RunReport:
        held = (*self.held.values(), *self.stuck.values())
        return RunReport(tuple(self.done.items()), tuple(self.dead), held)


def tell_nobody(step: Step) -> None:
    """Take no notice of `step`."""


async def _until_stopped(stop: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)


@dataclass(slots=True)
class InProcessRunner:
    """Runs `stages` on `log`, telling `progress` of every record; one run at a time."""

    log: EventLog
    stages: Sequence[Stage[Any]]
    progress: Progress = tell_nobody
    now_ms: Callable[[], int] = clock.now_ms
    pause: Pause = _until_stopped
    reached: Reached = go_on
    _looking: asyncio.Lock = field(default_factory=asyncio.Lock)
    _told: set[Hold] = field(default_factory=set)
    _ready: set[str] = field(default_factory=set)

    async def run_until_idle(self) -> RunReport:
        """Run until no stage can do anything more, and say what was done and what is held.

        A stage that is held is not tried again within the run; the others go on.

        Raises:
            TransientError: the log itself cannot be used now.
            PermanentError: the log cannot be used at all.
        """
        run = _Run()
        async with self._looking_ahead(run):
            while await self._round(run):
                pass
        return run.report()

    async def look_ahead(self) -> RunReport:
        """Give the stages that look ahead all there is for them; a run may go on meanwhile.

        Raises:
            TransientError: the log itself cannot be used now.
            PermanentError: the log cannot be used at all.
        """
        run = _Run()
        await self._look_ahead(run)
        return run.report()

    async def run_until_stopped(self, stop: asyncio.Event) -> None:
        """Run as a service: wait for new records, and try again, ever more rarely, what is held."""
        pause_s = _FIRST_PAUSE_S
        while not stop.is_set():
            report = await self.run_until_idle()
            if not report.held:
                pause_s = _FIRST_PAUSE_S
                await self.pause(stop, _IDLE_PAUSE_S)
                continue
            async with self._looking_ahead(_Run()):
                await self.pause(stop, pause_s)
            pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)

    async def _round(self, run: _Run) -> bool:
        """Give every stage that is not held a turn; say whether any got further."""
        moved = await self._look_ahead(run)
        for stage in self.stages:
            if stage.concerns is None and stage.intake.name not in run.held:
                moved |= await self._turn(stage, run)
            if stage.parking is not None:
                moved |= await self._release(Releaser(stage, stage.parking, self.now_ms), run)
        return moved

    async def _look_ahead(self, run: _Run) -> bool:
        """Give the stages that look ahead turns until there is nothing more for them."""
        moved = False
        async with self._looking:
            for stage in (each for each in self.stages if each.concerns is not None):
                while stage.intake.name not in run.held and await self._turn(stage, run):
                    moved = True
        return moved

    @asynccontextmanager
    async def _looking_ahead(self, run: _Run) -> AsyncIterator[None]:
        """Look ahead again and again beside a run: a stage may take minutes for one chapter."""

        async def keep_looking() -> None:
            while True:
                await asyncio.sleep(_IDLE_PAUSE_S)
                await self._look_ahead(run)

        task = asyncio.create_task(keep_looking())
        try:
            yield
        finally:
            task.cancel()
            # What it met, the run's own next look meets too.
            await asyncio.gather(task, return_exceptions=True)

    async def _turn(self, stage: Stage[Any], run: _Run) -> bool:
        if not await self._is_ready(stage):
            return False
        start = await self.log.position(stage.intake.group, stage.intake.source)
        limit = max(_ROUND, stage.limits.messages)
        records = await self.log.read(stage.intake.source, start, limit, _ROUND_BYTES)
        moved = False
        while records:
            result = await self._batch(stage, records)
            if isinstance(result, Held):
                run.held[stage.intake.name] = await self._noted(stage, result)
                break
            run.add(stage.intake.name, result.steps)
            records = records[len(result.steps) :]
            moved = True
        return moved

    async def _is_ready(self, stage: Stage[Any]) -> bool:
        if stage.ready is None or stage.intake.group in self._ready:
            return True
        if await stage.ready():
            self._ready.add(stage.intake.group)
        return stage.intake.group in self._ready

    async def _release(self, releaser: Releaser, run: _Run) -> bool:
        """Let the works that were resumed go on, each by as much as a stage takes in a round."""
        moved = False
        for _ in range(_ROUND):
            done = await releaser.round(but=run.stuck)
            run.add(releaser.stage.intake.name, done.steps)
            for step in done.steps:
                self.progress(step)
            for held in done.held:
                run.hold_work(held)
            if not done.steps:
                break
            moved = True
        return moved

    async def _batch(self, stage: Stage[Any], records: Sequence[Record]) -> Processed | Held:
        self.reached(CrashPoint.BEFORE_HANDLING)
        result = await StageRunner(stage, self.now_ms).process(records)
        if isinstance(result, Held):
            return result
        self.reached(CrashPoint.BEFORE_ACK)
        after = result.steps[-1].record.offset + 1
        await self.log.advance(stage.intake.group, stage.intake.source, after, result.records)
        for step in result.steps:
            self.progress(step)
        self.reached(CrashPoint.AFTER_ACK)
        return result

    async def _noted(self, stage: Stage[Any], held: Held) -> Hold:
        """Keep the hold in the log, once, however often it is tried again."""
        hold = hold_of(held)
        if hold not in self._told:
            await self.log.append([hold_record(stage.intake.group, hold)])
            self._told.add(hold)
        return hold
