"""The fold: the tree of a work is a pure function of its chapters in story order.

`graft` decides where a chapter's scenes belong, looking only at the state that the chapters
before it left. It returns what it did as a record of operations, and the state after it. Grafting
costs the same however long the work is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from contracts.ids import CharacterId, StorylineId, WorkId
from contracts.tree import AliasRow, ChapterInputs, Describe, GraftRecord, SceneInputs
from graph.branches import Branches
from graph.characters import Cast, display_name, meet
from graph.describing import SYNOPSIS_WORDS, clipped, describe, is_due, short_title
from graph.placement import TOGETHER, leaf_of, opening_group, place
from graph.placement_weights import WEIGHTS, Weights
from graph.splitting import end_sleepers, relieve
from graph.state import RECENT, FoldState, Place, Remembered

__all__ = ["FoldState", "graft", "remembered", "start"]


def start(work_id: WorkId) -> FoldState:
    """Return the state before the first chapter of a work."""
    return FoldState(work_id)


def graft(
    state: FoldState, chapter: ChapterInputs, weights: Weights = WEIGHTS
) -> tuple[FoldState, GraftRecord]:
    """Graft one chapter onto the tree that the chapters before it, in story order, have left.

    Other `weights` than those that ship are for measuring how they do.
    """
    meeting = meet(state.cast, state.work_id, chapter)
    tree = Branches(state, chapter.chapter_id, chapter.ordinal, weights)
    scenes = [
        remembered(
            inputs,
            Place(chapter.ordinal, chapter.chapter_id, number),
            meeting.present.get(inputs.scene.scene_id, ()),
        )
        for number, inputs in enumerate(chapter.scenes)
    ]
    if scenes:
        end_sleepers(tree)
    for first in range(0, len(scenes), TOGETHER):
        _grow(tree, scenes[first : first + TOGETHER])
    described = _describe_all(tree, meeting.cast)
    after = _after(state, tree, meeting.cast, chapter)
    return after, GraftRecord(
        chapter_id=chapter.chapter_id,
        ordinal=chapter.ordinal,
        operations=(*meeting.operations, *tree.operations, *described),
        digest=after.digest,
    )


def remembered(inputs: SceneInputs, place: Place, present: tuple[CharacterId, ...]) -> Remembered:
    """Return a scene as the storylines above it remember it; `present` is who is in it."""
    scene = inputs.scene
    return Remembered(
        scene=scene.scene_id,
        place=place,
        dense=inputs.dense,
        characters=present,
        threads=scene.threads,
        title=short_title(scene.title),
        synopsis=clipped(scene.synopsis, SYNOPSIS_WORDS),
    )


def _grow(tree: Branches, scenes: Sequence[Remembered]) -> None:
    """Attach scenes that are placed together, in story order."""
    opened: dict[int, StorylineId] = {}
    for number, (scene, placement) in enumerate(zip(scenes, place(tree, scenes), strict=True)):
        if placement.opener == number and placement.thread is None:
            group = opening_group(tree, scene, placement.under)
            opened[number] = tree.open_thread(group)
            tree.attach(scene, opened[number])
            relieve(tree, group)
        else:
            home = leaf_of(tree, scene, placement.thread or opened[placement.opener])
            tree.attach(scene, home)
            relieve(tree, home)
        for thread in placement.touches:
            tree.touch(scene, thread)


def _describe_all(tree: Branches, cast: Cast) -> list[Describe]:
    """Describe what was opened, split or closed, and what has grown enough; each once."""
    for storyline in tree.changed():
        if (storyline.id in tree.undescribed or is_due(storyline)) and not storyline.closed:
            tree.describe(storyline)
            tree.put(replace(storyline, growth=0))
    return [
        describe(storyline, tree.beside(storyline), lambda id_: _name(cast, id_))
        for _, storyline in sorted(tree.undescribed.items())
    ]


def _name(cast: Cast, character: CharacterId) -> str:
    person = cast.people.get(character)
    names = person.names if person else ()
    return display_name(AliasRow(character, name, 0) for name in names)


def _after(state: FoldState, tree: Branches, cast: Cast, chapter: ChapterInputs) -> FoldState:
    if not chapter.scenes:
        return replace(state, cast=cast)
    storylines, digest = tree.result()
    recent = (*state.recent, (chapter.chapter_id, len(chapter.scenes)))[-RECENT:]
    return FoldState(
        work_id=state.work_id,
        root=tree.root.id,
        storylines=storylines,
        threads=tree.threads,
        recent=recent,
        cast=cast,
        tree_digest=digest,
    )
