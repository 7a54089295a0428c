"""Annotated novels as the fold reads them: our names and vectors, on gold scenes or our own.

Chapters go through the real segment and embed stages. Nothing is taken from the annotation but,
where gold scenes are asked for, where they begin and end.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from contracts.ids import FIRST_GENERATION
from contracts.messages import ChapterSegmented
from contracts.ports import Segmenter, TextEmbedder
from contracts.scenes import ChapterText, Segment, Segmentation
from contracts.tree import ChapterInputs, SceneInputs
from graph.memory import MemoryVectorStore
from graph.scene_vectors import scene_vectors
from processors.embedding import EmbedStage
from processors.lexicon import Lexicon
from processors.segmenting import SegmentStage
from replay.evaluation.annotated import load
from replay.evaluation.held_out_segmenter import held_out_segmenter
from replay.evaluation.shared_data import shared_data

Counts = NDArray[np.int64]

GOLD: Final = "gold scenes"
OURS: Final = "our scenes"
SEGMENTATIONS: Final = (GOLD, OURS)


@dataclass(frozen=True, slots=True)
class ThreadBook:
    """A book's scenes as the fold reads them, in story order, beside the gold.

    `overlaps[i, g]` counts the story sentences of scene i that begin in gold scene g; `labels[i]`
    is the gold scene that holds most of scene i's code points; `gold` are the gold scenes' threads,
    in the annotators' order.
    """

    name: str
    chapters: tuple[ChapterInputs, ...]
    overlaps: Counts
    labels: tuple[int, ...]
    gold: tuple[tuple[str, ...], ...]

    @property
    def threads(self) -> int:
        """How many gold threads have a scene."""
        return len({thread for own in self.gold for thread in own})


@dataclass(frozen=True, slots=True)
class GoldSegmenter:
    """Cuts chapters where the annotators did; says nothing else of a scene."""

    starts: Mapping[str, Sequence[int]]
    """By chapter id, the code points where gold scenes start."""

    @property
    def version(self) -> str:
        """Name it."""
        return "gold"

    async def segment(self, chapter: ChapterText) -> Segmentation:
        """Return one segment a gold scene in which a sentence begins."""
        starts = self.starts[chapter.chapter_id]
        scenes = [_at(starts, sentence.start) for sentence in chapter.sentences]
        segments = [
            Segment(from_idx=min(numbers), to_idx=max(numbers))
            for scene in sorted(set(scenes))
            if (numbers := [n for n, other in enumerate(scenes, start=1) if other == scene])
        ]
        return Segmentation(segments=tuple(segments), segmenter=self.version)


async def read_book(name: str, segmentation: str, embedder: TextEmbedder) -> ThreadBook:
    """Take a book through segment and embed, on scenes of one of `SEGMENTATIONS`.

    Raises:
        FileNotFoundError: the shared test data is not there, or has no such book.
    """
    annotated = json.loads(shared_data("storylines", f"{name}.json").read_bytes())["chapters"]
    starts = {
        str(chapter["index"]): [scene["start"] for scene in chapter["scenes"]]
        for chapter in annotated
    }
    segmenter: Segmenter = (
        GoldSegmenter(starts) if segmentation == GOLD else held_out_segmenter(name, embedder)
    )
    segment, vectors = SegmentStage(segmenter), MemoryVectorStore()
    embed = EmbedStage(embedder, Lexicon(), vectors, FIRST_GENERATION)
    messages, chapters = [], []
    for position, event in enumerate(load(name).chapters):
        message = await segment(event, position)
        if not isinstance(message, ChapterSegmented):
            raise TypeError(f"chapter {position} of {name} is no text")
        await embed(message)
        messages.append(message)
        chapters.append(await _inputs(message, vectors))
    overlaps, labels = _aligned(messages, annotated)
    gold = tuple(tuple(scene["threads"]) for each in annotated for scene in each["scenes"])
    return ThreadBook(name, tuple(chapters), overlaps, labels, gold)


async def _inputs(message: ChapterSegmented, vectors: MemoryVectorStore) -> ChapterInputs:
    head = message.head
    keys = await vectors.keys(head.work_id, FIRST_GENERATION)
    rows = (await vectors.fetch(head.work_id, FIRST_GENERATION, sorted(keys))).values()
    dense = scene_vectors([row for row in rows if row.chapter_id == head.chapter_id])
    scenes = (SceneInputs(scene, dense[scene.scene_id]) for scene in message.scenes)
    return ChapterInputs(head.chapter_id, head.ordinal, message.language, tuple(scenes))


def _aligned(
    messages: Iterable[ChapterSegmented], annotated: Sequence[Mapping[str, Any]]
) -> tuple[Counts, tuple[int, ...]]:
    """Count sentences by scene and gold scene, and give each scene its label."""
    overlaps, labels, before = [], [], 0
    total = sum(len(chapter["scenes"]) for chapter in annotated)
    for message, chapter in zip(messages, annotated, strict=True):
        starts = [gold["start"] for gold in chapter["scenes"]]
        for scene in message.scenes:
            row = np.zeros(total, dtype=np.int64)
            sentences = message.sentences[scene.first_sentence - 1 : scene.last_sentence]
            for number, count in Counter(_at(starts, s.start) for s in sentences).items():
                row[before + number] = count
            overlaps.append(row)
            shared = [
                min(scene.end, gold["end"]) - max(scene.start, gold["start"])
                for gold in chapter["scenes"]
            ]
            labels.append(before + shared.index(max(shared)))
        before += len(starts)
    return np.array(overlaps), tuple(labels)


def _at(starts: Sequence[int], offset: int) -> int:
    """Return the number of the scene in which a code point lies; the first has all before it."""
    return max(sum(start <= offset for start in starts) - 1, 0)
