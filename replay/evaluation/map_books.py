"""Annotated novels indexed for measuring the reading of their maps, and a reader's choices.

The choices are those of a strong model that read the annotators' titles and synopses (`findings`
of the shared data): scenes by question, the best first, matched to the indexed scenes by span.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from contracts.ids import SceneId
from contracts.ports import BoundStory, Segmenter, TextEmbedder
from replay.evaluation.annotated import AnnotatedBook, IndexedBook, index, load
from replay.evaluation.held_out_segmenter import held_out_segmenter
from replay.evaluation.shared_data import shared_data
from replay.evaluation.told_scenes import ToldScenes

TOLD: Final = "gold scenes, gold synopses"
EXTRACTED: Final = "gold scenes, extracted synopses"
OWN: Final = "own scenes"
VARIANTS: Final = (TOLD, EXTRACTED, OWN)


@dataclass(frozen=True, slots=True)
class GoldScene:
    """A scene of the annotators: code points `[start, end)` of a chapter."""

    id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class MapBook:
    """A book in the stores, and for each of its questions the scenes that the reader chose."""

    indexed: IndexedBook
    view: BoundStory
    picks: tuple[tuple[SceneId, ...], ...]

    @property
    def book(self) -> AnnotatedBook:
        """The book with its questions."""
        return self.indexed.book


def gold_scenes(name: str) -> dict[str, tuple[GoldScene, ...]]:
    """Return the annotators' scenes by chapter id.

    Raises:
        FileNotFoundError: the shared test data is not there, or has no such book.
    """
    gold = json.loads(shared_data("storylines", f"{name}.json").read_bytes())
    return {
        str(chapter["index"]): tuple(
            GoldScene(scene["id"], scene["start"], scene["end"]) for scene in chapter["scenes"]
        )
        for chapter in gold["chapters"]
    }


def gold_picks(name: str) -> tuple[tuple[str, ...], ...]:
    """Return for each question of a book the ids of the gold scenes that the reader chose."""
    picks = json.loads(shared_data("storylines_map_picks.json").read_bytes())[name]
    return tuple(tuple(picks[str(number)]) for number in range(len(picks)))


async def map_book(name: str, variant: str, embedder: TextEmbedder) -> MapBook:
    """Index a book in memory, its scenes and their words as `variant` says."""
    segmenter: Segmenter = (
        held_out_segmenter(name, embedder)
        if variant == OWN
        else ToldScenes.of(name, worded=variant == TOLD)
    )
    indexed = await index(load(name), segmenter, embedder)
    view = await indexed.tree.view(indexed.book.chapters[0].work_id, None)
    if view is None:
        raise RuntimeError(f"{name} was not indexed")
    matched = await _matched(view, gold_scenes(name))
    picks = (dict.fromkeys(s for each in pick for s in matched[each]) for pick in gold_picks(name))
    return MapBook(indexed, view, tuple(map(tuple, picks)))


async def _matched(
    view: BoundStory, gold: Mapping[str, Sequence[GoldScene]]
) -> dict[str, tuple[SceneId, ...]]:
    """Return the indexed scenes that lie in each gold scene: by more than half, or most of it."""
    matched: dict[str, tuple[SceneId, ...]] = {}
    for chapter in await view.scenes():
        for told in gold[chapter.chapter_id]:
            shared = {
                scene.scene_id: min(scene.end, told.end) - max(scene.start, told.start)
                for scene in chapter.scenes
            }
            lengths = {scene.scene_id: scene.end - scene.start for scene in chapter.scenes}
            inside = [
                s for s, part in shared.items() if part * 2 > min(lengths[s], told.end - told.start)
            ]
            matched[told.id] = tuple(inside or [max(shared, key=lambda s: shared[s])])
    return matched
