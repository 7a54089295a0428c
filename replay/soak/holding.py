"""A partition of the graft that cannot go on, while those beside it do."""

from __future__ import annotations

import asyncio
from typing import Final

from contracts.ids import FIRST_GENERATION, WorkId
from contracts.messages import ChapterEmbedded, embedded_message
from contracts.ports import NewRecord
from contracts.topics import CHAPTERS
from streams.intakes import GRAFT
from streams.session import Home

_POSITION: Final = 10**9  # at which no row was ever written
_LOOK_S: Final = 0.05


async def hold(home: Home, work_id: WorkId) -> int:
    """Hold the partition of a work of which a chapter was embedded, and return which it is.

    By a chapter whose rows are nowhere: the graft waits for them.
    """
    intake, key = GRAFT.of_generation(FIRST_GENERATION), work_id.encode()
    *_, record = await home.log.read_key(intake.source, key)
    message = embedded_message.validate_json(record.value or b"")
    assert isinstance(message, ChapterEmbedded)  # noqa: S101 - only chapters are published
    changes = {"position": _POSITION, "content_hash": "of another text"}
    head = message.segmented.head.model_copy(update=changes)
    segmented = message.segmented.model_copy(update={"head": head})
    waits = message.model_copy(update={"segmented": segmented})
    await home.log.append([NewRecord(intake.source, key, waits.to_json())])
    while not await _is_held(home, record.partition):  # noqa: ASYNC110 - it is Kafka that knows
        await asyncio.sleep(_LOOK_S)
    return record.partition


async def _is_held(home: Home, partition: int) -> bool:
    intake = GRAFT.of_generation(FIRST_GENERATION)
    standing = await home.log.standing(intake.group, intake.source)
    return any(line.hold for line in standing if line.partition == partition)


async def partition_of(home: Home, work_id: WorkId) -> int:
    """Return the partition of a work of which something was published."""
    first, *_ = await home.log.read_key(CHAPTERS, work_id.encode())
    return first.partition
