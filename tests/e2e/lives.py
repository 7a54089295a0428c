"""A short life of a work: published, edited, moved, withdrawn, described."""

from __future__ import annotations

from contracts.events import (
    ChapterEvent,
    ChapterMoved,
    ChapterPublished,
    ChapterWithdrawn,
    NewPlace,
    WorkDescribed,
    WorkReordered,
)
from contracts.ids import WorkId
from contracts.ordinals import Ordinal
from contracts.ports import NewRecord
from contracts.topics import CHAPTERS
from streams.session import Home
from tests.e2e.homes import asked, chapters_of, exported, searched

W = WorkId("alice-in-wonderland")
_CHAPTERS = 4
QUESTION = "What did the Mouse say to Alice?"


def told(letters: int | None = None) -> list[ChapterPublished]:
    """Return the first chapters of the work, of each the beginning where that is enough."""
    return [
        chapter.model_copy(update={"body": chapter.body[:letters]})
        for chapter in chapters_of("books", W)[:_CHAPTERS]
    ]


async def live_a_little(home: Home, letters: int | None = None) -> None:
    """Publish the work and do everything to it that publishers do, until nothing waits."""
    await append_a_life(home, letters)
    await home.runner().run_until_idle()


async def append_a_life(home: Home, letters: int | None = None) -> None:
    """Append the events of a life to the log, all or none."""
    chapters = told(letters)
    first, second, third, *_, last = [chapter.chapter_id for chapter in chapters]
    edited = chapters[2].model_copy(update={"body": chapters[2].body + "\n\nSo it was, indeed."})
    events: list[ChapterEvent] = [
        WorkDescribed(work_id=W, title="Alice"),
        *chapters,
        edited,
        ChapterWithdrawn(work_id=W, chapter_id=last),
        ChapterMoved(work_id=W, chapter_id=second, ordinal=Ordinal.parse("1.5")),
        WorkReordered(
            work_id=W,
            chapters=(
                NewPlace(chapter_id=first, ordinal=Ordinal.parse(0)),
                NewPlace(chapter_id=third, ordinal=Ordinal.parse("2.5")),
            ),
        ),
    ]
    await home.log.append([NewRecord(CHAPTERS, W.encode(), event.to_json()) for event in events])


async def shown(home: Home) -> bytes:
    """Return what readers get: the export, as of two places, a search and an answer."""
    parts = [
        await exported(home, W),
        await exported(home, W, "2.5"),
        await searched(home, W, QUESTION, "4"),
        await asked(home, W, QUESTION, "2.5"),
    ]
    return b"\n".join(parts)
