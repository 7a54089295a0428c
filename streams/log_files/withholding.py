"""What of the log must not be told again: the texts of chapters that are withdrawn.

A log that cannot be rewritten still holds what a purge removed everywhere else. An exported one
holds in its place what a purge writes: the publication keeps its place, its revision and its
ordinal, and says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import ValidationError

from contracts.events import ChapterPublished, ChapterPurged, chapter_event
from contracts.ids import ChapterId, WorkId
from contracts.ports import EventLog, Record
from contracts.topics import CHAPTERS
from streams.dead_letters import position_of
from streams.identity import PUBLISHED, guessed
from streams.logs.logged import logged_work
from streams.peeking import may_withdraw


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """What of one work is withdrawn: these chapters, and all that came before `floor`."""

    chapter_ids: frozenset[str]
    floor: int

    def takes(self, chapter_id: str | None, position: int) -> bool:
        """Say whether the text that was published at `position` is withdrawn."""
        return position < self.floor or chapter_id in self.chapter_ids


@dataclass(frozen=True, slots=True)
class Withholding:
    """What is withdrawn, by work."""

    works: Mapping[str, Withdrawn] = field(default_factory=dict)

    def __call__(self, record: Record) -> bytes | None:
        """Return what stands in the place of the record's value, None where that may stay."""
        key = (record.key or b"").decode("utf-8", errors="replace")
        if not self.works or record.value is None:
            return None
        try:
            event = chapter_event.validate_json(record.value)
        except ValidationError:
            return self._unfit(record, key)
        work = self.works.get(event.work_id)
        if work is None or not isinstance(event, ChapterPublished):
            return None
        if not work.takes(event.chapter_id, position_of(record)):
            return None
        return ChapterPurged(
            work_id=event.work_id,
            chapter_id=event.chapter_id,
            ordinal=event.ordinal,
            revision=event.revision,
        ).to_json()

    def _unfit(self, record: Record, key: str) -> bytes | None:
        """Judge what nobody can read by what it seems to be."""
        whose = guessed(record.value, record.key)
        work = self.works.get(whose.work_id or key)
        if work is None or whose.kind not in (PUBLISHED, None) or whose.chapter_id is None:
            return None
        if not work.takes(whose.chapter_id, position_of(record)):
            return None
        return ChapterPurged(
            work_id=WorkId(whose.work_id or key), chapter_id=ChapterId(whose.chapter_id)
        ).to_json()


async def withholding(log: EventLog) -> Withholding:
    """Read in `log` what is withdrawn; works of which something was are read whole, one by one.

    Raises:
        TransientError: the log cannot be used now.
    """
    touched: set[WorkId] = set()
    for partition, end in enumerate(await log.ends(CHAPTERS)):
        async for record in log.span(CHAPTERS, partition, 0, end):
            if may_withdraw(record):
                work_id = _withdrawn_work(record)
                if work_id is not None:
                    touched.add(work_id)
    return Withholding({work_id: await _withdrawn(log, work_id) for work_id in sorted(touched)})


def _withdrawn_work(record: Record) -> WorkId | None:
    try:
        event = chapter_event.validate_json(record.value or b"")
    except ValidationError:
        return None
    is_withdrawal = event.kind in ("chapter.withdrawn", "work.withdrawn")
    return event.work_id if is_withdrawal and record.key == event.work_id.encode() else None


async def _withdrawn(log: EventLog, work_id: WorkId) -> Withdrawn:
    work = await logged_work(log, work_id)
    gone = {
        chapter.chapter_id
        for chapter in work.chapters
        if chapter.registers.presence is not None and not chapter.registers.present
    }
    return Withdrawn(frozenset(gone), work.floor)
