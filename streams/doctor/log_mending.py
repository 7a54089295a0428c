"""What is wrong with the event log as a whole, and how it is mended.

The index does not need the log to be read: a damaged one costs what nobody has indexed yet, and
the power to index again what the graph loses later.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from contracts.errors import PermanentError
from contracts.reports import Finding, FindingKind
from contracts.topics import CHAPTERS
from contracts.works import ChapterRecord, WorkRecord
from streams.logs.sqlite_log import SqliteEventLog
from streams.session import Home


async def log_faults(home: Home) -> tuple[Finding, ...]:
    """Return what is wrong with the log: what cannot be read, and events that it never had.

    Raises:
        TransientError: it cannot be looked at now.
    """
    try:
        told = await home.log.faults()
        end = await home.log.end(CHAPTERS)
    except PermanentError as error:
        return (_finding(str(error)),)
    found = [_finding(fault) for fault in told]
    last = newest_position(await home.tree.works(home.generation))
    if last >= end:
        found.append(
            _finding(
                f"the event log ends before {end}, and the graph knows of an event at {last}: what "
                "is published next would be taken for old"
            )
        )
    return tuple(found)


async def mend_log(home: Home) -> tuple[str, ...]:
    """Save what can be read of a damaged log, and have it go on above all that the graph knows.

    Raises:
        TransientError: there is no room for a new file.
        PermanentError: nothing can be read; the text says what to do.
    """
    log = home.log
    if not isinstance(log, SqliteEventLog):
        return ()
    done = []
    if await _is_damaged(log):
        saved = await log.salvaged()
        done.append(
            f"{saved.rows} rows of the event log are saved in a new file, {saved.holes} could not "
            f"be read; the damaged file is kept as {saved.kept}: delete it when nobody needs it"
        )
    last = newest_position(await home.tree.works(home.generation))
    if last >= await log.end(CHAPTERS):
        await log.reserve(CHAPTERS, last + 1)
        done.append(f"new events come after position {last}, the last one that the graph knows")
    return tuple(done)


def newest_position(works: Iterable[WorkRecord]) -> int:
    """Return the position of the newest event that the graph has heard of; -1 if of none."""
    return max((position for work in works for position in _positions(work)), default=-1)


def _positions(work: WorkRecord) -> Iterator[int]:
    yield work.floor
    if work.described_at is not None:
        yield work.described_at[1]
    for chapter in work.chapters:
        yield from _of_chapter(chapter)


def _of_chapter(chapter: ChapterRecord) -> Iterator[int]:
    yield from (chapter.last_position, chapter.row_position)
    registers = chapter.registers
    for token in (registers.text, registers.ordinal, registers.presence):
        if token is not None:
            yield token[1]


async def _is_damaged(log: SqliteEventLog) -> bool:
    try:
        return bool(await log.faults())
    except PermanentError:
        return True


def _finding(text: str) -> Finding:
    return Finding(kind=FindingKind.LOG_DAMAGED, text=text)
