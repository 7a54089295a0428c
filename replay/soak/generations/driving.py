"""A rebuild as an operator does it, from its start to the drop of what was there before."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from contracts.ids import Generation
from contracts.reports import GenerationLine
from contracts.requests import Everything
from replay.soak.generations.asking import Known, Readers
from replay.soak.generations.programs import RunningWorker, storygraft, worker
from replay.soak.running import Stuck
from streams.operations import GENERATIONS
from streams.performing import Here
from streams.session import Home

_LONGEST_S: Final = 900.0
_LOOK_S: Final = 1.0
_NEARLY: Final = 10  # records that may wait when a generation is compared with the live one
_GRACE_S: Final = "3"
_PATIENCE_S: Final = "300"
_VERIFY: Final = (
    "--questions",
    "40",
    "--max-waiting",
    "100",
    "--min-overlap",
    "0",
    "--max-lost",
    "1",
)
"""How a generation is compared: what is wrong with it counts, not that it finds other passages."""


@dataclass(frozen=True, slots=True)
class Build:
    """One way to build the index: its settings, and what it answers to what readers ask."""

    name: str
    settings: Mapping[str, str]
    answers: Known

    @property
    def as_answers(self) -> Mapping[str, Known]:
        """What readers may be told while it is live."""
        return {self.name: self.answers}


@dataclass(slots=True)
class Replacing:
    """Puts one build after the other into the place of the one before.

    Readers ask at least `questions` in each state: beside a rebuild, after a swap, after a
    rollback, after a drop.
    """

    home: Home
    readers: Readers
    questions: int
    log: Path
    tell: Callable[[str], None]
    ended: list[int] = field(default_factory=list)
    _workers: dict[str, RunningWorker] = field(default_factory=dict)

    def start(self, build: Build) -> None:
        """Start a worker with the settings of a build."""
        self._workers[build.name] = worker(build.settings, self.log)

    def stop(self, build: Build) -> None:
        """End the worker of a build, as an operator does."""
        code = self._workers.pop(build.name).end()
        if code:
            self.ended.append(code)

    def close(self) -> None:
        """End all workers."""
        for each in self._workers.values():
            each.child.kill()
            each.child.wait()

    async def replace(self, old: Build, new: Build) -> tuple[Generation, Generation]:
        """Rebuild, compare, swap, go back, swap, drop; return what is dropped, and what is live."""
        told = await storygraft(new.settings, "reindex", "start")
        generation, before = Generation(told["generation"]), Generation(told["beside"])
        self.tell(f"{generation} is started beside {before}, from {told['source']}")
        self.start(new)
        await self._asked()
        await self.nearly_there(generation)
        await storygraft(new.settings, "reindex", "verify", generation, *_VERIFY)
        self.tell(f"{generation} is compared with {before}, and fit")
        await self._swap(old, new, "swap", generation)
        await self._swap(new, old, "rollback")
        await self._swap(old, new, "swap", generation)
        self.stop(old)
        told = await storygraft(new.settings, "reindex", "drop", before, "--grace", _GRACE_S)
        self.tell(f"{before} is dropped, with {told['works']} works")
        await self._asked()
        return before, generation

    async def _swap(self, old: Build, new: Build, *command: str) -> None:
        self.readers.answers = {**old.as_answers, **new.as_answers}
        await storygraft(new.settings, "reindex", *command, "--wait", _PATIENCE_S)
        self.readers.answers = new.as_answers
        self.tell(f"{' '.join(command)}: readers see {new.name}")
        await self._asked()

    async def _asked(self) -> None:
        """Wait until readers have asked so many more questions."""
        tally = self.readers.tally
        until, deadline = tally.asked + self.questions, time.monotonic() + _LONGEST_S
        while tally.asked < until:
            if time.monotonic() > deadline:
                raise Stuck(f"{self.questions} questions were not asked in {_LONGEST_S:.0f} s")
            await asyncio.sleep(_LOOK_S)

    async def nearly_there(self, generation: Generation, waiting: int = _NEARLY) -> None:
        """Wait until no more than so many records wait before a generation's stages.

        Raises:
            Stuck: it does not get on.
        """
        deadline = time.monotonic() + _LONGEST_S
        while True:
            line = await self._line(generation)
            if line is not None and line.waiting <= waiting:
                return
            if time.monotonic() > deadline:
                raise Stuck(f"after {_LONGEST_S:.0f} s {generation} is not there: {line}")
            await asyncio.sleep(_LOOK_S)

    async def _line(self, generation: Generation) -> GenerationLine | None:
        report = await Here(self.home).call(GENERATIONS, Everything())
        return next((each for each in report.generations if each.generation == generation), None)
