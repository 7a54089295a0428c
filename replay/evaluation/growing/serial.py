"""A made-up serial of real scenes: books of ../shared/data, cut once and told on in turn.

Two of the books that run are told on in each chapter, some scenes of each, and when one ends the
next begins; told again, a book has new ids and other words at the end of each scene, but the same
people. Cutting and embedding are done once, so that a serial of millions of words takes minutes.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from contracts.events import ChapterPublished, Format
from contracts.frozen import Span
from contracts.ids import FIRST_GENERATION, ChapterId, WorkId, content_hash, row_key, scene_id
from contracts.messages import ChapterEmbedded, ChapterHead, ChapterSegmented, EventPassed
from contracts.ordinals import Ordinal
from contracts.scenes import Scene
from contracts.vectors import Level, VectorRow
from processors.cohesion import CohesionSegmenter
from processors.segmenting import SegmentStage
from processors.sif import SifEmbedder
from replay.evaluation.shared_data import shared_data

WORK: Final = WorkId("growth")
CHAPTER_WORDS: Final = 2_500
_RUNNING: Final = 8  # books that are told on in turn


@dataclass(frozen=True, slots=True)
class Piece:
    """A scene of a book: what it says, its vector and how many words it has."""

    scene: Scene
    text: str
    dense: bytes


@dataclass(frozen=True, slots=True)
class Told:
    """A chapter as it comes to the graft stage, with the rows that are written before."""

    message: ChapterEmbedded
    rows: tuple[VectorRow, ...]


async def pieces(books: int) -> list[list[Piece]]:
    """Cut and embed so many books."""
    embedder = SifEmbedder()
    stage = SegmentStage(CohesionSegmenter(embedder))
    names = sorted(path.stem for path in shared_data("books").glob("*.json"))
    return [await _book(name, stage, embedder) for name in names[:books]]


async def _book(name: str, stage: SegmentStage, embedder: SifEmbedder) -> list[Piece]:
    book = json.loads(shared_data("books", f"{name}.json").read_text())
    made: list[Piece] = []
    for number, chapter in enumerate(book["chapters"]):
        event = ChapterPublished(
            work_id=WORK,
            chapter_id=ChapterId(str(number)),
            ordinal=Ordinal.parse(number),
            title=chapter["title"] or "",
            body=chapter["text"],
        )
        cut = await stage(event, number)
        if isinstance(cut, EventPassed):
            continue
        texts = [cut.text[scene.start : scene.end] for scene in cut.scenes]
        vectors = await embedder.embed(texts, cut.language)
        made += map(Piece, cut.scenes, texts, vectors)
    return made


def serial(books: Sequence[Sequence[Piece]], chapters: int) -> Iterator[Told]:
    """Yield the serial's chapters, the same every time."""
    random = np.random.default_rng(1)
    queue = itertools.cycle(range(len(books)))
    running = [iter(books[next(queue)]) for _ in range(min(_RUNNING, len(books)))]
    for number in range(1, chapters + 1):
        told: list[Piece] = []
        for which in random.choice(len(running), size=2):
            words = 0
            while words < CHAPTER_WORDS // 2:
                piece = next(running[which], None)
                if piece is None:
                    running[which] = iter(books[next(queue)])
                    continue
                told.append(piece)
                words += piece.scene.words
        yield chapter(f"c{number:05}", number, number, told)


def edited(told: Told, position: int) -> Told:
    """Return the chapter with one more sentence in its first scene, and as many scenes."""
    segmented = told.message.segmented
    found = [
        Piece(scene, segmented.text[scene.start : scene.end], row.dense)
        for scene, row in zip(segmented.scenes, told.rows, strict=True)
    ]
    vector = np.frombuffer(found[0].dense, "<i2").copy()
    vector[:8] += 40  # a sentence of a scene of hundreds of words turns its vector a little
    found[0] = replace(found[0], text=found[0].text + " So it was.", dense=vector.tobytes())
    head = segmented.head
    return chapter(head.chapter_id, int(str(head.ordinal)), position, found)


def chapter(name: str, ordinal: int, position: int, told: Sequence[Piece]) -> Told:
    """Return a chapter of these scenes, one row each, as the embed stage would."""
    scenes: list[Scene] = []
    text = ""
    for number, piece in enumerate(told, 1):
        start, end = len(text), len(text) + len(piece.text)
        named = scene_id(WORK, name, f"{number} {piece.text}", 0)
        scenes.append(
            piece.scene.model_copy(
                update={
                    "scene_id": named,
                    "start": start,
                    "end": end,
                    "first_sentence": number,
                    "last_sentence": number,
                    "extra_spans": (),
                    "context": (),
                }
            )
        )
        text += piece.text + "\n\n"
    head = ChapterHead(
        work_id=WORK,
        chapter_id=ChapterId(name),
        ordinal=Ordinal.parse(ordinal),
        position=position,
        title=name,
        format=Format.TEXT,
        content_hash=content_hash("text", "en", name, text),
    )
    segmented = ChapterSegmented(
        head=head,
        language="en",
        text=text,
        sentences=tuple(Span(start=scene.start, end=scene.end) for scene in scenes),
        scenes=tuple(scenes),
        segmenter="growth",
    )
    rows = [_row(head, scene, piece) for scene, piece in zip(scenes, told, strict=True)]
    items = tuple(scene.scene_id for scene in scenes)
    message = ChapterEmbedded(
        segmented=segmented, items=items, passages=len(scenes), term_counts={}
    )
    return Told(message, tuple(rows))


def _row(head: ChapterHead, scene: Scene, piece: Piece) -> VectorRow:
    return VectorRow(
        key=row_key(FIRST_GENERATION, scene.scene_id, head.position),
        level=Level.SCENE,
        item_id=scene.scene_id,
        scene_id=scene.scene_id,
        chapter_id=head.chapter_id,
        position=head.position,
        ordinal=int(head.ordinal),
        start=scene.start,
        end=scene.end,
        text=scene.title,
        dense=piece.dense,
        sparse=((1, 64),),
    )
