"""What a generation asks of its stages beside their work: not after it is dropped, and gently.

A generation that is built beside the live one takes a share of the time only, so that what is
published meanwhile is found as soon as before.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from contracts.errors import TransientError
from contracts.frozen import Frozen
from contracts.ids import Generation
from streams.generations.registry import Generations
from streams.stage import Arrival, Handler, Stage

_LONGEST_REST_S: Final = 30.0  # after a chapter that took minutes: a model's, not ours


@dataclass(frozen=True, slots=True)
class Tending:
    """Tends the stages of one generation. `share` of the time, above 0, is for building it."""

    generations: Generations
    generation: Generation
    share: float

    def stage(self, stage: Stage[Any]) -> Stage[Any]:
        """Return `stage`, tended."""
        return replace(stage, handler=self._tended(stage.handler))

    def _tended(self, handler: Handler[Any]) -> Handler[Any]:
        async def tended(arrivals: Sequence[Arrival[Any]]) -> Sequence[Frozen]:
            await self._refuse_dropped()
            began = time.monotonic()
            outputs = await handler(arrivals)
            if self._is_building():
                await asyncio.sleep(self._rest_s(time.monotonic() - began))
            return outputs

        return tended

    async def _refuse_dropped(self) -> None:
        await self.generations.look()
        known = self.generations.get(self.generation)
        if known is None or known.dropped:
            raise TransientError(
                f"The generation {self.generation} was dropped: stop this process, and start it "
                "again with the settings of a generation that is kept."
            )

    def _is_building(self) -> bool:
        return self.generations.last_live() != self.generation

    def _rest_s(self, worked_s: float) -> float:
        return min(worked_s * (1 - self.share) / self.share, _LONGEST_REST_S)
