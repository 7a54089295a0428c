"""Homes in memory, with the real stages."""

from __future__ import annotations

from pathlib import Path

from contracts.events import ChapterPublished, WorkDescribed
from contracts.ids import WorkId
from contracts.ordinals import Ordinal
from streams.inputs.values import ChapterInput
from streams.settings import Settings

IN_MEMORY = Settings(home=Path("nowhere"), log="memory:", vectors="memory:", graph="memory:")


def story(*chapters: ChapterPublished, work: str = "w") -> ChapterInput:
    return ChapterInput(WorkDescribed(work_id=WorkId(work), title="The Sea"), chapters)


def at(number: object) -> Ordinal:
    return Ordinal.parse(number)
