"""What a rebuild from chapters need not pay for: texts that no reader will see when it is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from contracts.events import ChapterPublished
from contracts.frozen import Frozen
from contracts.generations import GenerationStarted
from contracts.ports import TreeStore
from streams.generations.past import KnownWorks, without_text
from streams.stage import Arrival, Handler, Stage


@dataclass(frozen=True, slots=True)
class Sparing:
    """Spares the segment stage of a rebuild the texts that are past in the live generation.

    Asked is of those that lay in the log when the rebuild began, so before `before`.
    """

    works: KnownWorks
    before: Mapping[int, int]

    @classmethod
    def of(cls, started: GenerationStarted, tree: TreeStore) -> Sparing:
        """Return what spares a generation that is built beside another one."""
        before = {each.partition: each.chapters for each in started.frontier}
        return cls(KnownWorks(tree, started.beside or started.generation), before)

    def stage(self, stage: Stage[Any]) -> Stage[Any]:
        """Return the segment stage, spared."""
        return replace(stage, handler=self._spared(stage.handler))

    def _spared(self, handler: Handler[Any]) -> Handler[Any]:
        async def spared(arrivals: Sequence[Arrival[Any]]) -> Sequence[Frozen]:
            outputs: list[Frozen] = []
            for arrival in arrivals:
                if await self._is_past(arrival):
                    outputs.append(without_text(arrival.message, arrival.position))
                else:
                    outputs += await handler([arrival])
            return outputs

        return spared

    async def _is_past(self, arrival: Arrival[Any]) -> bool:
        event = arrival.message
        if not isinstance(event, ChapterPublished):
            return False
        if arrival.position >= self.before.get(arrival.partition, 0):
            return False
        return (await self.works.of(event.work_id)).is_past(event, arrival.position)
