"""Whether what is stored is sound: the log, the tree, and rows that agree with the graph."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Final

from contracts.errors import PermanentError
from contracts.ids import WorkId
from contracts.reports import DoctorReport, Finding, FindingKind, WorkFindings
from contracts.works import WorkRecord
from streams.doctor.checking_rows import row_findings
from streams.doctor.checking_tree import TreeCheck
from streams.doctor.history import History, histories, one_history
from streams.doctor.log_mending import log_faults
from streams.doctor.row_states import Waiting
from streams.not_found import NotFound, not_found
from streams.session import Home

_NOT_COMPARED: Final = (
    "What the Kafka log says was not compared with the graph: `storygraft doctor --work WORK` does "
    "that, for one work."
)
_ATTEMPTS: Final = 3  # a work that is written to while it is looked at is looked at again


async def check(home: Home, work_id: str | None = None) -> DoctorReport:
    """Return what is wrong with the log, and with every work or with one.

    Raises:
        NotFound: nobody has heard of the work.
        TransientError: a store is down.
        PermanentError: the settings make another index, so that nothing can be compared.
    """
    home.require_own_generation()
    past, log = await read_log(home, work_id)
    works = await home.tree.works(home.generation)
    heard = {name for name, history in (past or {}).items() if history.was_told_of()}
    names = sorted(heard | {work.work_id for work in works})
    if work_id is not None and work_id not in names:
        raise NotFound(not_found(work_id, works, home.settings))
    found = [
        WorkFindings(
            work_id=name,
            findings=await findings_of(home, name, history_of(past, name)),
        )
        for name in names
        if work_id in (None, name)
    ]
    unchecked = (_NOT_COMPARED,) if home.has_workers and work_id is None else ()
    return DoctorReport(works=tuple(found), log=log, unchecked=unchecked)


async def read_log(
    home: Home, work_id: str | None
) -> tuple[Mapping[WorkId, History] | None, tuple[Finding, ...]]:
    """Return what the log tells of works, and what is wrong with it.

    It tells None where it cannot be read. That of a Kafka cluster is read for one work only.

    Raises:
        TransientError: it cannot be read now.
    """
    if home.has_workers:
        # Its brokers check what they keep, and for all works it is too long to be read.
        return await _of_one(home, work_id), ()
    faults = await log_faults(home)
    try:
        return await histories(home.log, home.finder), faults
    except PermanentError as error:
        return None, faults or (Finding(kind=FindingKind.LOG_DAMAGED, text=str(error)),)


async def _of_one(home: Home, work_id: str | None) -> Mapping[WorkId, History] | None:
    if work_id is None:
        return None
    work = WorkId(work_id)
    return {work: await one_history(home.log, home.finder, work)}


async def unfinished(home: Home, work_id: WorkId, history: History | None) -> Waiting:
    """Return the positions of the work's events that still wait; None where nobody can tell."""
    if history is None and not home.has_workers:
        return None
    await home.finder.refresh()
    return home.finder.unfinished(work_id)


def history_of(past: Mapping[WorkId, History] | None, work_id: WorkId) -> History | None:
    """Return a work's history; None where the log cannot be read."""
    return None if past is None else past.get(work_id, History(work_id))


async def findings_of(home: Home, work_id: WorkId, history: History | None) -> tuple[Finding, ...]:
    """Return what is wrong with one work; `history` is None where the log cannot be read."""
    found: tuple[Finding, ...] = ()
    for _ in range(_ATTEMPTS):
        # In this order: a row that is linked in the meantime is not taken for a stray one.
        keys = await home.vectors.keys(work_id, home.generation)
        waiting = await unfinished(home, work_id, history)
        work = await home.tree.load(work_id, home.generation)
        found = tuple([each async for each in _findings(home, work_id, work, history)])
        found += tuple([each async for each in row_findings(home, work_id, work, keys, waiting)])
        if work == await home.tree.load(work_id, home.generation):
            break
    return found


async def _findings(
    home: Home, work_id: WorkId, work: WorkRecord | None, history: History | None
) -> AsyncIterator[Finding]:
    for finding in _unknown(work, history or History(work_id)):
        yield finding
    if work is None:
        return
    stored = await home.tree.inputs(work_id, work.generation)
    async for finding in TreeCheck(home.tree, home.ports.weights).findings(work, stored):
        yield finding


def _unknown(work: WorkRecord | None, history: History) -> Iterator[Finding]:
    """Find what the log says is indexed and the graph has not, or not to its last event."""
    last = history.last_events()
    if work is None:
        if history.was_told_of():
            yield Finding(
                kind=FindingKind.CHAPTER_LOST,
                text=f"the graph does not know the work, of which {len(last)} chapters are indexed",
            )
        return
    if work.floor < history.floor:
        yield Finding(
            kind=FindingKind.CHAPTER_LOST,
            text=f"the graph does not know that the work was withdrawn at {history.floor}",
        )
    known = {chapter.chapter_id: chapter.last_position for chapter in work.chapters}
    for chapter_id, position in sorted(last.items()):
        if known.get(chapter_id, -1) < position:
            what = "its last event" if chapter_id in known else "it at all"
            yield Finding(
                kind=FindingKind.CHAPTER_LOST,
                chapter_id=chapter_id,
                text=f"chapter {chapter_id!r} is indexed at {position}: the graph does not know "
                f"{what}",
            )
