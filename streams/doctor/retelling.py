"""Taking events from the log through the stages once more, under the positions they have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from contracts.errors import TransientError
from contracts.ports import NewRecord, Record
from contracts.topics import CHAPTERS
from streams.dead_letters import POSITION
from streams.inprocess import InProcessRunner
from streams.intakes import ANSWER
from streams.logs.sqlite_log import SqliteEventLog
from streams.session import Home


async def retell(home: Home, events: Mapping[int, Record]) -> tuple[str, ...]:
    """Index `events` (records of `chapters` by position) again; return why any could not be.

    They go through a log of their own, so the home's positions and topics stay as they are.
    What the index has already is not changed by it, and a model that is asked the same answers
    from the memo.

    Raises:
        TransientError: a store is down; the same call goes on from there.
    """
    log = SqliteEventLog(Path(":memory:"))
    # Not parked, should the work be paused: it is told what it was told before.
    path = [stage for stage in home.stages if stage.intake.name != ANSWER.name]
    stages = [replace(stage, parking=None) for stage in path]
    try:
        await log.append(_records(events))
        report = await InProcessRunner(log, stages).run_until_idle()
    finally:
        await log.close()
    if report.held:
        raise TransientError(f"{report.held[0].reason}; run the same command again then")
    return tuple(step.failure.reason for step in report.dead if step.failure is not None)


def _records(events: Mapping[int, Record]) -> Sequence[NewRecord]:
    return [
        NewRecord(CHAPTERS, record.key, record.value, ((POSITION, str(position).encode()),))
        for position, record in sorted(events.items())
    ]
