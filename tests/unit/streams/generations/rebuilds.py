"""Rebuilds of a home in memory, beside what is live in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from contracts.events import ChapterEvent, ChapterPublished, ChapterWithdrawn
from contracts.generations import Source
from contracts.ids import ChapterId, Generation, WorkId
from contracts.index_version import IndexVersion
from contracts.ordinals import Ordinal
from contracts.ports import Segmenter, TextEmbedder
from contracts.scenes import ChapterText, Segmentation
from contracts.vectors import Dense
from graph.exporting import export
from streams.generations.registry import KnownGeneration
from streams.generations.stages import GenerationStages, Stores
from streams.generations.starting import Starter, Wish
from streams.index_version import index_version
from streams.inprocess import InProcessRunner, RunReport
from streams.session import Home
from streams.settings import Settings
from streams.topology import chapter_path

W = WorkId("w")


def settings(folder: Path) -> Settings:
    return Settings(home=folder, log="memory:", vectors="memory:", graph="memory:", memo="memory:")


def text(chapter: int, edition: int = 0) -> ChapterPublished:
    """A chapter of a few paragraphs, in one of its editions."""
    body = "\n\n".join(
        f"Hedda Brandt went up to room {chapter * 10 + n} with lamp number {edition}. "
        f"Nobody had lit the stove there since winter {n}, and the ledger lay open."
        for n in range(6)
    )
    return ChapterPublished(
        work_id=W, chapter_id=ChapterId(str(chapter)), ordinal=Ordinal.parse(chapter), body=body
    )


def gone(chapter: int) -> ChapterWithdrawn:
    return ChapterWithdrawn(work_id=W, chapter_id=ChapterId(str(chapter)))


def changed(home: Home, layer: str, otherwise: int = 1) -> IndexVersion:
    """The index version of settings that differ in one layer."""
    version = index_version(home.settings)
    return version.model_copy(update={layer: f"{getattr(version, layer)}\nother={otherwise}"})


@dataclass(slots=True)
class CountingSegmenter:
    """Says which texts were cut."""

    segmenter: Segmenter
    cut: list[str] = field(default_factory=list)

    @property
    def version(self) -> str:
        return self.segmenter.version

    async def segment(self, chapter: ChapterText) -> Segmentation:
        self.cut.append(chapter.text)
        return await self.segmenter.segment(chapter)


def stores_of(home: Home) -> Stores:
    return Stores(home.tree, home.vectors)


@dataclass(slots=True)
class CountingEmbedder:
    """Says which texts were embedded."""

    embedder: TextEmbedder
    texts: list[str] = field(default_factory=list)

    @property
    def version(self) -> str:
        return self.embedder.version

    async def embed(self, texts: Sequence[str], language: str) -> tuple[Dense, ...]:
        self.texts += texts
        return await self.embedder.embed(texts, language)


@dataclass(slots=True)
class Rebuild:
    """A generation that is built beside the live one of a home in memory."""

    home: Home
    known: KnownGeneration
    segmenter: CountingSegmenter
    embedder: CountingEmbedder

    @classmethod
    async def started(
        cls, home: Home, layer: str, source: Source | None = None, otherwise: int = 1
    ) -> Rebuild:
        version = changed(home, layer, otherwise)
        starter = Starter(home.log, home.tree, home.generations, home.gaps, version)
        plan = await starter.plan(Wish(source))
        known = await starter.start(plan)
        ports = home.ports
        segmenter, embedder = CountingSegmenter(ports.segmenter), CountingEmbedder(ports.embedder)
        return cls(home, known, segmenter, embedder)

    @property
    def generation(self) -> Generation:
        return self.known.generation

    async def run(self) -> RunReport:
        """Build on, as a new process would."""
        ports = replace(
            self.home.ports,
            generation=self.generation,
            segmenter=self.segmenter,
            embedder=self.embedder,
        )
        of_it = GenerationStages(self.home.generations, self.known, 1.0)
        stages = tuple(of_it.all_of(chapter_path(ports), stores_of(self.home)))
        return await InProcessRunner(self.home.log, stages).run_until_idle()


async def told(home: Home, generation: Generation | None = None) -> bytes:
    """What a generation says of the work, but for its own name."""
    view = await home.tree.view(W, None, generation)
    assert view is not None
    whole = await export(view, with_text=True)
    return whole.model_copy(update={"generation": Generation("g")}).to_json()


LIFE: list[ChapterEvent] = [
    text(1),
    text(2),
    text(3),
    text(2, edition=1),
    gone(3),
    text(4),
    text(1),
    text(2, edition=2),
]
"""Three texts are read at its end: 1, the third edition of 2, and 4."""
