"""Homes for end-to-end tests, and what a reader gets out of them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from contracts.events import ChapterEvent, ChapterPublished, chapter_event
from contracts.ordinals import Ordinal
from contracts.ports import NewRecord
from contracts.topics import CHAPTERS
from graph.exporting import export
from replay.evaluation.shared_data import shared_data
from streams.inprocess import RunReport
from streams.inputs.reading import read_input
from streams.inputs.values import ChapterInput, Naming
from streams.session import Home
from streams.settings import Settings


def in_memory(folder: Path) -> Settings:
    """Settings of a home that keeps everything in memory."""
    return Settings(home=folder, log="memory:", vectors="memory:", graph="memory:")


def embedded(folder: Path) -> Settings:
    """Settings of a home as a user gets it: SQLite, Milvus Lite, ArcadeDB."""
    return Settings(home=folder)


async def publish(home: Home, events: Iterable[ChapterEvent]) -> RunReport:
    """Append `events` to the log and run until there is nothing more to do."""
    records = [NewRecord(CHAPTERS, event.work_id.encode(), event.to_json()) for event in events]
    await home.log.append(records)
    return await home.runner().run_until_idle()


def chapters_of(folder: str, name: str) -> list[ChapterPublished]:
    """Return a book of the shared data as events, in story order."""
    given = read_input(shared_data(folder, f"{name}.json"), Naming())
    assert isinstance(given, ChapterInput)
    return list(given.chapters)


def event_of(fields: dict[str, object]) -> ChapterEvent:
    """Parse an event of the shared streams."""
    return chapter_event.validate_python(fields)


async def exported(home: Home, work: str, as_of: str | None = None, *, text: bool = True) -> bytes:
    """Return the export as of an ordinal, as its bytes."""
    view = await home.view(work, Ordinal.parse(as_of) if as_of is not None else None)
    return (await export(view, with_text=text)).to_json()


async def searched(home: Home, work: str, question: str, as_of: str, words: int = 400) -> bytes:
    """Return the bytes of a search as of an ordinal."""
    view = await home.view(work, Ordinal.parse(as_of))
    gaps = await home.gaps.as_of(view)
    return (await home.retriever.search(view, question, words, gaps)).to_json()


async def asked(home: Home, work: str, question: str, as_of: str) -> bytes:
    """Return the bytes of an answer as of an ordinal."""
    view = await home.view(work, Ordinal.parse(as_of))
    gaps = await home.gaps.as_of(view)
    return (await home.answerer.answer(view, question, 400, gaps)).to_json()
