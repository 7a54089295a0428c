"""Stories indexed in memory through the real stages, one scene a paragraph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from contracts.events import ChapterPublished
from contracts.ids import FIRST_GENERATION, ChapterId, WorkId
from contracts.ordinals import Ordinal
from contracts.ports import BoundStory
from contracts.scenes import ChapterText, Segment, Segmentation
from graph.grafter import Grafter
from graph.memory import MemoryTreeStore, MemoryVectorStore
from processors.answerer import Answerer
from processors.embedding import EmbedStage
from processors.lexicon import Lexicon
from processors.retriever import Retriever
from processors.segmenting import SegmentStage
from processors.sif import SifEmbedder

WORK = WorkId("serial")


class ByParagraph:
    """A segmenter: each paragraph is a scene."""

    version = "by-paragraph"

    async def segment(self, chapter: ChapterText) -> Segmentation:
        starts = chapter.paragraph_starts
        ends = [*(start - 1 for start in starts[1:]), len(chapter.sentences)]
        return Segmentation(
            segments=tuple(
                Segment(from_idx=first, to_idx=last)
                for first, last in zip(starts, ends, strict=True)
            ),
            segmenter=self.version,
        )


@dataclass(frozen=True)
class Story:
    """A work in the stores of one process."""

    tree: MemoryTreeStore
    vectors: MemoryVectorStore

    @property
    def retriever(self) -> Retriever:
        return Retriever(SifEmbedder(), Lexicon(), self.vectors)

    @property
    def answerer(self) -> Answerer:
        return Answerer(self.retriever)

    async def view(self, as_of: int | None = None) -> BoundStory:
        ordinal = None if as_of is None else Ordinal.parse(as_of)
        view = await self.tree.view(WORK, ordinal)
        assert view is not None
        return view


def chapter(number: int, body: str, language: str = "en") -> ChapterPublished:
    return ChapterPublished(
        work_id=WORK,
        chapter_id=ChapterId(f"c{number}"),
        ordinal=Ordinal.parse(number),
        body=body,
        language=language,
    )


async def indexed(chapters: Sequence[ChapterPublished]) -> Story:
    """Take chapters through segment, embed and graft; positions are their places here."""
    tree, vectors = MemoryTreeStore(), MemoryVectorStore()
    segment = SegmentStage(ByParagraph())
    embed = EmbedStage(SifEmbedder(), Lexicon(), vectors, FIRST_GENERATION)
    batch = [await embed(await segment(each, position)) for position, each in enumerate(chapters)]
    await Grafter(tree, vectors)(batch)
    return Story(tree, vectors)
