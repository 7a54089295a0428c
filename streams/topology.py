"""The path of a chapter, and of a question: one row a stage. Read this file first.

chapters ──► segment ──► scenes ──► embed ──► embedded ──► graft ──► grafts
chapters ──► hide: what is withdrawn is hidden at once, whatever lies before it
             segment lets the events of a paused work wait: `parked` says which
questions ──► answer ──► answers          anything unfit ──► <source topic>.dlq
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from contracts.crash_points import Reached, go_on
from contracts.ids import FIRST_GENERATION, Generation
from contracts.ports import EventLog, Segmenter, TextEmbedder, TreeStore, VectorStore
from contracts.topics import ANSWERS, EMBEDDED, GRAFTS, SCENES
from graph import checkpoints
from graph.advising import Advising
from graph.grafter import Grafter
from graph.placement_weights import WEIGHTS, Weights
from processors.embedding import EmbedStage
from processors.lexicon import Lexicon
from processors.retriever import Retriever
from processors.segmenting import SegmentStage
from processors.walking.answering import WalkingAnswerer
from processors.walking.reader import ModelReader
from streams.ahead import Ahead
from streams.answering import AnswerStage
from streams.gaps import Gaps
from streams.hide_stage import hide
from streams.intakes import ANSWER, EMBED, GRAFT, SEGMENT
from streams.parking import ParkingLot
from streams.stage import (
    ONE,
    BatchLimits,
    Stage,
    batched,
    each,
    each_with_position,
    of_generation,
)

GRAFT_BATCH: Final = BatchLimits(messages=512, bytes=64_000_000)
"""One batch is one re-fold and one transaction."""


@dataclass(frozen=True, slots=True)
class Ports:
    """What the stages of one generation need of the world."""

    log: EventLog
    segmenter: Segmenter
    embedder: TextEmbedder
    lexicon: Lexicon
    vectors: VectorStore
    tree: TreeStore
    gaps: Gaps
    max_body_bytes: int
    generation: Generation = FIRST_GENERATION
    checkpoint_every: int = checkpoints.EVERY
    advising: Advising | None = None
    weights: Weights = WEIGHTS
    reader: ModelReader | None = None
    ahead: Ahead | None = None
    reached: Reached = go_on

    @property
    def parking(self) -> ParkingLot:
        """Where events of paused works wait on their way into the generation."""
        return self.gaps.of_generation(self.generation).parking


def topology(ports: Ports) -> tuple[Stage[Any], ...]:
    """Return every stage, those of a chapter in the order in which it passes them."""
    return (*chapter_path(ports), question_path(ports))


def chapter_path(ports: Ports) -> tuple[Stage[Any], ...]:
    """Return the stages that a chapter passes."""
    rows = (
        segment(ports.segmenter, ports.max_body_bytes, ports.parking, ports.ahead),
        embed(ports.embedder, ports.lexicon, ports.vectors, ports.generation, ports.reached),
        graft(
            Grafter(
                ports.tree,
                ports.vectors,
                ports.reached,
                ports.checkpoint_every,
                ports.advising,
                ports.weights,
                ports.generation,
            )
        ),
    )
    built = (of_generation(row, ports.generation) for row in rows)
    return (hide(ports.tree, ports.generation), *built)


def question_path(ports: Ports) -> Stage[Any]:
    """Return the stage that a question passes; it reads whichever generation is live."""
    retriever = Retriever(ports.embedder, ports.lexicon, ports.vectors)
    return answer(ports.tree, WalkingAnswerer(retriever, ports.reader), ports.gaps)


# --- one row a stage, with what it needs --------------------------------------------------------


def segment(
    segmenter: Segmenter, max_body_bytes: int, parking: ParkingLot, ahead: Ahead | None = None
) -> Stage[Any]:
    """Return the row that cuts chapters into scenes."""
    stage = each_with_position(SegmentStage(segmenter, max_body_bytes))
    limits = BatchLimits(ahead=ahead.most) if ahead else ONE
    return Stage(SEGMENT, stage, SCENES, limits, parking=parking, ahead=ahead)


def embed(
    embedder: TextEmbedder,
    lexicon: Lexicon,
    vectors: VectorStore,
    generation: Generation,
    reached: Reached = go_on,
) -> Stage[Any]:
    """Return the row that writes the rows which are searched."""
    stage = EmbedStage(embedder, lexicon, vectors, generation, reached)
    return Stage(EMBED, each(stage), EMBEDDED, ONE)


def graft(grafter: Grafter) -> Stage[Any]:
    """Return the row that folds scenes into the tree."""
    return Stage(GRAFT, batched(grafter), GRAFTS, GRAFT_BATCH)


def answer(tree: TreeStore, answerer: WalkingAnswerer, gaps: Gaps) -> Stage[Any]:
    """Return the row that answers questions."""
    return Stage(ANSWER, each(AnswerStage(tree, answerer, gaps)), ANSWERS, ONE)
