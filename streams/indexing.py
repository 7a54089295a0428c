"""Indexing an input: what of it is new goes to the log, and through the stages.

Chapters are compared with what is indexed, so that doing it twice does no work; events are known
again by their place in their file.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from contracts.events import ChapterPublished
from contracts.ids import WorkId
from contracts.reports import IndexReport
from contracts.words import count_words
from streams import dead_letters
from streams.comparing import Comparison, compare
from streams.inprocess import RunReport
from streams.inputs.values import ChapterInput, EventInput
from streams.intakes import HIDE
from streams.lags import waiting
from streams.logs.batches import append_batches
from streams.logs.logged import logged_work
from streams.operating import dead_letter_line
from streams.operations import Watcher
from streams.publishing import append_events, record_of
from streams.runner import Step
from streams.session import Home


async def index(
    home: Home, given: ChapterInput | EventInput, watcher: Watcher, *, republish: bool = False
) -> IndexReport:
    """Index `given`, with all that waits in the log before it, and say what was done.

    What is held is in the report: the same call again, later, goes on from there.

    Raises:
        UnusableInput: an event file cannot be read to its end.
        TransientError: the log or the graph cannot be used now.
        PermanentError: they cannot be used at all.
    """
    if isinstance(given, EventInput):
        return await _index_events(home, given, watcher)
    return await _index_chapters(home, given, watcher, republish)


async def _index_chapters(
    home: Home, given: ChapterInput, watcher: Watcher, republish: bool
) -> IndexReport:
    work_id = given.described.work_id
    before = await run(home, watcher)  # what waits belongs to the state that is compared with
    report = IndexReport(
        works=(work_id,),
        unit="chapters",
        problems=tuple(map(str, given.problems)),
        notes=given.notes,
        resumed=dict(before.done).get("graft", 0),
        held=before.held,
    )
    if before.held:
        return _with_dead(report, before)
    found = await news(home, given, republish=republish)
    await append_batches(home.log, map(record_of, found.events))
    after = await run(home, watcher)
    counted = report.model_copy(
        update={
            "new": found.new,
            "changed": found.changed,
            "moved": found.moved,
            "unchanged": found.unchanged,
            "refused": found.refused,
            "withdrawn": found.withdrawn,
            "missing": found.missing,
            "held": after.held,
            "notes": (*report.notes, *await _paused(home, (work_id,))),
        }
    )
    return _with_dead(counted, before, after)


async def news(home: Home, given: ChapterInput, *, republish: bool) -> Comparison:
    """Compare chapters with what is indexed, and with what could not be.

    Raises:
        TransientError: the log or the graph cannot be used now.
    """
    work_id = given.described.work_id
    await home.parking.refresh()
    parked = home.parking.work(work_id)
    # What waits while the work is paused is no news either.
    waits = parked is not None and parked.is_aside
    work = await (
        logged_work(home.log, work_id) if waits else home.tree.load(work_id, home.generation)
    )
    letters = await dead_letters.of_work(home.log, work_id, home.generation)
    dead = {letter.value for letter in letters}
    return compare(given, work, dead, republish=republish)


async def _index_events(home: Home, given: EventInput, watcher: Watcher) -> IndexReport:
    new, lines, works = await append_events(home.log, given)
    done = await run(home, watcher)
    report = IndexReport(
        works=works,
        unit="events",
        new=new,
        unchanged=lines - new,
        held=done.held,
        notes=await _paused(home, works),
    )
    return _with_dead(report, done)


async def run(home: Home, watcher: Watcher) -> RunReport:
    """Take all that waits through the stages. Raises as `Home.runner` and what it returns."""
    lags = await waiting(home.log, home.intakes)
    # What the stage that looks ahead passes over is no work.
    watcher.begin(sum(lag.waiting for lag in lags if lag.stage != HIDE.name))
    return await home.runner(partial(_tell, watcher)).run_until_idle()


def _tell(watcher: Watcher, step: Step) -> None:
    if step.stage == HIDE.name:
        return
    text = step.message.body if isinstance(step.message, ChapterPublished) else ""
    watcher.passed(step.stage, count_words(text))


async def _paused(home: Home, works: Collection[WorkId]) -> tuple[str, ...]:
    """Say of each of the works that is paused how much of it waits."""
    await home.parking.refresh()
    return tuple(
        f"{work.work_id} is paused; events that wait until `storygraft resume {work.work_id}`: "
        f"{len(work.waits)}." + (f" It is paused since {work.reason}." if work.reason else "")
        for work in home.parking.aside()
        if work.paused and work.work_id in works
    )


def _with_dead(report: IndexReport, *runs: RunReport) -> IndexReport:
    dead = tuple(
        dead_letter_line(
            step.record.topic, step.record.offset, step.stage, step.failure, step.identity
        )
        for run in runs
        for step in run.dead
        if step.failure is not None
    )
    return report.model_copy(update={"dead_letters": dead})
