"""Which scenes and persons of a chapter an adviser is asked about, and what it is shown.

A case is made of the tree as it stood before the chapter, and of the chapter: what is asked is as
much a function of the story as what is decided.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from contracts.advice import Advised
from contracts.ids import CharacterId, StorylineId
from contracts.placement import (
    MAX_SCENES_SHOWN,
    MAX_SYNOPSES_SHOWN,
    MAX_THREADS_SHOWN,
    AdviceScope,
    PlacementAdviser,
    PlacementCase,
    ShownScene,
    ShownThread,
)
from contracts.tree import ChapterInputs, StorylineKind
from graph import fold
from graph.branches import Branches
from graph.clusters import Bond
from graph.describing import describe
from graph.hidden_persons import hidden_persons, named_persons
from graph.placement import TOGETHER, choices
from graph.placement_weights import WEIGHTS, Weights
from graph.rarity import SCALE
from graph.state import Remembered, Storyline

_CLOSE: Final = 6 * SCALE
"""Scores so near to each other, in tenths of a log-odds, leave it open which is right."""

_MAX_CANDIDATES: Final = 4

ADVISING_RULES: Final = 1
"""Rises with any change of what an adviser is asked; part of the index version."""

_Candidates = Mapping[int, Sequence[StorylineId]]


@dataclass(frozen=True, slots=True)
class Advising:
    """Asks about the scenes of a chapter that are in its scope, and who hidden persons prove to be.

    In one question a chapter.
    """

    adviser: PlacementAdviser
    scope: AdviceScope = AdviceScope.CLOSE

    async def __call__(
        self, state: fold.FoldState, chapter: ChapterInputs, weights: Weights = WEIGHTS
    ) -> Advised | None:
        """Return what the adviser says; None where there was nothing to ask.

        Raises:
            TransientError, PermanentError: as the adviser raises them.
        """
        case = consider(state, chapter, self.scope, weights)
        return None if case is None else await self.adviser.advise(case)


def consider(
    state: fold.FoldState,
    chapter: ChapterInputs,
    scope: AdviceScope,
    weights: Weights = WEIGHTS,
) -> PlacementCase | None:
    """Return the case that `chapter` makes; None if no scene is in the scope and nobody hidden."""
    begun = fold.begin(state, chapter, weights)
    if not begun.scenes:
        return None
    tree, scenes = begun.tree, begun.scenes[:MAX_SCENES_SHOWN]
    candidates: dict[int, Sequence[StorylineId]] = {}
    for first in range(0, len(scenes), TOGETHER):
        candidates.update(_candidates(tree, scenes[first : first + TOGETHER], scope))
    cast = begun.meeting.cast
    named = named_persons(cast, begun.scenes, begun.name)
    hidden = hidden_persons(cast, state.storylines.values()) if named else ()
    if not candidates and not hidden:
        return None
    threads = _threads_to_show(tree, candidates)
    shown = {thread.id for thread in threads}
    return PlacementCase(
        work_id=state.work_id,
        chapter_id=chapter.chapter_id,
        threads=tuple(_shown_thread(tree, thread, begun.name) for thread in threads),
        scenes=tuple(
            _shown_scene(
                scene,
                [each for each in candidates.get(scene.place.number, ()) if each in shown],
                begun.name,
            )
            for scene in scenes
        ),
        hidden=hidden,
        named=named if hidden else (),
    )


def _candidates(tree: Branches, scenes: Sequence[Remembered], scope: AdviceScope) -> _Candidates:
    """Return, by number, the threads between which it is open where a scene belongs."""
    found = choices(tree, scenes)
    threshold = found.threshold(tree, len(scenes))
    candidates = {}
    for scene, bonds in zip(scenes, found.bonds, strict=True):
        near = _near(bonds)
        if near and (scope is AdviceScope.ALL or _is_close(bonds, near, threshold)):
            candidates[scene.place.number] = near
    return candidates


def _near(bonds: Mapping[StorylineId, Bond]) -> list[StorylineId]:
    """Return the thread that goes best with a scene, and those that come close to it."""
    ranked = sorted(bonds, key=lambda thread: (-bonds[thread].score, thread))
    near = [each for each in ranked if bonds[each].score > bonds[ranked[0]].score - _CLOSE]
    return near[:_MAX_CANDIDATES]


def _is_close(
    bonds: Mapping[StorylineId, Bond], near: Sequence[StorylineId], threshold: int
) -> bool:
    """Say whether the best thread barely fits, or barely not, or another comes close to it."""
    fit = bonds[near[0]].fit - threshold
    return abs(fit) < _CLOSE or (fit > 0 and len(near) > 1)


def _threads_to_show(tree: Branches, candidates: _Candidates) -> list[Storyline]:
    """Return the candidates, and as many of the threads told last as there is room for.

    If there are more candidates than that, those count that are a scene's likeliest.
    """
    likeliest = {near[0] for near in candidates.values()}
    wanted = {thread for near in candidates.values() for thread in near}
    threads = tree.in_play(StorylineKind.THREAD)
    chosen = sorted(
        threads, key=lambda each: (each.id in likeliest, each.id in wanted, each.window[-1].place)
    )
    return sorted(chosen[-MAX_THREADS_SHOWN:], key=lambda each: each.window[-1].place)


def _shown_thread(
    tree: Branches, thread: Storyline, name: Callable[[CharacterId], str]
) -> ShownThread:
    told = [scene.synopsis for scene in thread.window if scene.synopsis]
    chapters = {scene.place.chapter_id for scene in thread.window}
    return ShownThread(
        storyline=thread.id,
        title=describe(thread, tree.beside(thread), name).title,
        synopses=tuple(told[-MAX_SYNOPSES_SHOWN:]),
        drawn_on=tuple(sorted(chapters)),
    )


def _shown_scene(
    scene: Remembered, candidates: Sequence[StorylineId], name: Callable[[CharacterId], str]
) -> ShownScene:
    return ShownScene(
        number=scene.place.number + 1,
        title=scene.title,
        synopsis=scene.synopsis,
        characters=tuple(sorted({name(character) for character in scene.characters})),
        candidates=tuple(candidates),
    )
