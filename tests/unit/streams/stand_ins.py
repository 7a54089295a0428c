"""A tiny path of three stages over the real messages, and a clock that stands still."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from contracts.errors import PermanentError, TransientError
from contracts.events import ChapterEvent, ChapterPublished
from contracts.frozen import Frozen
from contracts.ids import FIRST_GENERATION, ChapterId, WorkId, content_hash
from contracts.messages import (
    ChapterEmbedded,
    ChapterGrafted,
    ChapterHead,
    ChapterSegmented,
    EventPassed,
    Outcome,
)
from contracts.ordinals import Ordinal
from contracts.ports import NewRecord
from contracts.topics import CHAPTERS, EMBEDDED, GRAFTS, SCENES
from streams.identity import identity_of
from streams.intakes import EMBED, GRAFT, SEGMENT
from streams.logs.sqlite_log import SqliteEventLog
from streams.parking import ParkingLot
from streams.stage import BatchLimits, Stage, batched, each, each_with_position, of_generation

NOW_MS = 1_700_000_000_000


def now_ms() -> int:
    return NOW_MS


def published(
    chapter: str, body: str = "It rained.", work: str = "w", **more: Any
) -> ChapterPublished:
    ordinal = more.pop("ordinal", chapter)
    return ChapterPublished(
        work_id=WorkId(work),
        chapter_id=ChapterId(chapter),
        ordinal=Ordinal.parse(ordinal),
        body=body,
        **more,
    )


def as_record(event: ChapterEvent) -> NewRecord:
    return NewRecord(CHAPTERS, event.work_id.encode(), event.to_json())


def head_of(event: ChapterPublished, position: int) -> ChapterHead:
    return ChapterHead(
        work_id=event.work_id,
        chapter_id=event.chapter_id,
        ordinal=event.ordinal,
        revision=event.revision,
        position=position,
        title=event.title,
        format=event.format,
        content_hash=content_hash(event.format, event.language, event.title, event.body),
    )


async def segment(event: ChapterEvent, position: int) -> ChapterSegmented | EventPassed:
    if not isinstance(event, ChapterPublished):
        return EventPassed(position=position, event=event)
    if "poison" in event.body:
        raise PermanentError("this chapter cannot be read")
    return ChapterSegmented(
        head=head_of(event, position),
        language="en",
        text=event.body,
        sentences=(),
        scenes=(),
        segmenter="stand-in",
    )


async def embed(message: ChapterSegmented | EventPassed) -> ChapterEmbedded | EventPassed:
    if isinstance(message, EventPassed):
        return message
    return ChapterEmbedded(segmented=message, items=(), passages=0, term_counts={})


@dataclass
class StandInTree:
    """Keeps each chapter's newest text by position, as the real one does."""

    chapters: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)
    batches: list[int] = field(default_factory=list)
    works: list[set[str | None]] = field(default_factory=list)
    down: bool = False
    bug: bool = False
    refuses: str = "no such chapter"

    async def graft(self, batch: Sequence[ChapterEmbedded | EventPassed]) -> Sequence[Frozen]:
        if self.down:
            raise TransientError("the graph is down")
        self.batches.append(len(batch))
        self.works.append({identity_of(message).work_id for message in batch})
        if any(identity_of(message).chapter_id == self.refuses for message in batch):
            raise KeyError("a secret of the story") if self.bug else PermanentError("refused")
        return [self._grafted(message) for message in batch]

    def _grafted(self, message: ChapterEmbedded | EventPassed) -> ChapterGrafted:
        identity = identity_of(message)
        position = identity.position if identity.position is not None else -1
        if isinstance(message, ChapterEmbedded):
            head = message.segmented.head
            key = (head.work_id, head.chapter_id)
            self.chapters[key] = max(
                self.chapters.get(key, (-1, "")), (position, message.segmented.text)
            )
        return ChapterGrafted(
            work_id=WorkId(identity.work_id or ""),
            position=position,
            outcome=Outcome.INDEXED,
            commit_seq=len(self.batches),
        )


def path_to(tree: StandInTree, parking: ParkingLot | None = None) -> tuple[Stage[Any], ...]:
    rows: tuple[Stage[Any], ...] = (
        Stage(SEGMENT, each_with_position(segment), SCENES, parking=parking),
        Stage(EMBED, each(embed), EMBEDDED),
        Stage(GRAFT, batched(tree.graft), GRAFTS, BatchLimits(512)),
    )
    return tuple(of_generation(row, FIRST_GENERATION) for row in rows)


@asynccontextmanager
async def opened_log(path: Path) -> AsyncIterator[SqliteEventLog]:
    log = SqliteEventLog(path / "events.sqlite", now_ms)
    try:
        yield log
    finally:
        await log.close()
