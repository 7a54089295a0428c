"""The plot threads, and one of them scene by scene."""

from __future__ import annotations

from collections.abc import Sequence

from contracts.ids import StorylineId
from contracts.ordinals import Ordinal
from contracts.ports import BoundStory
from contracts.reports import ThreadLine, ThreadName, ThreadReport, ThreadsReport, ThreadState
from contracts.story_graph import Activity, StoryGraph, StoryPlace, Stretch, ThreadPlace
from contracts.tree import DescriptionRow, StorylineRow
from graph.state import RECENT
from graph.tree_reading import synopsis_now
from streams.not_found import Ambiguous, NotFound
from streams.reading.naming import SHOWN
from streams.reading.paging import Turn
from streams.reading.scenes import scene_lines


async def threads(view: BoundStory, turn: Turn[ThreadPlace]) -> ThreadsReport:
    """Return a page of the threads, oldest first."""

    async def read(graph: StoryGraph) -> ThreadsReport:
        found = await graph.threads(turn.one_more, turn.after)
        return ThreadsReport(
            work_id=graph.work_id,
            generation=graph.generation,
            as_of=graph.as_of,
            threads=await _lines(graph, found[: turn.limit]),
            next=turn.next(
                found, [ThreadPlace(row.from_ordinal, row.id) for row in found], graph.as_of
            ),
        )

    return await view.consult(read)


async def thread(view: BoundStory, prefix: str, turn: Turn[StoryPlace]) -> ThreadReport:
    """Return the storyline whose id begins with `prefix`, with a page of its scenes.

    Raises:
        NotFound: no storyline as of then, or (`Ambiguous`) several.
    """

    async def read(graph: StoryGraph) -> ThreadReport:
        row = await storyline(graph, prefix)
        (line,) = await _lines(graph, [row])
        wanted = Stretch(turn.one_more, of_thread=StorylineId(row.id), after=turn.after)
        found = await graph.stretch(wanted)
        return ThreadReport(
            work_id=graph.work_id,
            generation=graph.generation,
            as_of=graph.as_of,
            thread=line,
            scenes=await scene_lines(graph, found[: turn.limit]),
            next=turn.next(found, [each.place for each in found], graph.as_of),
        )

    return await view.consult(read)


async def storyline(graph: StoryGraph, prefix: str) -> StorylineRow:
    """Return the storyline whose id begins with `prefix`.

    Raises:
        NotFound: no storyline as of then, or (`Ambiguous`) several.
    """
    found = await graph.storylines(prefix.strip().casefold(), SHOWN + 1)
    if len(found) == 1:
        return found[0]
    if not found:
        raise NotFound(
            f"There is no thread {prefix!r} in {graph.work_id} as of {graph.as_of}; "
            "`storygraft threads` lists them."
        )
    titles = await titles_of(graph, [StorylineId(row.id) for row in found])
    shown = ", ".join(f"{each.id} ({each.title or 'untitled'})" for each in titles[:SHOWN])
    more = " and more" if len(found) > SHOWN else ""
    raise Ambiguous(f"Several threads begin with {prefix!r}: {shown}{more}; give more of the id.")


async def titles_of(graph: StoryGraph, ids: Sequence[StorylineId]) -> tuple[ThreadName, ...]:
    """Return storylines under their titles, in the order given."""
    described = await graph.descriptions(ids)
    return tuple(
        ThreadName(id=id_, title=described[id_].title if id_ in described else "") for id_ in ids
    )


async def _lines(graph: StoryGraph, rows: Sequence[StorylineRow]) -> tuple[ThreadLine, ...]:
    ids = [StorylineId(row.id) for row in rows]
    described = await graph.descriptions(ids)
    activity = await graph.activity(ids)
    recent = await graph.newest_ordinals(RECENT)
    return tuple(
        _line(row, described.get(id_), activity[id_], recent)
        for row, id_ in zip(rows, ids, strict=True)
    )


def _line(
    row: StorylineRow,
    described: DescriptionRow | None,
    activity: Activity,
    recent: Sequence[Ordinal],
) -> ThreadLine:
    told = [at for at in (activity.last, activity.last_touched) if at is not None]
    last = max(told, default=None)
    state = _state(activity.last, last, recent)
    return ThreadLine(
        id=StorylineId(row.id),
        title=described.title if described else "",
        synopsis=synopsis_now(described, activity.newest),
        from_ordinal=Ordinal(row.from_ordinal),
        last_ordinal=last,
        scenes=activity.scenes,
        touching=activity.touching,
        state=state,
        sleeping_since=None if state is ThreadState.OPEN else last,
    )


def _state(at_home: Ordinal | None, last: Ordinal | None, recent: Sequence[Ordinal]) -> ThreadState:
    """Say how a thread stands, whose last own scene is `at_home` and which is told until `last`."""
    if recent and last == recent[0]:
        return ThreadState.OPEN
    forgotten = len(recent) == RECENT and (at_home is None or at_home < recent[-1])
    return ThreadState.ENDED if forgotten else ThreadState.SLEEPING
