"""Scenes as lines of a list."""

from __future__ import annotations

from collections.abc import Sequence

from contracts.ids import SceneId
from contracts.reports import SceneLine
from contracts.story_graph import PlacedScene, StoryGraph
from streams.reading.naming import names_of


async def scene_lines(graph: StoryGraph, placed: Sequence[PlacedScene]) -> tuple[SceneLine, ...]:
    """Return scenes with the names of who is in them, in the same order."""
    scenes = [(each, each.scene) for each in placed if each.scene is not None]
    where = await graph.belonging([scene.scene_id for _, scene in scenes])
    present = {SceneId(id_): belonging.characters for id_, belonging in where.items()}
    names = await names_of(graph, [id_ for ids in present.values() for id_ in ids])
    return tuple(
        SceneLine(
            chapter_id=each.chapter_id,
            ordinal=each.ordinal,
            scene_id=scene.scene_id,
            title=scene.title,
            synopsis=scene.synopsis,
            characters=tuple(sorted(map(names.name, present.get(scene.scene_id, ())))),
            home=each.home,
        )
        for each, scene in scenes
    )
