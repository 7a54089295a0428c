"""A worker: some stages of the path, each an app on Kafka, all on the same stores.

What talks to the broker lives in the loop that `run` is called in, what computes and reads stores
in a `WorkLoop`. A consumer that ends of itself, because the broker went away, is made anew.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import structlog

from contracts.clock import now_ms
from contracts.crash_points import Reached, go_on
from contracts.errors import StorygraftError
from contracts.ids import WorkId
from contracts.reports import LaneProgress, WorkerHealth
from contracts.topics import GENERATIONS, dead_letters
from streams.app import Hooks, StageApp, broker_errors
from streams.flow import Place
from streams.kafka.access import KafkaAccess
from streams.kafka.admin import require_topics
from streams.kafka.probing import require_brokers
from streams.lane import Lane
from streams.metrics import Metrics
from streams.parking import ParkedWork
from streams.releasing import Releaser
from streams.runner import StageRunner
from streams.stage import NOWHERE, Stage
from streams.work_loop import WorkLoop

_log: Final = structlog.stdlib.get_logger()

_FIRST_PAUSE_S: Final = 0.5
_LONGEST_PAUSE_S: Final = 5.0
_DRAIN_S: Final = 20.0  # a batch takes a second or two; a chapter at a model may be given up
_STUCK_S: Final = 1_800.0  # longer than a model takes for the longest chapter, attempts and all
_STEADY_S: Final = 60.0  # a consumer that lived so long begins again without a pause

Opening = Callable[[], AbstractAsyncContextManager[Sequence[Stage[Any]]]]


@dataclass(slots=True)
class Worker:
    """Takes messages through stages until stopped.

    `opening` opens the stages with the stores that they need, and closes those at its end; both
    happen in another event loop. `folder` is a directory of this worker's own.
    """

    access: KafkaAccess
    opening: Opening
    folder: Path
    reached: Reached = go_on
    metrics: Metrics = field(init=False)
    _work: WorkLoop = field(default_factory=WorkLoop)
    _apps: dict[str, StageApp] = field(default_factory=dict)
    _troubles: dict[str, str] = field(default_factory=dict)
    _stages: Sequence[Stage[Any]] = ()

    def __post_init__(self) -> None:
        self.metrics = Metrics(self.progress, self.aside)

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set, then finish what is under way and leave.

        Raises:
            TransientError: a store is down, or no broker answers.
            PermanentError: one of them cannot be used, or a topic is missing.
        """
        stack = AsyncExitStack()
        try:
            await require_brokers(self.access)
            self._stages = await self._work.do(stack.enter_async_context(self.opening()))
            await require_topics(self.access, self._topics())
            keepers = [asyncio.create_task(self._keep(stage)) for stage in self._stages]
            keepers += [
                asyncio.create_task(self._release(Releaser(stage, stage.parking, now_ms)))
                for stage in self._stages
                if stage.parking is not None
            ]
            await stop.wait()
            for keeper in keepers:
                keeper.cancel()
            await asyncio.gather(*keepers, return_exceptions=True)
        finally:
            await self._work.do(stack.aclose())
            self._work.close()

    def progress(self) -> Iterator[LaneProgress]:
        """Yield how far each lane is."""
        now = time.monotonic()
        for app in list(self._apps.values()):
            for lane in app.lanes.lanes:
                yield _progress(lane, app.end_of(lane.place), now)

    def aside(self) -> Iterator[ParkedWork]:
        """Yield the works that are paused or of which events wait, of all partitions."""
        for lot in (stage.parking for stage in self._stages):
            if lot is not None:
                yield from lot.aside()

    def health(self) -> WorkerHealth:
        """Return how the worker is."""
        lanes = tuple(self.progress())
        missing = [
            f"{name}: {self._troubles[name]}" if name in self._troubles else name
            for name in (stage.intake.name for stage in self._stages)
            if name not in self._apps or not self._apps[name].lanes.ready
        ]
        return WorkerHealth(
            ready=bool(self._stages) and not missing,
            alive=not any(_is_stuck(lane) for lane in lanes),
            waiting_for=tuple(missing),
            lanes=lanes,
        )

    def _topics(self) -> list[str]:
        """Return every topic that the stages read or write."""
        names: set[str] = set()
        for stage in self._stages:
            source = stage.intake.source
            names |= {source, dead_letters(source), stage.sink} - {NOWHERE}
            if stage.parking is not None:
                names |= {stage.parking.topic, GENERATIONS}
        return [self.access.topic(name) for name in sorted(names)]

    async def _keep(self, stage: Stage[Any]) -> None:
        """Keep an app of `stage` running until cancelled."""
        name = stage.intake.name
        await self._until_ready(stage)
        pause_s = _FIRST_PAUSE_S
        while True:
            app = StageApp(stage, self.access, self._hooks(stage), self.folder / name)
            self._apps[name] = app
            began = time.monotonic()
            try:
                await app.start()
                self._troubles.pop(name, None)
                reason: BaseException | None = await app.ended()
            except asyncio.CancelledError:
                await app.stop(_DRAIN_S)
                raise
            except broker_errors as error:
                reason = error
            await app.stop()
            self._troubles[name] = f"the consumer ended: {reason!r}"
            _log.warning("consumer_ended", stage=name, reason=repr(reason))
            pause_s = _FIRST_PAUSE_S if time.monotonic() - began > _STEADY_S else pause_s
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)

    async def _until_ready(self, stage: Stage[Any]) -> None:
        """Wait until the stage may begin: another one must have done its part before it."""
        name = stage.intake.name
        while stage.ready is not None:
            try:
                if await self._work.do(stage.ready()):
                    break
                self._troubles[name] = "it begins when the scenes before it are copied"
            except StorygraftError as error:
                self._troubles[name] = str(error)
            await asyncio.sleep(_FIRST_PAUSE_S)
        self._troubles.pop(name, None)

    async def _release(self, releaser: Releaser) -> None:
        """Let works that were resumed go on in the partitions that are ours, until cancelled."""
        intake = releaser.stage.intake
        again: dict[WorkId, float] = {}  # when what is held is tried again
        while True:
            app = self._apps.get(intake.name)
            mine = {lane.place.partition for lane in app.lanes.lanes} if app else set()
            began = time.monotonic()
            held = [work_id for work_id, at in again.items() if at > began]
            try:
                done = await self._work.do(releaser.round(mine, held))
            except Exception as error:  # noqa: BLE001 - it must not end in silence
                _log.error("parked_not_released", stage=intake.name, error=repr(error))
                await asyncio.sleep(_LONGEST_PAUSE_S)
                continue
            for each in done.held:
                again[WorkId(each.identity.work_id or "")] = time.monotonic() + _LONGEST_PAUSE_S
            if done.steps:
                place = Place(intake.name, intake.source, done.steps[0].record.partition)
                self.metrics.done(place, done.steps, time.monotonic() - began)
            else:
                await asyncio.sleep(_FIRST_PAUSE_S)

    def _hooks(self, stage: Stage[Any]) -> Hooks:
        runner = StageRunner(stage, now_ms)
        return Hooks(
            process=lambda records: self._work.do(runner.process(records)),
            watcher=self.metrics,
            crowded=self._crowded,
            reached=self.reached,
        )

    def _crowded(self) -> bool:
        """Say whether more than one lane has something to do."""
        busy = 0
        for app in self._apps.values():
            busy += sum(lane.waiting > 0 for lane in app.lanes.lanes)
        return busy > 1


def _progress(lane: Lane, end: int | None, now: float) -> LaneProgress:
    holding = lane.holding
    return LaneProgress(
        stage=lane.place.stage,
        topic=lane.place.topic,
        partition=lane.place.partition,
        position=lane.position,
        end=end,
        queued=lane.waiting,
        quiet_s=round(now - lane.moved_at, 1),
        held_s=round(now - holding.since, 1) if holding else 0.0,
        reason=holding.held.reason if holding else None,
    )


def _is_stuck(lane: LaneProgress) -> bool:
    """Say whether it has something to do, is not held, and does not get on."""
    return lane.queued > 0 and lane.reason is None and lane.quiet_s > _STUCK_S
