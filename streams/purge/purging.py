"""Purge: no byte of a withdrawn chapter's text stays in the home.

The log's records are rewritten in place, the memo forgets, and graph and vectors are written
anew from what survives; then the fresh stores take the places of the old. A journal says how far
it is, so that whoever opens the home next ends what was begun.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

import structlog

from contracts.errors import PermanentError
from contracts.ids import ChapterId, Generation, WorkId
from contracts.reports import PurgedChapter, PurgeReport
from contracts.works import WorkRecord
from graph.arcade_command import RECORD_FILE
from graph.child_process import end_recorded
from graph.grafting_plan import linked_keys
from streams import adapters, wiring
from streams.doctor.checking import unfinished
from streams.doctor.row_states import stray_rows
from streams.home_lock import held
from streams.logs.sqlite_log import SqliteEventLog
from streams.logs.sqlite_memo import SqliteMemo
from streams.not_found import nothing_indexed
from streams.purge import purge_journal
from streams.purge.kafka_residue import kafka_residue
from streams.purge.log_purging import LogPlan
from streams.purge.purge_journal import Journal, Phase, PurgeOrder
from streams.purge.purge_ordering import order_of, plan_of, settled
from streams.purge.store_copying import copy_rows, copy_tree
from streams.purge.store_swapping import discard_fresh, fresh_place, swap
from streams.session import Home
from streams.settings import Settings

_log: Final = structlog.stdlib.get_logger()


class PurgePoint(StrEnum):
    """A moment of a purge between two effects."""

    ORDERED = "ordered"
    LOG_EMPTIED = "log_emptied"
    MEMO_EMPTIED = "memo_emptied"
    TREE_BUILT = "tree_built"
    BUILT = "built"
    SWAPPING = "swapping"
    SWAPPED = "swapped"


Reached = Callable[[PurgePoint], None]


def _go_on(point: PurgePoint) -> None:
    """Do nothing: nobody wants the process to end at `point`."""


@dataclass(frozen=True, slots=True)
class _Done:
    """What a purge came to before the stores were swapped."""

    log: LogPlan
    memo_entries: int
    works: int
    rows: int
    remains: tuple[str, ...]


async def purge(
    settings: Settings,
    work_id: WorkId,
    chapter_ids: Collection[ChapterId] | None = None,
    reached: Reached = _go_on,
) -> PurgeReport:
    """Remove all text of withdrawn chapters of a work from the home, which nobody may have open.

    With `chapter_ids` those chapters, which must be withdrawn; with None every withdrawn one,
    and all that was published before a withdrawal of the whole work. What waits in the log is
    indexed first. The import marks stay, so that importing the same events again adds nothing.

    Raises:
        PurgeRefused: a chapter is not withdrawn, or a stage is held; nothing was removed.
        NotFound: nobody has heard of the work.
        HomeInUse: another process has the home.
        TransientError: a store cannot be used now; the next opening of the home ends the purge.
        PermanentError: another generation is kept, which would keep the text too: nothing was
            removed. Or the copy of a store is not like it: log and memo are purged, the stores not.
    """
    if adapters.is_empty(settings):
        raise nothing_indexed(settings)
    with ExitStack() as stack:
        if adapters.lives_in_home(settings):
            stack.enter_context(held(settings.home))
        if purge_journal.unfinished_purge(settings):
            await finish(settings)
        async with wiring.opened(settings) as home:
            _refuse_two_generations(await _kept(home))
            work = await settled(home, work_id)
            order = await order_of(home, work, chapter_ids)
            purge_journal.write(settings, Journal(order=order))
            reached(PurgePoint.ORDERED)
            done = await _empty_and_build(home, order, reached)
            residue = await kafka_residue(home, order, work)
        _swap(settings, order, reached)
        return _report(order, work, done, residue)


async def _kept(home: Home) -> Sequence[Generation]:
    await home.generations.refresh()
    return [each.generation for each in home.generations.kept()]


def _refuse_two_generations(kept: Sequence[Generation]) -> None:
    if len(kept) > 1:
        raise PermanentError(
            f"The generations {', '.join(kept)} are kept, and a purge empties one: drop the others "
            "with `storygraft reindex drop`, then purge again."
        )


async def finish(settings: Settings, reached: Reached = _go_on) -> None:
    """End the purge that was cut off in this home; the caller holds it, and it is not open.

    Raises:
        TransientError: a store cannot be used now.
        PermanentError: the journal or a store cannot be used at all.
    """
    journal = purge_journal.read(settings)
    _log.info("purge_resumed", work_id=journal.order.work_id, phase=journal.phase.value)
    if journal.phase is Phase.EMPTYING:
        async with wiring.opened(settings) as home:
            await _empty_and_build(home, journal.order, reached)
    _swap(settings, journal.order, reached)


# --- removing -----------------------------------------------------------------------------------


async def _empty_and_build(home: Home, order: PurgeOrder, reached: Reached) -> _Done:
    """Empty log and memo, and build the fresh stores; done again, it comes to the same."""
    plan = await plan_of(home, order)
    if isinstance(home.log, SqliteEventLog):
        await home.log.rewrite(tuple(plan.rewrites.values()))
    reached(PurgePoint.LOG_EMPTIED)
    forgotten = await home.memo.forget(order.work_id, await _memo_chapters(home, order, plan))
    if isinstance(home.memo, SqliteMemo):
        await home.memo.scrub()
    reached(PurgePoint.MEMO_EMPTIED)
    try:
        works, rows = await _build(home, order, reached)
    except PermanentError:
        # No later attempt would do better: let the home be opened as it is.
        discard_fresh(_stores(home.settings))
        purge_journal.remove(home.settings)
        raise
    reached(PurgePoint.BUILT)
    return _Done(plan, forgotten, works, rows, _remains(home.settings, plan))


async def _memo_chapters(
    home: Home, order: PurgeOrder, plan: LogPlan
) -> Collection[ChapterId] | None:
    """Return whose entries go: all of a work of which nothing is left."""
    work = await home.tree.load(order.work_id, home.generation)
    if order.earlier is None and (work is None or not work.story_chapters()):
        return None
    return {*plan.chapter_ids, *order.chapter_ids}


async def _build(home: Home, order: PurgeOrder, reached: Reached) -> tuple[int, int]:
    """Build the stores that are embedded; of the others remove what nothing links."""
    settings = home.settings
    graph, vectors = adapters.graph_folder(settings), adapters.vector_folder(settings)
    if graph is not None:
        end_recorded(fresh_place(graph) / RECORD_FILE)  # a server that outlived who built before
    discard_fresh(_stores(settings))
    works = rows = 0
    async with AsyncExitStack() as stack:
        if graph is not None:
            beside = settings.model_copy(update={"graph": f"arcade:{fresh_place(graph)}"})
            works = await copy_tree(home.tree, await adapters.open_tree(beside, stack))
        reached(PurgePoint.TREE_BUILT)
        if vectors is None:
            await _delete_unlinked(home, order)
        else:
            beside = settings.model_copy(update={"vectors": f"milvus-lite:{fresh_place(vectors)}"})
            fresh = adapters.open_vectors(beside)
            stack.push_async_callback(fresh.close)
            rows = await copy_rows(home.tree, home.vectors, fresh)
    return works, rows


async def _delete_unlinked(home: Home, order: PurgeOrder) -> None:
    if home.has_workers:
        await _delete_strays(home, order.work_id)
        return
    for work in await home.tree.works(home.generation):
        there = await home.vectors.keys(work.work_id, work.generation)
        unlinked = there.difference(linked_keys(work, work.chapters))
        await home.vectors.delete(work.work_id, work.generation, unlinked)


async def _delete_strays(home: Home, work_id: WorkId) -> None:
    """Delete rows of the work that nothing links and that no worker is about to link."""
    keys = await home.vectors.keys(work_id, home.generation)
    waiting = await unfinished(home, work_id, None)
    work = await home.tree.load(work_id, home.generation)
    stray = await stray_rows(home, work_id, work, keys, waiting)
    await home.vectors.delete(work_id, home.generation, [row.key for row in stray])


def _swap(settings: Settings, order: PurgeOrder, reached: Reached) -> None:
    stores = _stores(settings)
    purge_journal.write(settings, Journal(order=order, phase=Phase.SWAPPING))
    reached(PurgePoint.SWAPPING)
    swap(stores)
    reached(PurgePoint.SWAPPED)
    purge_journal.remove(settings)


def _stores(settings: Settings) -> Sequence[Path]:
    """Return where the embedded stores lie."""
    places = (adapters.graph_folder(settings), adapters.vector_folder(settings))
    return [place for place in places if place is not None]


# --- what is told -------------------------------------------------------------------------------


def _remains(settings: Settings, plan: LogPlan) -> tuple[str, ...]:
    remains: list[str] = []
    if plan.nameless_letters:
        remains.append(
            f"{plan.nameless_letters} dead letters of the work name no chapter and stay: "
            "`storygraft dlq ls --settled` lists them, and purging the whole withdrawn work drops "
            "them"
        )
    remains += [
        f"{file} is a damaged log that was put aside, and may hold the text: delete it"
        for file in _damaged_logs(settings)
    ]
    if settings.graph.startswith(("bolt", "neo4j")) or settings.memo.startswith(("bolt", "neo4j")):
        remains.append(
            "the graph server has deleted the text, its files may hold it until the space is used "
            "again: copy the database with `neo4j-admin database copy`, and prune its "
            "transaction logs and backups"
        )
    if settings.vectors.startswith("http"):
        remains.append(
            "the Milvus server has deleted the rows, its segments hold them until they are "
            "compacted: compact the collection, and wait for its garbage collection"
        )
    return tuple(remains)


def _damaged_logs(settings: Settings) -> Sequence[Path]:
    log = adapters.log_file(settings)
    return sorted(log.parent.glob(f"{log.name}.damaged-*")) if log is not None else []


def _report(
    order: PurgeOrder, work: WorkRecord, done: _Done, residue: tuple[str, ...]
) -> PurgeReport:
    places = {chapter.chapter_id: chapter.place for chapter in work.chapters}
    ids = sorted({*done.log.chapter_ids, *order.chapter_ids})
    return PurgeReport(
        work_id=order.work_id,
        chapters=tuple(PurgedChapter(chapter_id=id_, ordinal=places.get(id_)) for id_ in ids),
        records=len(done.log.rewrites) - done.log.letters,
        answers=done.log.answers,
        dead_letters=done.log.letters,
        memo_entries=done.memo_entries,
        rows=done.rows,
        works=done.works,
        remains=(*done.remains, *residue),
    )
