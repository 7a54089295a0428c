"""Makes the embedded graph server start in half the time, once per machine and version.

`python -m streams.startup` does it, as `make install` does: half a minute of one processor, once.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from contracts.errors import StorygraftError
from contracts.ids import FIRST_GENERATION
from contracts.messages import EmbeddedMessage
from graph.arcade_process import ArcadeAddress
from graph.arcade_startup import build_startup_cache
from graph.bolt import BoltTreeStore
from graph.exporting import export
from graph.grafter import Grafter
from graph.memory import MemoryVectorStore
from processors.cohesion import CohesionSegmenter
from processors.embedding import EmbedStage
from processors.lexicon import Lexicon
from processors.retriever import Retriever
from processors.segmenting import SegmentStage
from processors.sif import SifEmbedder
from streams.adapters import startup_cache_folder
from streams.demo_story import read_story


def build_quietly(folder: Path) -> str | None:
    """Build the cache in `folder` unless it is there; return why that did not go, if so.

    Where another process is at it, nothing is waited for.
    """
    try:
        build_startup_cache(folder, _rehearse, wait_s=0.0)
    except (StorygraftError, OSError) as error:
        return str(error)
    return None


def _rehearse(address: ArcadeAddress) -> None:
    asyncio.run(_rehearsed(address))


async def _rehearsed(address: ArcadeAddress) -> None:
    """Do on a server what indexing and asking do first."""
    tree = BoltTreeStore(address.uri, (address.user, address.password), address.database)
    try:
        await tree.prepare()
        await _tell_a_story(tree)
    finally:
        await tree.close()


async def _tell_a_story(tree: BoltTreeStore) -> None:
    vectors, embedder, lexicon = MemoryVectorStore(), SifEmbedder(), Lexicon()
    segment = SegmentStage(CohesionSegmenter(embedder))
    embed = EmbedStage(embedder, lexicon, vectors, FIRST_GENERATION)
    story = read_story()
    batch: list[EmbeddedMessage] = [
        await embed(await segment(chapter, position))
        for position, chapter in enumerate(story.given.chapters)
    ]
    graft = Grafter(tree, vectors)
    for part in _halves(batch):
        await graft(part)
    view = await tree.view(story.work_id, None)
    if view is not None:
        await export(view, with_text=True)
        for asked in story.questions:
            await Retriever(embedder, lexicon, vectors).search(view, asked.question, 500)


def _halves(batch: Sequence[EmbeddedMessage]) -> tuple[Sequence[EmbeddedMessage], ...]:
    middle = len(batch) // 2
    return tuple(part for part in (batch[:middle], batch[middle:]) if part)


def main() -> int:
    """Build the cache and say how it went; a failure costs seconds at each start, no more."""
    trouble = build_quietly(startup_cache_folder())
    if trouble is not None:
        print(f"The graph server will start without a start-up cache: {trouble}")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
