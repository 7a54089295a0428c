"""Dropping a generation: what nobody reads any more is deleted, a little at a time.

First its consumer groups, which is refused while a worker still belongs to one; then the fact is
told, so that nobody writes it or swaps to it; then rows, nodes and topics. Whoever is cut off
drops it again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from contracts.clock import now_ms
from contracts.errors import PermanentError
from contracts.generations import GenerationDropped, GenerationErased
from contracts.ids import Generation
from contracts.ports import EventLog, TreeStore, VectorStore
from contracts.reports import DropReport
from contracts.works import WorkRecord
from streams.generations.carrying import Carried
from streams.generations.path import intakes_of, topics_of
from streams.generations.registry import Generations, KnownGeneration

NODES: Final = 2_000
"""Deleted in one transaction: some tenths of a second, and some megabytes of the server's."""

Told = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Dropper:
    """Drops generations, `grace_s` after they ceased to be live."""

    log: EventLog
    tree: TreeStore
    vectors: VectorStore
    generations: Generations
    grace_s: float

    async def drop(self, generation: Generation, told: Told) -> DropReport:
        """Delete all of a generation; `told` hears of each work that is gone.

        Raises:
            PermanentError: it is live, or another one is still copying from it, or there is none.
            TransientError: its workers run, or a store is down; the same call goes on.
        """
        await self.generations.refresh()
        known = self.generations.get(generation)
        if known is None or known.erased:
            known = self.generations.require(generation)
        await self._refuse_if_needed(known)
        await self._wait_for_readers(known)
        await self.log.remove((), [intake.group for intake in intakes_of(known)])
        if not known.dropped:
            await self.generations.tell(GenerationDropped(generation=generation, at_ms=now_ms()))
        works = await self.tree.works(generation)
        for work in works:
            await self._erase(work)
            told(1)
        await self.log.remove(topics_of(generation), ())
        await self.generations.tell(GenerationErased(generation=generation, at_ms=now_ms()))
        return DropReport(generation=generation, works=len(works))

    async def _refuse_if_needed(self, known: KnownGeneration) -> None:
        if known.generation == await self.tree.live():
            raise PermanentError(
                f"{known.generation} is live: swap to another generation first, or roll back."
            )
        for other in self.generations.kept():
            copies = other.copies_from == known.generation
            if copies and not await Carried(self.log, other.started)():
                raise PermanentError(
                    f"{other.generation} is still copying the scenes of {known.generation}: "
                    f"wait until it has them, or drop {other.generation} first."
                )

    async def _wait_for_readers(self, known: KnownGeneration) -> None:
        """Wait until no request that began before the last swap can be under way."""
        left_ms = max(
            (
                swap.at_ms
                for other in self.generations.all()
                for swap in other.swaps
                if swap.instead_of == known.generation
            ),
            default=0,
        )
        wait_s = left_ms / 1000 + self.grace_s - time.time()
        if wait_s > 0:
            await asyncio.sleep(wait_s)

    async def _erase(self, work: WorkRecord) -> None:
        await self.vectors.drop(work.work_id, work.generation)
        while await self.tree.erase(work.work_id, work.generation, NODES):
            pass
