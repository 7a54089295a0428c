"""Starting a generation: what it is built from, and from where each of its stages reads.

Everything that its processes need is made first; the fact that it was started comes last. Whoever
is killed on the way starts it again, to the same end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from contracts.clock import now_ms
from contracts.errors import PermanentError
from contracts.generations import Frontier, GenerationStarted, Source
from contracts.ids import Generation
from contracts.index_version import IndexVersion, Layer
from contracts.ports import EventLog, TreeStore
from contracts.reports import StartReport
from streams.gaps import Gaps
from streams.generations.choosing import take_over
from streams.generations.frontiers import Frontiers
from streams.generations.registry import Generations, KnownGeneration
from streams.intakes import SEGMENT


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be built: from `source`, None for the cheapest that will do.

    With `again` the same version is built once more, beside itself.
    """

    source: Source | None = None
    again: bool = False


@dataclass(frozen=True, slots=True)
class Starter:
    """Starts generations of `version` beside the live one."""

    log: EventLog
    tree: TreeStore
    generations: Generations
    gaps: Gaps
    version: IndexVersion

    async def plan(self, wish: Wish) -> StartReport:
        """Say what would be started; nothing is done.

        Raises:
            PermanentError: it would be what is there, or the source will not do.
            TransientError: the log or the graph cannot be used now.
        """
        await take_over(self.generations, self.version, self.tree)
        beside = self.generations.beside(await self.tree.live())
        live = beside.generation
        under_way = self._under_way(beside, wish)
        if under_way is not None:
            source, rows = under_way.started.source, under_way.started.rows
            return self._report(under_way.generation, source, beside, rows=rows, resumed=True)
        changed = beside.version.first_change(self.version)
        if changed is None and not wish.again:
            raise PermanentError(
                f"These settings make what is live ({live}, version {self.version.digest}): change "
                "a setting first, or build the same once more with --again."
            )
        source = _source(beside, changed, wish.source)
        rows = source is Source.SCENES and changed in (None, Layer.TREE)
        return self._report(self.generations.next_name(), source, beside, rows=rows)

    async def start(self, plan: StartReport) -> KnownGeneration:
        """Start what was planned, whose topics are there; one that was started goes on.

        Raises:
            PermanentError: events of a paused work wait, whose scenes are not there to be copied;
                or somebody else started another version by this name in the meantime.
            TransientError: the log cannot be used now.
        """
        known = self.generations.get(plan.generation)
        if known is not None:
            return self._mine(known)
        frontier, rows = await self._frontier(plan)
        await self._begin(plan, frontier)
        await self._pause_alike(plan)
        started = GenerationStarted(
            generation=plan.generation,
            version=self.version,
            source=plan.source,
            rows=rows,
            beside=plan.beside,
            frontier=frontier,
            at_ms=now_ms(),
        )
        return self._mine(await self.generations.tell(started))

    def _mine(self, known: KnownGeneration) -> KnownGeneration:
        if known.version != self.version:
            raise PermanentError(
                f"Somebody else started {known.generation} in the meantime, with other settings: "
                "look at `storygraft reindex status`, then start again."
            )
        return known

    def _under_way(self, live: KnownGeneration, wish: Wish) -> KnownGeneration | None:
        """Return the generation of our version that is built already, but not live."""
        for known in self.generations.kept():
            if known.version == self.version and known.generation != live.generation:
                if wish.source not in (None, known.started.source):
                    raise PermanentError(
                        f"{known.generation} is being built from {known.started.source}: drop it "
                        "first, or go on with it without --from."
                    )
                return known
        return None

    def _report(
        self,
        generation: Generation,
        source: Source,
        beside: KnownGeneration,
        *,
        rows: bool = False,
        resumed: bool = False,
    ) -> StartReport:
        return StartReport(
            generation=generation,
            beside=beside.generation,
            version=self.version.digest,
            source=source,
            rows=rows,
            changes=beside.version.differences(self.version),
            resumed=resumed,
        )

    async def _frontier(self, plan: StartReport) -> tuple[tuple[Frontier, ...], bool]:
        """Look how far the live generation is, and whether what it embedded can be copied."""
        frontiers = Frontiers(self.log, plan.beside)
        cut = await frontiers.cut()
        if plan.source is Source.CHAPTERS:
            return frontiers.of_chapters(cut), False
        await self._refuse_parked(plan.beside)
        rows = await frontiers.of_rows(cut) if plan.rows else None
        return (await frontiers.of_scenes(cut), False) if rows is None else (rows, True)

    async def _begin(self, plan: StartReport, frontier: tuple[Frontier, ...]) -> None:
        """Have the segment stage begin where the copied scenes end."""
        if plan.source is Source.SCENES:
            segment = SEGMENT.of_generation(plan.generation)
            positions: Mapping[int, int] = {each.partition: each.chapters for each in frontier}
            await self.log.begin(segment.group, segment.source, positions)

    async def _refuse_parked(self, live: Generation) -> None:
        lot = self.gaps.of_generation(live).parking
        await lot.refresh()
        waiting = [work.work_id for work in lot.aside() if work.waits]
        if waiting:
            raise PermanentError(
                f"Events of {', '.join(waiting)} wait since the work is paused or was, and have no "
                "scenes yet: resume it, and begin when nothing of it waits; or add "
                "`--from chapters`."
            )

    async def _pause_alike(self, plan: StartReport) -> None:
        """Pause in the new generation what is paused in the live one."""
        live = self.gaps.of_generation(plan.beside).parking
        await live.refresh()
        mine = self.gaps.of_generation(plan.generation).parking
        for work in live.aside():
            if work.paused:
                await mine.pause(work.work_id)


def _source(beside: KnownGeneration, changed: Layer | None, wished: Source | None) -> Source:
    """Return the cheapest source that will do.

    Raises:
        PermanentError: the one that is wished for will not.
    """
    anew = changed is Layer.SEGMENTATION or beside.started.foreign
    cheapest = Source.CHAPTERS if anew else Source.SCENES
    if wished is Source.SCENES and anew:
        why = (
            f"The log does not tell how {beside.generation} came to be"
            if beside.started.foreign
            else "The scenes there are were cut otherwise than these settings cut"
        )
        raise PermanentError(f"{why}: build from chapters.")
    return wished or cheapest
