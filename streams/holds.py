"""Why a stage waits, kept in the log, so that `status` can say it after the process has ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from contracts.ports import EventLog, NewRecord
from contracts.reports import Hold
from streams.intakes import Intake
from streams.runner import Held

HOLDS: Final = "holds"


def hold_record(group: str, hold: Hold) -> NewRecord:
    """Return the record that tells of `hold`."""
    return NewRecord(HOLDS, group.encode(), hold.to_json())


def hold_of(held: Held) -> Hold:
    """Return what is told of a record that cannot be done now."""
    return Hold(
        stage=held.stage,
        source=held.record.topic,
        partition=held.record.partition,
        offset=held.record.offset,
        work_id=held.identity.work_id,
        chapter_id=held.identity.chapter_id,
        reason=held.reason,
    )


async def current_holds(log: EventLog, intakes: Sequence[Intake[Any]]) -> tuple[Hold, ...]:
    """Return the last hold of each stage, in each partition, that it has not got past since."""
    found: list[Hold] = []
    for intake in intakes:
        standing = await log.standing(intake.group, intake.source)
        found.extend(line.hold for line in standing if line.hold is not None)
        records = await log.read_key(HOLDS, intake.group.encode())
        told = [Hold.model_validate_json(record.value or b"") for record in records[-1:]]
        position = await log.position(intake.group, intake.source)
        found.extend(hold for hold in told if hold.offset >= position)
    return tuple(found)
