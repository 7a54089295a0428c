"""Chapters and scenes in story order: who is there, in which thread, who is new, what comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from contracts.ids import ChapterId, CharacterId, SceneId, StorylineId
from contracts.ordinals import Ordinal
from contracts.ports import BoundStory
from contracts.reports import (
    ThreadName,
    TimelineChapter,
    TimelineReport,
    TimelineReveal,
    TimelineScene,
)
from contracts.requests import Timeline
from contracts.scenes import Scene
from contracts.story_graph import Belonging, PlacedScene, StoryGraph, StoryPlace, Stretch
from contracts.tree import IdentityRow
from streams.reading.naming import Names, called, names_of
from streams.reading.paging import Turn
from streams.reading.plots import storyline, titles_of


async def timeline(view: BoundStory, asked: Timeline, turn: Turn[StoryPlace]) -> TimelineReport:
    """Return a page of the timeline.

    Raises:
        NotFound: no such character or storyline as of then, or (`Ambiguous`) several.
    """

    async def read(graph: StoryGraph) -> TimelineReport:
        wanted = await _wanted(graph, asked, turn)
        found = await graph.stretch(wanted)
        page = found[: turn.limit]
        known = await _known(graph, page, await _revealed(graph, page, wanted))
        return TimelineReport(
            work_id=graph.work_id,
            generation=graph.generation,
            as_of=graph.as_of,
            chapters=tuple(
                _chapter(chapter_id, tuple(placed), known)
                for chapter_id, placed in groupby(page, key=lambda each: each.chapter_id)
            ),
            revealed=tuple(_reveal(row, known.names) for row in known.revealed),
            next=turn.next(found, [each.place for each in found], graph.as_of),
        )

    return await view.consult(read)


@dataclass(frozen=True, slots=True)
class _Known:
    """All that is told of the scenes of a page."""

    where: Mapping[SceneId, Belonging]
    first_seen: Mapping[CharacterId, SceneId]
    revealed: Sequence[IdentityRow]
    names: Names
    threads: Mapping[StorylineId, ThreadName]
    titles: Mapping[ChapterId, str]


async def _wanted(graph: StoryGraph, asked: Timeline, turn: Turn[StoryPlace]) -> Stretch:
    thread = None if asked.thread is None else await storyline(graph, asked.thread)
    return Stretch(
        turn.one_more,
        of_character=None if asked.character is None else await called(graph, asked.character),
        of_thread=None if thread is None else StorylineId(thread.id),
        first=asked.first,
        last=asked.last,
        after=turn.after,
    )


async def _revealed(
    graph: StoryGraph, page: Sequence[PlacedScene], wanted: Stretch
) -> tuple[IdentityRow, ...]:
    """Return what is revealed at the ordinals that begin on this page."""
    begun = {each.ordinal for each in page}
    if wanted.after is not None:
        begun.discard(Ordinal(wanted.after.ordinal))
    found = await graph.revealed(begun)
    if wanted.of_character is None:
        return found
    return tuple(r for r in found if wanted.of_character in (r.character, r.same_as))


async def _known(
    graph: StoryGraph, page: Sequence[PlacedScene], revealed: Sequence[IdentityRow]
) -> _Known:
    where = await graph.belonging([each.scene.scene_id for each in page if each.scene])
    people = {id_ for belonging in where.values() for id_ in belonging.characters}
    people |= {CharacterId(id_) for row in revealed for id_ in (row.character, row.same_as)}
    threads = {id_ for belonging in where.values() for id_ in (belonging.thread, *belonging.also)}
    named = await titles_of(graph, sorted(threads))
    return _Known(
        where=where,
        first_seen=await graph.first_seen({each.ordinal for each in page}),
        revealed=revealed,
        names=await names_of(graph, people),
        threads={each.id: each for each in named},
        titles=await graph.chapter_titles({each.chapter_id for each in page}),
    )


def _chapter(
    chapter_id: ChapterId, placed: Sequence[PlacedScene], known: _Known
) -> TimelineChapter:
    return TimelineChapter(
        chapter_id=chapter_id,
        ordinal=placed[0].ordinal,
        title=known.titles.get(chapter_id, ""),
        scenes=tuple(
            _scene(each.scene, known.where[each.scene.scene_id], known)
            for each in placed
            if each.scene is not None and each.scene.scene_id in known.where
        ),
    )


def _scene(scene: Scene, where: Belonging, known: _Known) -> TimelineScene:
    new = [id_ for id_ in where.characters if known.first_seen.get(id_) == scene.scene_id]
    return TimelineScene(
        scene_id=scene.scene_id,
        start=scene.start,
        end=scene.end,
        title=scene.title,
        synopsis=scene.synopsis,
        characters=tuple(sorted(map(known.names.name, where.characters))),
        first_seen=tuple(sorted(map(known.names.name, new))),
        thread=known.threads[where.thread],
        also=tuple(known.threads[id_] for id_ in where.also),
    )


def _reveal(row: IdentityRow, names: Names) -> TimelineReveal:
    return TimelineReveal(
        ordinal=Ordinal(row.from_ordinal),
        one=names.person(CharacterId(row.character)),
        other=names.person(CharacterId(row.same_as)),
    )
