"""Waiting until a generation has done all that the log held when somebody asked."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import Any, Final

from contracts.errors import TransientError
from contracts.ports import EventLog
from streams.generations.path import intakes_of
from streams.generations.registry import KnownGeneration
from streams.intakes import HIDE, Intake

_PAUSE_S: Final = 0.1


@dataclass(frozen=True, slots=True)
class CatchingUp:
    """Waits for one generation, at most `patience_s` in all."""

    log: EventLog
    patience_s: float

    async def __call__(self, known: KnownGeneration) -> None:
        """Return when each of its stages has done what lay before it.

        Stage by stage: what one of them makes on the way, the next one must do too. At last what
        was withdrawn meanwhile is hidden: a swap must not show it again, for a moment either.

        Raises:
            TransientError: it is not that far in time; which stage is not, and how much waits.
        """
        until = time.monotonic() + self.patience_s
        for intake in (*intakes_of(known), HIDE.of_generation(known.generation)):
            await self._wait(known, intake, until)

    async def _wait(self, known: KnownGeneration, intake: Intake[Any], until: float) -> None:
        ends = await self._ends(intake)
        while True:
            standing = await self.log.standing(intake.group, intake.source)
            left = sum(max(0, ends.get(line.partition, 0) - line.position) for line in standing)
            if not left:
                return
            if time.monotonic() > until:
                raise TransientError(
                    f"{known.generation} is not as far as the log: {left:,} records wait before "
                    f"its stage {intake.name}. Let its workers go on, then try again; `storygraft "
                    "reindex status` tells how far it is."
                )
            await asyncio.sleep(_PAUSE_S)

    async def _ends(self, intake: Intake[Any]) -> dict[int, int]:
        standing = await self.log.standing(intake.group, intake.source)
        return {line.partition: line.end for line in standing}
