"""The carry stage: a generation that needs no new segmentation begins with another's scenes.

It copies what lies before the frontier. Its own segment stage goes on from there, once all is
copied, so that the events of a chapter come in their order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from contracts.frozen import Frozen
from contracts.generations import GenerationStarted
from contracts.ids import Generation
from contracts.messages import ScenesMessage
from contracts.ports import EventLog
from contracts.topics import SCENES, physical
from streams.generations.path import carry_intake
from streams.generations.registry import KnownGeneration
from streams.stage import Arrival, BatchLimits, Handler, Stage

CARRY_BATCH: Final = BatchLimits(messages=64)


@dataclass(frozen=True, slots=True)
class Carried:
    """Whether all that lies before the frontier is copied. Once it is, it stays so."""

    log: EventLog
    started: GenerationStarted

    async def __call__(self) -> bool:
        """Say whether it is.

        Raises:
            TransientError: the log cannot be used now.
        """
        if self.started.beside is None:
            return True
        intake = carry_intake(self.started.generation, self.started.beside)
        standing = await self.log.standing(intake.group, intake.source)
        ends = {each.partition: each.scenes for each in self.started.frontier}
        return all(line.position >= ends.get(line.partition, 0) for line in standing)


def carry(known: KnownGeneration, source: Generation) -> Stage[Any]:
    """Return the row that copies scenes of `source` into a generation."""
    intake = carry_intake(known.generation, source)
    sink = physical(SCENES, known.generation)
    before = {each.partition: each.chapters for each in known.started.frontier}
    return Stage(intake, _handler(before), sink, CARRY_BATCH)


def _handler(before: Mapping[int, int]) -> Handler[ScenesMessage]:
    async def handler(arrivals: Sequence[Arrival[ScenesMessage]]) -> Sequence[Frozen]:
        return [
            arrival.message
            for arrival in arrivals
            if arrival.position < before.get(arrival.partition, 0)
        ]

    return handler
