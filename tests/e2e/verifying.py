"""A home in memory with a live generation and one that is built beside it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from contracts.events import ChapterEvent
from contracts.generations import GenerationStarted
from contracts.ids import Generation, WorkId
from contracts.ports import NewRecord, Segmenter
from contracts.reports import BreachKind, VerifyReport
from contracts.topics import CHAPTERS
from contracts.verifying import Sample, Thresholds, Verification
from contracts.works import WorkRecord
from graph.memory_tree import MemoryTreeStore
from graph.placement_weights import WEIGHTS, Weights
from streams.demo_story import read_story
from streams.generations.home import verify
from streams.index_version import index_version
from streams.inprocess import InProcessRunner
from streams.operations import NOBODY, Watcher
from streams.session import Home
from streams.stage import Stage
from streams.topology import chapter_path
from streams.wiring import open_home
from tests.e2e.homes import in_memory

STORY: Final = read_story()
W: Final = STORY.work_id
CANDIDATE: Final = Generation("g2")
CHAPTERS_TOLD: Final = tuple(STORY.given.chapters[:3])
FEW: Final = Sample(questions=6, words=300)


@dataclass(frozen=True)
class Beside:
    """A home with two generations of a story, each built as far as the log at some time."""

    home: Home
    segmenter: Segmenter
    weights: Weights
    max_body_bytes: int = 1_000_000

    async def publish(self, *events: ChapterEvent) -> None:
        await self.home.log.append(
            [NewRecord(CHAPTERS, each.work_id.encode(), each.to_json()) for each in events]
        )

    async def build_live(self) -> None:
        await self.home.runner().run_until_idle()

    async def build(self, stages: Iterable[str] = ()) -> None:
        """Take what waits through the candidate's stages, or through some of them."""
        wanted = set(stages)
        path = [each for each in self._path() if not wanted or each.intake.name in wanted]
        await InProcessRunner(self.home.log, path).run_until_idle()

    async def verified(
        self,
        limits: Thresholds | None = None,
        sample: Sample = FEW,
        watcher: Watcher = NOBODY,
    ) -> VerifyReport:
        asked = Verification(sample=sample, limits=limits or Thresholds())
        return await verify(self.home, asked, watcher)

    async def work(self) -> WorkRecord:
        work = await self.home.tree.load(W, CANDIDATE)
        assert work is not None
        return work

    def in_memory(self, **changes: Any) -> None:
        """Replace parts of what the graph keeps of the candidate's build."""
        store = self.home.tree
        assert isinstance(store, MemoryTreeStore)
        key = (WorkId(W), CANDIDATE)
        store._states[key] = replace(store._states[key], **changes)

    def state(self) -> Any:
        store = self.home.tree
        assert isinstance(store, MemoryTreeStore)
        return store._states[WorkId(W), CANDIDATE]

    def _path(self) -> list[Stage[Any]]:
        ports = replace(
            self.home.ports,
            generation=CANDIDATE,
            segmenter=self.segmenter,
            weights=self.weights,
            max_body_bytes=self.max_body_bytes,
        )
        return list(chapter_path(ports))


@asynccontextmanager
async def beside(
    folder: Path,
    segmenter: Segmenter | None = None,
    weights_file: Path | None = None,
    told: Iterable[ChapterEvent] = CHAPTERS_TOLD,
) -> AsyncIterator[Beside]:
    """Open a home in which a story is told, built as the settings say, and once more beside it."""
    async with open_home(in_memory(folder)) as home:
        other = home.settings.model_copy(update={"placement_weights": weights_file})
        weights = other.weights if weights_file else WEIGHTS
        found = Beside(home, segmenter or home.ports.segmenter, weights)
        await found.publish(*told)
        await found.build_live()
        await home.generations.tell(
            GenerationStarted(generation=CANDIDATE, version=index_version(other), at_ms=0)
        )
        await found.build()
        yield found


def kinds(report: VerifyReport) -> set[BreachKind]:
    return {breach.kind for breach in report.breaches}
