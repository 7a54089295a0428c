"""Works whose lives a log holds, dead letters among them; told from one log into another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from contracts.events import (
    ChapterEvent,
    ChapterMoved,
    ChapterPublished,
    ChapterWithdrawn,
    NewPlace,
    WorkReordered,
    WorkWithdrawn,
)
from contracts.ids import WorkId
from contracts.ordinals import Ordinal
from contracts.reports import Settled, SettledReport
from contracts.requests import LetterChoice, LettersAsked, Settling
from streams.demo_story import read_story
from streams.log_files.exporting import Selection, export_to
from streams.log_files.importing import import_from
from streams.operations import LETTERS, SETTLE
from streams.performing import perform
from streams.session import Home
from streams.stage import Stage
from streams.topology import topology
from tests.e2e.homes import exported

WORKS: Final = tuple(WorkId(f"retold-{n}") for n in range(3))
SMALL: Final = 3_000
"""A limit of bytes above which chapters die at first."""

_SHORT, _LONG = 1_400, 3_400


def lives() -> list[ChapterEvent]:
    """Edits, moves, withdrawals, a second incarnation; some chapters are too long at first."""
    story = read_story().given.chapters[:5]
    told: list[ChapterEvent] = []
    for work in WORKS:
        made = [_cut(chapter, work, _SHORT) for chapter in story]
        first, second, third, fourth, fifth = made
        told += [made[4], *made[:3]]
        told.append(_cut(story[0], work, _LONG))  # dies, and an edit comes after it
        told.append(_cut(story[3], work, _LONG))  # dies, and is all there is of its chapter
        told.append(_cut(story[0], work, _SHORT + 300))
        told.append(ChapterMoved(work_id=work, chapter_id=third.chapter_id, ordinal=_at("1.5")))
        told.append(ChapterWithdrawn(work_id=work, chapter_id=second.chapter_id))
        told.append(first.model_copy(update={"revision": 3, "title": "Told with a revision"}))
        told.append(fifth.model_copy(update={"revision": 2}))
        assert fourth.chapter_id == story[3].chapter_id
    told.append(WorkWithdrawn(work_id=WORKS[2]))
    told += [_cut(chapter, WORKS[2], _SHORT) for chapter in story[1:4]]
    places = [NewPlace(chapter_id=story[n].chapter_id, ordinal=_at(str(9 - n))) for n in (2, 3)]
    told.append(WorkReordered(work_id=WORKS[1], chapters=places))
    return told


def edit() -> ChapterEvent:
    """An event that is newer than all of them and says so by its place alone."""
    return _cut(read_story().given.chapters[3], WORKS[0], 1_000)


def stages(home: Home, max_body_bytes: int) -> Sequence[Stage[Any]]:
    """The stages of a home with a limit of their own."""
    return topology(replace(home.ports, max_body_bytes=max_body_bytes))


async def retry_all(home: Home) -> SettledReport:
    """Send every dead letter again."""
    everything = Settling(how=Settled.RETRIED, choice=LetterChoice())
    return await perform(home, SETTLE, everything)


async def open_letters(home: Home) -> int:
    """How many dead letters are open."""
    return len((await perform(home, LETTERS, LettersAsked())).letters)


async def all_exports(home: Home) -> dict[WorkId, bytes]:
    """The export of every work."""
    return {work: await exported(home, work) for work in WORKS}


async def carry(source: Home, target: Home, path: Path) -> int:
    """Carry the log of one home into that of another; return how many events that were."""
    await export_to(source.log, path, Selection())
    return (await import_from(target.log, path)).new


def _cut(chapter: ChapterPublished, work: WorkId, letters: int) -> ChapterPublished:
    return chapter.model_copy(update={"work_id": work, "body": chapter.body[:letters]})


def _at(place: str) -> Ordinal:
    return Ordinal.parse(place)
