"""An opened home: the log, the stores, and what reads and fills them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from contracts.crash_points import Reached, go_on
from contracts.errors import PermanentError
from contracts.ids import Generation, WorkId
from contracts.ordinals import Ordinal
from contracts.ports import BoundStory, EventLog, Memo, TreeStore, VectorStore
from streams.gaps import GapFinder, Gaps
from streams.generations.registry import Generations
from streams.hide_stage import hide
from streams.inprocess import InProcessRunner, Progress, tell_nobody
from streams.intakes import Intake
from streams.not_found import NotFound, not_found
from streams.parking import ParkingLot
from streams.settings import Settings

if TYPE_CHECKING:  # heavy, and only wiring makes them
    from processors.retriever import Retriever
    from processors.walking.answering import WalkingAnswerer
    from streams.stage import Stage
    from streams.topology import Ports


@dataclass(slots=True)
class Losses:
    """Why nothing may be read or indexed: a whole store is gone. Empty if all is well."""

    told: str = ""

    def refuse(self) -> None:
        """Raise what is told.

        Raises:
            PermanentError: a store is lost; the text says what to do.
        """
        if self.told:
            raise PermanentError(self.told)


@dataclass(frozen=True, slots=True)
class Home:
    """A home opened with everything that indexes, answers and reads.

    `refusal` says why it may not index: its settings make another index than there is.
    """

    settings: Settings
    log: EventLog
    tree: TreeStore
    vectors: VectorStore
    memo: Memo
    generations: Generations
    ports: Ports
    stages: Sequence[Stage[Any]]
    retriever: Retriever
    answerer: WalkingAnswerer
    reached: Reached = go_on
    losses: Losses = field(default_factory=Losses)
    refusal: str = ""

    @property
    def gaps(self) -> Gaps:
        """What finds the gaps of a work, in any generation."""
        return self.ports.gaps

    @property
    def generation(self) -> Generation:
        """The generation that the stages of this home write; where it writes none, a live one."""
        return self.ports.generation

    @property
    def finder(self) -> GapFinder:
        """What finds the gaps in the generation of this home."""
        return self.gaps.of_generation(self.generation)

    @property
    def parking(self) -> ParkingLot:
        """Where the events of paused works wait, on their way into the generation of this home."""
        return self.ports.parking

    @property
    def has_workers(self) -> bool:
        """Whether the stages run elsewhere, in the workers of a Kafka cluster."""
        return self.settings.on_kafka

    @property
    def intakes(self) -> tuple[Intake[Any], ...]:
        """Where each stage reads."""
        return tuple(stage.intake for stage in self.stages)

    def runner(self, progress: Progress = tell_nobody) -> InProcessRunner:
        """Return what runs the stages on the log.

        Raises:
            PermanentError: a whole store is lost, workers run them, or they would mix what two
                index versions make; what to do.
        """
        if self.has_workers:
            raise PermanentError(
                "The stages of this index run in workers: send it chapters with `storygraft "
                "publish`, and start `storygraft worker` if none runs."
            )
        self.losses.refuse()
        self.require_own_generation()
        return InProcessRunner(self.log, self.stages, progress, reached=self.reached)

    def require_own_generation(self) -> None:
        """Return if a generation of the index was made by settings like these.

        Raises:
            PermanentError: none was; which settings differ, and what to do.
        """
        if self.refusal:
            raise PermanentError(self.refusal)

    async def hide(self) -> None:
        """Hide from readers what the log withdraws, however far the other stages are.

        In every generation: a swap must not bring it back. Safe beside a runner. Where it is held
        it is tried again with the next run; where workers run the stages, they do it within the
        second.

        Raises:
            TransientError: the log cannot be used now.
        """
        if self.has_workers:
            return
        await self.generations.refresh()
        hiding = [hide(self.tree, each.generation) for each in self.generations.kept()]
        await InProcessRunner(self.log, hiding, reached=self.reached).look_ahead()

    async def view(self, work_id: str, as_of: Ordinal | None) -> BoundStory:
        """Bind a work as of an ordinal; None stands for the head.

        Raises:
            NotFound: the work has no live chapter; the text names works of like names.
            TransientError: the store is down.
            PermanentError: a whole store is lost.
        """
        self.losses.refuse()
        view = await self.tree.view(WorkId(work_id), as_of)
        if view is None:
            raise NotFound(await self._not_found(work_id))
        return view

    async def require(self, work_id: WorkId) -> None:
        """Return if anybody has heard of the work: the graph, or whoever looks for what waits.

        Raises:
            NotFound: nobody has; the text names works of like names.
            TransientError: a store is down.
        """
        if await self.tree.load(work_id) is not None or await self._waits(work_id):
            return
        raise NotFound(not_found(work_id, await self.tree.works(), self.settings))

    async def _waits(self, work_id: WorkId) -> bool:
        """Say whether something of the work waits, is paused, or is dead."""
        finder = await self.gaps.live()
        await finder.refresh()
        told = finder.waiting(work_id) or finder.letters.of(work_id)
        return bool(told) or finder.parking.work(work_id) is not None

    async def _not_found(self, work_id: str) -> str:
        works = await self.tree.works()
        if any(work.work_id == work_id for work in works):
            return not_found(work_id, works, self.settings)
        if await self._waits(WorkId(work_id)):
            return (
                f"Nothing of work {work_id!r} is indexed yet: its chapters wait in the log; "
                "`storygraft status` tells how far it is."
            )
        return not_found(work_id, works, self.settings)
