"""What a rebuild need not pay for: texts that no reader will see when it is done.

The log holds every text that a chapter ever had. Of those that lay there when the rebuild began,
the live generation knows which are still read; of the others only their place in the order of
events counts, so they pass as publications without a text.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from contracts.events import ChapterPublished, ChapterPurged
from contracts.frozen import Frozen
from contracts.generations import GenerationStarted
from contracts.ids import ChapterId, Generation, WorkId
from contracts.messages import EventPassed
from contracts.order import OrderToken
from contracts.ports import TreeStore
from contracts.works import ChapterRecord, WorkRecord
from streams.stage import Arrival, Handler, Stage

_WORKS: Final = 64  # read once each; one that is read again only costs time


@dataclass(frozen=True, slots=True)
class _Known:
    """What the live generation knows of a work: later it knows more, and nothing less."""

    floor: int
    chapters: Mapping[ChapterId, ChapterRecord]

    @classmethod
    def of(cls, work: WorkRecord | None) -> _Known:
        if work is None:
            return cls(-1, {})
        return cls(work.floor, {each.chapter_id: each for each in work.chapters})

    def is_past(self, event: ChapterPublished, position: int) -> bool:
        """Say whether another text came after this one, or the chapter was withdrawn after it."""
        if position < self.floor:
            return True
        chapter = self.chapters.get(event.chapter_id)
        if chapter is None:
            return False
        held = chapter.registers
        token = held.token(event.revision, position)
        replaced = held.text is not None and OrderToken(*held.text) > token
        gone = not held.present and held.presence is not None
        return replaced or (gone and OrderToken(*held.presence or token) > token)


@dataclass(slots=True)
class Sparing:
    """Spares the segment stage of a rebuild the texts that are past in `beside`."""

    tree: TreeStore
    beside: Generation
    before: Mapping[int, int]
    _works: OrderedDict[WorkId, _Known] = field(default_factory=OrderedDict)

    @classmethod
    def of(cls, started: GenerationStarted, tree: TreeStore) -> Sparing:
        """Return what spares a generation that is built beside another one."""
        before = {each.partition: each.chapters for each in started.frontier}
        return cls(tree, started.beside or started.generation, before)

    def stage(self, stage: Stage[Any]) -> Stage[Any]:
        """Return the segment stage, spared."""
        return replace(stage, handler=self._spared(stage.handler))

    def _spared(self, handler: Handler[Any]) -> Handler[Any]:
        async def spared(arrivals: Sequence[Arrival[Any]]) -> Sequence[Frozen]:
            outputs: list[Frozen] = []
            for arrival in arrivals:
                if await self._is_past(arrival):
                    outputs.append(_without_text(arrival.message, arrival.position))
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
        return (await self._known(event.work_id)).is_past(event, arrival.position)

    async def _known(self, work_id: WorkId) -> _Known:
        if work_id not in self._works:
            self._works[work_id] = _Known.of(await self.tree.load(work_id, self.beside))
        self._works.move_to_end(work_id)
        while len(self._works) > _WORKS:
            self._works.popitem(last=False)
        return self._works[work_id]


def _without_text(event: ChapterPublished, position: int) -> EventPassed:
    past = ChapterPurged(
        work_id=event.work_id,
        revision=event.revision,
        chapter_id=event.chapter_id,
        ordinal=event.ordinal,
    )
    return EventPassed(position=position, event=past)
