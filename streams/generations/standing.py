"""How the generations of an index stand."""

from __future__ import annotations

from dataclasses import dataclass

from contracts.ids import Generation
from contracts.index_version import IndexVersion
from contracts.ports import EventLog, TreeStore
from contracts.reports import GenerationLine, GenerationsReport
from streams.generations.path import intakes_of
from streams.generations.registry import Generations, KnownGeneration
from streams.holds import current_holds
from streams.lags import waiting


@dataclass(frozen=True, slots=True)
class GenerationsLooker:
    """Looks how generations stand; `version` is that of whoever asks."""

    log: EventLog
    tree: TreeStore
    generations: Generations
    version: IndexVersion

    async def report(self) -> GenerationsReport:
        """Return how every generation stands that is not erased.

        Raises:
            TransientError: the log or the graph cannot be used now.
        """
        await self.generations.refresh()
        live = await self.tree.live()
        return GenerationsReport(
            version=self.version.digest,
            generations=tuple(
                [
                    await self._line(known, live)
                    for known in self.generations.all()
                    if not known.erased
                ]
            ),
        )

    async def _line(self, known: KnownGeneration, live: Generation) -> GenerationLine:
        intakes = intakes_of(known)
        lag = () if known.dropped else await waiting(self.log, intakes)
        return GenerationLine(
            generation=known.generation,
            live=known.generation == live,
            mine=known.version == self.version,
            version=known.version.digest,
            source=known.started.source,
            beside=known.started.beside,
            started_ms=known.started.at_ms,
            dropped=known.dropped,
            waiting=sum(each.waiting for each in lag),
            lag=lag,
            held=() if known.dropped else await current_holds(self.log, intakes),
            works=len(await self.tree.works(known.generation)),
            breaches=known.verified.breaches if known.verified else None,
        )
