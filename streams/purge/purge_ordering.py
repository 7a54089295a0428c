"""What a purge may take: what is withdrawn, and nothing that is still on its way."""

from __future__ import annotations

from collections.abc import Collection

from contracts import topics
from contracts.errors import StorygraftError
from contracts.ids import ChapterId, WorkId
from contracts.works import WorkRecord
from streams.logs.sqlite_log import SqliteEventLog
from streams.not_found import NotFound, not_found
from streams.purge.log_purging import LogPlan, log_plan
from streams.purge.purge_journal import PurgeOrder
from streams.session import Home


class PurgeRefused(StorygraftError):  # noqa: N818 - what is wrong, as a person would say it
    """What was to be purged must not be, or not yet; the text says what to do first."""


async def settled(home: Home, work_id: WorkId) -> WorkRecord:
    """Index what waits, so that nothing of the work is on its way, and return the work.

    Where workers index, something of it may wait for them.

    Raises:
        PurgeRefused: a stage is held, or events of the work wait.
        NotFound: nobody has heard of the work.
    """
    if not home.has_workers:
        await _index(home)
    await home.parking.refresh()
    parked = home.parking.work(work_id)
    if parked is not None and parked.waits:
        raise PurgeRefused(
            f"Work {work_id!r} is paused, and what waits of it would come back (events: "
            f"{len(parked.waits)}): run `storygraft resume {work_id}`, then purge again."
        )
    await home.finder.refresh()
    waiting = home.finder.waiting(work_id)
    if waiting:
        raise PurgeRefused(
            f"What waits of work {work_id!r} for a worker would come back (messages: {waiting}): "
            f"see with `storygraft status {work_id}` that nothing of it waits, then purge again."
        )
    work = await home.tree.load(work_id, home.generation)
    if work is None:
        raise NotFound(not_found(work_id, await home.tree.works(home.generation), home.settings))
    return work


async def _index(home: Home) -> None:
    run = await home.runner().run_until_idle()
    if run.held:
        reasons = "; ".join(f"{hold.stage}: {hold.reason}" for hold in run.held)
        raise PurgeRefused(
            f"Events wait to be indexed, and what they hold would come back ({reasons}): mend "
            "that, run `storygraft index`, then purge again."
        )


async def order_of(
    home: Home, work: WorkRecord, chapter_ids: Collection[ChapterId] | None
) -> PurgeOrder:
    """Return what is to be purged.

    Raises:
        PurgeRefused: it is not withdrawn.
    """
    withdrawn = {
        chapter.chapter_id
        for chapter in work.chapters
        if chapter.registers.presence is not None and not chapter.registers.present
    }
    named = None if chapter_ids is None else set(chapter_ids)
    order = PurgeOrder(
        work_id=work.work_id,
        chapter_ids=tuple(sorted(withdrawn if named is None else withdrawn & named)),
        earlier=None if named is None else tuple(sorted(named)),
        floor=work.floor,
        until=await home.log.end(topics.CHAPTERS),
    )
    if named is None:
        if not withdrawn and work.floor < 0:
            raise PurgeRefused(
                f"Nothing of work {work.work_id!r} is withdrawn: run `storygraft withdraw "
                f"{work.work_id}` with the chapters that are to go, then purge."
            )
        return order
    for chapter_id in sorted(named - withdrawn):
        await _check(home, work, order, chapter_id)
    return order


async def _check(home: Home, work: WorkRecord, order: PurgeOrder, chapter_id: ChapterId) -> None:
    """Refuse a chapter that is not withdrawn, unless only an earlier incarnation had it."""
    if any(chapter.chapter_id == chapter_id and chapter.in_story for chapter in work.chapters):
        raise PurgeRefused(
            f"Chapter {chapter_id!r} of work {work.work_id!r} is not withdrawn: run `storygraft "
            f"withdraw {work.work_id} {chapter_id}` first, then purge."
        )
    plan = await plan_of(home, order)
    if chapter_id not in plan.chapter_ids:
        raise PurgeRefused(
            f"Work {work.work_id!r} has no withdrawn chapter {chapter_id!r}: `storygraft status "
            f"{work.work_id}` shows what it has."
        )


async def plan_of(home: Home, order: PurgeOrder) -> LogPlan:
    """Return what is to be rewritten in the log, where the log is ours to rewrite."""
    if isinstance(home.log, SqliteEventLog):
        return await log_plan(home.log, await home.log.topics(), order)
    return LogPlan(chapter_ids=set(order.chapter_ids))
