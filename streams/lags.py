"""How many records wait before each stage."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from contracts.ports import EventLog
from contracts.reports import PartitionLag, StageLag
from streams.intakes import Intake


async def waiting(log: EventLog, intakes: Iterable[Intake[Any]]) -> tuple[StageLag, ...]:
    """Return how many records each stage has before it."""
    lags: list[StageLag] = []
    for intake in intakes:
        standing = await log.standing(intake.group, intake.source)
        partitions = [
            PartitionLag(partition=line.partition, waiting=line.lag)
            for line in standing
            if line.lag
        ]
        lags.append(
            StageLag(
                stage=intake.name,
                source=intake.source,
                waiting=sum(line.waiting for line in partitions),
                partitions=tuple(partitions),
            )
        )
    return tuple(lags)
