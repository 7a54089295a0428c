"""Scores every passage of chosen scenes, as a search of the whole work would score them.

A search returns the best rows of a work; of a scene that somebody named it may return none. So
the rows of the scenes' chapters are fetched by key and compared here: the numbers are whole
(`contracts.vectors`), and the scores exact.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from contracts.ids import ChapterId, RowKey, SceneId, row_key
from contracts.ports import StoryView, VectorStore
from contracts.vectors import (
    DENSE_SCALE,
    SPARSE_DOCUMENT_SCALE,
    SPARSE_QUERY_SCALE,
    Dense,
    Hit,
    Level,
    Sparse,
    VectorRow,
)
from contracts.works import ChapterRecord
from processors.fusion import Searches

_DENSE_UNIT: Final = 1.0 / DENSE_SCALE**2
_SPARSE_UNIT: Final = 1.0 / (SPARSE_DOCUMENT_SCALE * SPARSE_QUERY_SCALE)


@dataclass(frozen=True, slots=True)
class ScenePlace:
    """A scene and the chapter that it stands in."""

    scene_id: SceneId
    chapter_id: ChapterId


async def searched_within(
    vectors: VectorStore,
    view: StoryView,
    chapters: Sequence[ChapterRecord],
    places: Collection[ScenePlace],
    query: tuple[Sparse, Dense],
) -> Searches:
    """Return the hits of both levels, by words and by meaning, in the scenes of `places`.

    Of the rows only those count that `chapters`, the view's, link. Each of them is a hit by
    meaning, however little it has to do with the query: whoever named its scene wants it read.
    """
    scenes = {place.scene_id for place in places}
    keys = list(_keys(view, chapters, {place.chapter_id for place in places}))
    rows = (await vectors.fetch(view.work_id, view.generation, keys)).values()
    return _searches([row for row in rows if row.scene_id in scenes], *query)


def _keys(
    view: StoryView, chapters: Iterable[ChapterRecord], wanted: Collection[ChapterId]
) -> Iterable[RowKey]:
    for chapter in chapters:
        if chapter.chapter_id in wanted:
            for item in chapter.items:
                yield row_key(view.generation, item, chapter.row_position)


def _searches(rows: Sequence[VectorRow], sparse: Sparse, dense: Dense) -> Searches:
    weights, direction = dict(sparse), _whole(dense)
    by_words = [(row, _overlap(row.sparse, weights)) for row in rows]
    by_meaning = [
        (row, max(float(_whole(row.dense) @ direction), 1.0) * _DENSE_UNIT) for row in rows
    ]
    return Searches(
        _ranked(by_words, Level.PASSAGE),
        _ranked(by_meaning, Level.PASSAGE),
        _ranked(by_words, Level.SCENE),
        _ranked(by_meaning, Level.SCENE),
    )


def _overlap(document: Sparse, weights: dict[int, int]) -> float:
    return sum(weight * weights.get(number, 0) for number, weight in document) * _SPARSE_UNIT


def _whole(dense: Dense) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.frombuffer(dense, dtype="<i2").astype(np.int64)


def _ranked(scored: Iterable[tuple[VectorRow, float]], level: Level) -> list[Hit]:
    """Return hits best first, ties by item id: as a store's search does."""
    hits = [Hit.of(row, score) for row, score in scored if row.level == level and score > 0]
    return sorted(hits, key=lambda hit: (-hit.score, hit.item_id, hit.key))
