"""The carry stage: a generation begins with another's scenes where it would cut no others.

It copies what lies before the frontier: scenes, or where no row would be another either, what is
embedded. Its own segment stage goes on from there, once all is copied, so that the events of a
chapter come in their order.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from contracts.frozen import Frozen
from contracts.generations import GenerationStarted
from contracts.ids import Generation, WorkId
from contracts.messages import ScenesMessage
from contracts.ports import EventLog
from contracts.topics import physical
from streams.generations.copying import RowCopier
from streams.generations.path import carry_intake
from streams.generations.registry import KnownGeneration
from streams.identity import identity_of
from streams.intakes import EMBED, GRAFT
from streams.stage import Arrival, BatchLimits, Handler, Stage

_BATCH: Final = BatchLimits(messages=256, mixed=True)
"""Works come out one after the other, as far as a batch goes: a graft takes one work at a time,
and most chapters of it at once where they lie together."""


_Copy = Callable[[WorkId, Sequence[Any]], Awaitable[Sequence[Frozen]]]
"""Takes messages of one work, in order; returns what the other generation gets of them."""


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
        intake = carry_intake(self.started, self.started.beside)
        standing = await self.log.standing(intake.group, intake.source)
        ends = {
            each.partition: each.embedded if self.started.rows else each.scenes
            for each in self.started.frontier
        }
        return all(line.position >= ends.get(line.partition, 0) for line in standing)


def carry_scenes(known: KnownGeneration, source: Generation) -> Stage[Any]:
    """Return the row that copies scenes of `source` into a generation."""

    async def copy(_: WorkId, messages: Sequence[ScenesMessage]) -> Sequence[ScenesMessage]:
        return messages

    sink = physical(EMBED.source, known.generation)
    return Stage(carry_intake(known.started, source), _handler(known, copy), sink, _BATCH)


def carry_rows(known: KnownGeneration, copier: RowCopier) -> Stage[Any]:
    """Return the row that copies what another generation embedded into this one."""
    intake = carry_intake(known.started, copier.works.generation)
    sink = physical(GRAFT.source, known.generation)
    return Stage(intake, _handler(known, copier), sink, _BATCH)


def _handler(known: KnownGeneration, copy: _Copy) -> Handler[Any]:
    before = {each.partition: each.chapters for each in known.started.frontier}

    async def handler(arrivals: Sequence[Arrival[Any]]) -> Sequence[Frozen]:
        old = [each for each in arrivals if each.position < before.get(each.partition, 0)]
        outputs: list[Frozen] = []
        for work_id, messages in _by_work(old).items():
            outputs += await copy(work_id, messages)
        return outputs

    return handler


def _by_work(arrivals: Sequence[Arrival[Any]]) -> Mapping[WorkId, list[Any]]:
    works: dict[WorkId, list[Any]] = {}
    for each in arrivals:
        work_id = WorkId(identity_of(each.message).work_id or "")
        works.setdefault(work_id, []).append(each.message)
    return works
