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
from graph.hider import Hider
from processors.embedding import EmbedStage
from processors.lexicon import Lexicon
from processors.retriever import Retriever
from processors.segmenting import SegmentStage
from processors.walking.answering import WalkingAnswerer
from processors.walking.reader import ModelReader
from streams.answering import AnswerStage
from streams.gaps import GapFinder
from streams.intakes import ANSWER, EMBED, GRAFT, HIDE, SEGMENT
from streams.parking import ParkingLot
from streams.peeking import may_withdraw
from streams.stage import (
    NOWHERE,
    ONE,
    BatchLimits,
    Stage,
    batched,
    each,
    each_with_position,
    effect,
    of_generation,
)

HIDE_BATCH: Final = BatchLimits(messages=512)
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
    parking: ParkingLot
    max_body_bytes: int
    generation: Generation = FIRST_GENERATION
    checkpoint_every: int = checkpoints.EVERY
    advising: Advising | None = None
    reader: ModelReader | None = None
    reached: Reached = go_on


def topology(ports: Ports) -> tuple[Stage[Any], ...]:
    """Return every stage, those of a chapter in the order in which it passes them."""
    return (*chapter_path(ports), question_path(ports))


def chapter_path(ports: Ports) -> tuple[Stage[Any], ...]:
    """Return the stages that a chapter passes."""
    segment = SegmentStage(ports.segmenter, ports.max_body_bytes)
    embed = EmbedStage(
        ports.embedder, ports.lexicon, ports.vectors, ports.generation, ports.reached
    )
    graft = Grafter(
        ports.tree, ports.vectors, ports.reached, ports.checkpoint_every, ports.advising
    )
    rows: tuple[Stage[Any], ...] = (
        Stage(HIDE, effect(Hider(ports.tree)), NOWHERE, HIDE_BATCH, may_withdraw),
        Stage(SEGMENT, each_with_position(segment), SCENES, ONE, parking=ports.parking),
        Stage(EMBED, each(embed), EMBEDDED, ONE),
        Stage(GRAFT, batched(graft), GRAFTS, GRAFT_BATCH),
    )
    return tuple(of_generation(row, ports.generation) for row in rows)


def question_path(ports: Ports) -> Stage[Any]:
    """Return the stage that a question passes; it reads whichever generation is live."""
    gaps = GapFinder(ports.log, ports.tree, ports.parking)
    retriever = Retriever(ports.embedder, ports.lexicon, ports.vectors)
    answerer = WalkingAnswerer(retriever, ports.reader)
    answer = AnswerStage(ports.tree, answerer, gaps)
    return Stage(ANSWER, each(answer), ANSWERS, ONE)
