"""What advice on placement can be worth: an adviser that knows the gold threads of each scene.

It stands for a model that reads well, and sees only what a model would be shown. Among the threads
it chooses the one most of whose remembered scenes share a gold thread with the scene; where that is
not half of them, the scene opens a thread, together with those of the chapter that have the same
gold threads.
"""

from __future__ import annotations

from collections.abc import Mapping

from contracts.advice import Advice, Advised, SceneAdvice
from contracts.ids import SceneId, StorylineId, WorkId
from contracts.placement import AdviceScope, PlacementCase
from contracts.tree import ChapterInputs, GraftRecord
from graph.advising import consider
from graph.fold import FoldState, graft, start
from graph.placement_weights import Weights
from replay.evaluation.thread_books import ThreadBook

_Gold = Mapping[SceneId, frozenset[str]]


def folded_with_advice(book: ThreadBook, weights: Weights, scope: AdviceScope) -> list[GraftRecord]:
    """Fold a book's chapters, the adviser being asked about the scenes in its scope."""
    scenes = [each.scene.scene_id for chapter in book.chapters for each in chapter.scenes]
    gold = {
        scene: frozenset(book.gold[label]) for scene, label in zip(scenes, book.labels, strict=True)
    }
    state, records = start(WorkId("evaluation")), []
    for chapter in book.chapters:
        case = consider(state, chapter, scope, weights)
        advised = _advised(case, chapter, state, gold) if case else None
        state, record = graft(state, chapter, advised, weights=weights)
        records.append(record)
    return records


def _advised(case: PlacementCase, chapter: ChapterInputs, state: FoldState, gold: _Gold) -> Advised:
    opened: dict[frozenset[str], int] = {}
    scenes = []
    for scene in case.close_calls:
        own = gold[chapter.scenes[scene.number - 1].scene.scene_id]
        shares = {each.storyline: _share(state, each.storyline, own, gold) for each in case.threads}
        best = max(shares, key=lambda thread: (shares[thread], thread))
        if shares[best] >= 0.5:
            scenes.append(SceneAdvice(number=scene.number, home=best))
        else:
            opens = opened.setdefault(own, len(opened) + 1)
            scenes.append(SceneAdvice(number=scene.number, home=None, opens=opens))
    return Advised(Advice(scenes=tuple(scenes)))


def _share(state: FoldState, thread: StorylineId, own: frozenset[str], gold: _Gold) -> float:
    window = state.storylines[thread].window
    return sum(not own.isdisjoint(gold[scene.scene]) for scene in window) / len(window)
