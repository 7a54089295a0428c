"""Small hand-made chapters for tests of the graph: no text processing, no model, no network."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from contracts.events import Format
from contracts.frozen import Span
from contracts.ids import (
    FIRST_GENERATION,
    ChapterId,
    WorkId,
    content_hash,
    passage_id,
    row_key,
    scene_id,
)
from contracts.messages import ChapterEmbedded, ChapterHead, ChapterSegmented
from contracts.ordinals import Ordinal
from contracts.ports import VectorStore
from contracts.scenes import Mention, Scene
from contracts.vectors import DENSE_SCALE, DIMENSIONS, Level, VectorRow
from contracts.words import count_words

SceneText = tuple[str, Sequence[str]]
"""A scene's text and the names in it."""


def vector_of(text: str) -> bytes:
    """Return a vector that texts of like words share: each word adds its own random direction."""
    total = np.zeros(DIMENSIONS)
    for word in text.lower().split():
        seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=4).digest(), "big")
        total += np.random.default_rng(seed).standard_normal(DIMENSIONS)
    length = float(np.linalg.norm(total)) or 1.0
    return bytes(np.rint(total / length * DENSE_SCALE).astype("<i2").tobytes())


def embedded(
    work: str,
    chapter: str,
    position: int,
    ordinal: str,
    scenes: Sequence[SceneText],
    revision: int | None = None,
) -> ChapterEmbedded:
    """Return the message of a chapter of `scenes`, one sentence and one passage each."""
    text = "\n\n".join(scene for scene, _ in scenes)
    made: list[Scene] = []
    at = 0
    for number, (scene, names) in enumerate(scenes, start=1):
        earlier = sum(scene == before for before, _ in scenes[: number - 1])
        made.append(
            Scene(
                scene_id=scene_id(work, chapter, scene, earlier),
                first_sentence=number,
                last_sentence=number,
                start=at,
                end=at + len(scene),
                title=" ".join(scene.split()[:4]),
                synopsis=scene,
                significance=scene,
                mentions=tuple(Mention(name=name, count=2) for name in sorted(names)),
                words=count_words(scene),
            )
        )
        at += len(scene) + 2
    head = ChapterHead(
        work_id=WorkId(work),
        chapter_id=ChapterId(chapter),
        ordinal=Ordinal.parse(ordinal),
        revision=revision,
        position=position,
        title=f"Chapter {chapter}",
        format=Format.TEXT,
        content_hash=content_hash("text", "en", f"Chapter {chapter}", text),
    )
    segmented = ChapterSegmented(
        head=head,
        language="en",
        text=text,
        sentences=tuple(Span(start=scene.start, end=scene.end) for scene in made),
        scenes=tuple(made),
        segmenter="hand",
    )
    items: list[str] = [scene.scene_id for scene in made]
    items += [passage_id(scene.scene_id, 0) for scene in made]
    words = [set(scene.lower().split()) for scene, _ in scenes]
    counts = {word: sum(word in each for each in words) for word in sorted(set().union(*words))}
    return ChapterEmbedded(
        segmented=segmented, items=tuple(items), passages=len(made), term_counts=counts
    )


def rows_of(message: ChapterEmbedded) -> list[VectorRow]:
    """Return the rows that the embed stage would have written for `message`."""
    head, text = message.segmented.head, message.segmented.text
    rows = []
    for scene in message.segmented.scenes:
        for level, item in (
            (Level.SCENE, scene.scene_id),
            (Level.PASSAGE, passage_id(scene.scene_id, 0)),
        ):
            body = text[scene.start : scene.end]
            rows.append(
                VectorRow(
                    key=row_key(FIRST_GENERATION, item, head.position),
                    level=level,
                    item_id=item,
                    scene_id=scene.scene_id,
                    chapter_id=head.chapter_id,
                    position=head.position,
                    ordinal=int(head.ordinal),
                    start=scene.start,
                    end=scene.end,
                    text=body,
                    dense=vector_of(body),
                    sparse=((1, 64),),
                )
            )
    return rows


async def written(vectors: VectorStore, message: ChapterEmbedded) -> ChapterEmbedded:
    """Write the rows of `message`, as the embed stage does, and return it."""
    work = message.segmented.head.work_id
    await vectors.upsert(work, FIRST_GENERATION, rows_of(message))
    return message
