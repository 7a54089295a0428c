"""The fold: the tree of a work is a pure function of its chapters in story order.

`graft` decides where a chapter's scenes belong, looking only at the state that the chapters
before it left. It returns what it did as a record of operations, and the state after it. Grafting
costs the same however long the work is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from contracts.advice import Advised, PersonAdvice, SceneAdvice
from contracts.ids import CharacterId, StorylineId, WorkId
from contracts.tree import AliasRow, ChapterInputs, Describe, GraftRecord, SceneInputs
from graph.branches import Branches
from graph.characters import Cast, Meeting, display_name, meet
from graph.describing import SYNOPSIS_WORDS, clipped, describe, is_due, short_title
from graph.placement import TOGETHER, leaf_of, opening_group, place
from graph.placement_weights import WEIGHTS, Weights
from graph.splitting import end_sleepers, relieve
from graph.state import RECENT, FoldState, Place, Remembered

__all__ = ["Begun", "FoldState", "begin", "graft", "remembered", "start"]

FOLD_RULES: Final = 1
"""Rises with any change of who is who, where scenes go, what splits and how storylines are told,
weights and tables apart; part of the index version."""


def start(work_id: WorkId) -> FoldState:
    """Return the state before the first chapter of a work."""
    return FoldState(work_id)


@dataclass(frozen=True, slots=True)
class Begun:
    """A chapter whose names are known, and the tree that it will be grafted onto."""

    tree: Branches
    scenes: Sequence[Remembered]
    meeting: Meeting

    def name(self, character: CharacterId) -> str:
        """Return what a character is called."""
        person = self.meeting.cast.people.get(character)
        names = person.names if person else ()
        return display_name(AliasRow(character, name, 0) for name in names)


def begin(
    state: FoldState,
    chapter: ChapterInputs,
    weights: Weights = WEIGHTS,
    persons: Sequence[PersonAdvice] = (),
) -> Begun:
    """Recognise who is in a chapter, and who proves to be whom; end what it finds asleep."""
    meeting = meet(state.cast, state.work_id, chapter, persons)
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
    return Begun(tree, scenes, meeting)


def graft(
    state: FoldState,
    chapter: ChapterInputs,
    advised: Advised | None = None,
    *,
    weights: Weights = WEIGHTS,
) -> tuple[FoldState, GraftRecord]:
    """Graft one chapter onto the tree that the chapters before it, in story order, have left.

    Where somebody has `advised`, that is done.
    """
    advice = advised.advice if advised else None
    begun = begin(state, chapter, weights, advice.persons if advice else ())
    tree, meeting = begun.tree, begun.meeting
    growth = _Growth(tree, {each.number - 1: each for each in advice.scenes} if advice else {})
    for first in range(0, len(begun.scenes), TOGETHER):
        growth.take(begun.scenes[first : first + TOGETHER])
    described = _describe_all(tree, begun.name)
    after = _after(state, tree, meeting.cast, chapter)
    return after, GraftRecord(
        chapter_id=chapter.chapter_id,
        ordinal=chapter.ordinal,
        operations=(*meeting.operations, *tree.operations, *described),
        digest=after.digest,
        advice=advice,
        tokens=advised.tokens if advised else 0,
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


class _Growth:
    """Attaches a chapter's scenes; what advice lets one open, those after it find."""

    def __init__(self, tree: Branches, advice: Mapping[int, SceneAdvice]) -> None:
        self._tree, self._advice = tree, advice
        self._opened: dict[int, StorylineId] = {}

    def take(self, scenes: Sequence[Remembered]) -> None:
        """Attach scenes that are placed together, in story order."""
        tree, opened = self._tree, dict[int, StorylineId]()
        placements = place(tree, scenes, self._known())
        for number, (scene, placement) in enumerate(zip(scenes, placements, strict=True)):
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
            told = self._advice.get(scene.place.number)
            if told and told.opens is not None and placement.thread is None:
                self._opened.setdefault(told.opens, opened[placement.opener])

    def _known(self) -> Mapping[int, SceneAdvice]:
        """Return the advice, with the threads by their ids that it has opened already."""
        return {
            number: each.model_copy(update={"home": self._opened[each.opens], "opens": None})
            if each.opens in self._opened
            else each
            for number, each in self._advice.items()
        }


def _describe_all(tree: Branches, name: Callable[[CharacterId], str]) -> list[Describe]:
    """Describe what was opened, split or closed, and what has grown enough; each once."""
    for storyline in tree.changed():
        if (storyline.id in tree.undescribed or is_due(storyline)) and not storyline.closed:
            tree.describe(storyline)
            tree.put(replace(storyline, growth=0))
    return [
        describe(storyline, tree.beside(storyline), name)
        for _, storyline in sorted(tree.undescribed.items())
    ]


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
