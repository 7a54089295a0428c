"""Indexing an input: what of it is new goes to the log, and through the stages.

Chapters are compared with what is indexed, so that doing it twice does no work; events are known
again by their place in their file.
"""

from __future__ import annotations

from typing import Protocol

from contracts.ids import FIRST_GENERATION, Generation, WorkId
from contracts.ports import NewRecord
from contracts.reports import IndexReport
from contracts.topics import CHAPTERS
from streams import dead_letters
from streams.comparing import compare
from streams.inprocess import RunReport
from streams.inputs.json_lines import read_lines
from streams.inputs.values import ChapterInput, EventInput, UnusableInput
from streams.operating import dead_letter_line, waiting
from streams.runner import Step
from streams.session import Home


class Watcher(Protocol):
    """Whoever wants to see how far it is."""

    def begin(self, total: int) -> None:
        """Work on `total` records begins; called again when there are more."""

    def step(self, step: Step) -> None:
        """A stage is done with a record."""


async def index(home: Home, given: ChapterInput | EventInput, watcher: Watcher) -> IndexReport:
    """Index `given`, with all that waits in the log before it, and say what was done.

    What is held is in the report: the same call again, later, goes on from there.

    Raises:
        UnusableInput: an event file cannot be read to its end.
        TransientError: the log or the graph cannot be used now.
        PermanentError: they cannot be used at all.
    """
    if isinstance(given, EventInput):
        return await _index_events(home, given, watcher)
    return await _index_chapters(home, given, watcher)


async def _index_chapters(home: Home, given: ChapterInput, watcher: Watcher) -> IndexReport:
    work_id = given.described.work_id
    before = await _run(home, watcher)  # what waits belongs to the state that is compared with
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
    work = await home.tree.load(work_id)
    generation = Generation(work.generation) if work else FIRST_GENERATION
    letters = await dead_letters.of_work(home.log, work_id, generation)
    found = compare(given, work, {letter.value for letter in letters})
    key = work_id.encode()
    await home.log.append([NewRecord(CHAPTERS, key, e.to_json()) for e in found.events])
    after = await _run(home, watcher)
    counted = report.model_copy(
        update={
            "new": found.new,
            "changed": found.changed,
            "moved": found.moved,
            "unchanged": found.unchanged,
            "refused": found.refused,
            "missing": found.missing,
            "held": after.held,
        }
    )
    return _with_dead(counted, before, after)


async def _index_events(home: Home, given: EventInput, watcher: Watcher) -> IndexReport:
    new = known = 0
    works: set[WorkId] = set()
    try:
        for line in read_lines(given.path):
            key = None if line.work_id is None else line.work_id.encode()
            # One line an append: each has a source of its own, and a graft costs far more.
            record = NewRecord(CHAPTERS, key, line.value)
            appended = await home.log.append([record], source=line.source)
            new, known = new + appended, known + 1 - appended
            if line.work_id is not None:
                works.add(WorkId(line.work_id))
    except OSError as error:
        raise UnusableInput(f"{given.path} cannot be read: {error.strerror}.") from error
    run = await _run(home, watcher)
    report = IndexReport(
        works=tuple(sorted(works)), unit="events", new=new, unchanged=known, held=run.held
    )
    return _with_dead(report, run)


async def _run(home: Home, watcher: Watcher) -> RunReport:
    lags = await waiting(home.log, home.intakes)
    watcher.begin(sum(lag.waiting for lag in lags))
    return await home.runner(watcher.step).run_until_idle()


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
