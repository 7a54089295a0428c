"""What of an input is news: decided from the input and the work's state, both as values."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum

from contracts.events import (
    ChapterEvent,
    ChapterMoved,
    ChapterPublished,
    NewPlace,
    WorkDescribed,
    WorkReordered,
)
from contracts.ids import WorkId, content_hash
from contracts.works import ChapterRecord, WorkRecord
from streams.inputs.values import ChapterInput


class News(StrEnum):
    """What a chapter of the input is, next to what is indexed."""

    NEW = "new"
    CHANGED = "changed"
    MOVED = "moved"
    UNCHANGED = "unchanged"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The events that bring the index to the input's state, and how many chapters are what."""

    events: tuple[ChapterEvent, ...]
    new: int
    changed: int
    moved: int
    unchanged: int
    refused: int
    withdrawn: int
    missing: int


def compare(
    given: ChapterInput,
    work: WorkRecord | None,
    dead: Collection[bytes | None],
    *,
    republish: bool = False,
) -> Comparison:
    """Compare an input with the work as it is indexed.

    `dead` are the values of the work's dead letters: to send the same bytes again would only
    make another one. What the input does not hold stays as it is, and is counted as missing. What
    was withdrawn stays so, unless the input is to `republish` it.
    """
    known = {chapter.chapter_id: chapter for chapter in work.chapters} if work else {}
    sorted_out: dict[News, list[ChapterPublished]] = {news: [] for news in News}
    for chapter in given.chapters:
        news = _news(chapter, known.get(chapter.chapter_id))
        if news in (News.NEW, News.CHANGED) and chapter.to_json() in dead:
            news = News.REFUSED
        if not republish and _is_withdrawn(work, known.get(chapter.chapter_id)):
            news = News.WITHDRAWN
        sorted_out[news].append(chapter)
    texts = [*sorted_out[News.NEW], *sorted_out[News.CHANGED]]
    stays_away = _is_withdrawn(work, None) and not republish
    events = (
        *([] if stays_away else _description(given.described, work)),
        *_moves(given.described.work_id, sorted_out[News.MOVED]),
        *sorted(texts, key=lambda chapter: (chapter.ordinal, chapter.chapter_id)),
    )
    counts = {news.value: len(chapters) for news, chapters in sorted_out.items()}
    return Comparison(events, **counts, missing=_missing(given, work))


def _news(chapter: ChapterPublished, known: ChapterRecord | None) -> News:
    if known is None or not known.live:
        return News.NEW
    published = content_hash(chapter.format, chapter.language, chapter.title, chapter.body)
    if published != known.content_hash:
        return News.CHANGED
    return News.UNCHANGED if chapter.ordinal == known.place else News.MOVED


def _is_withdrawn(work: WorkRecord | None, chapter: ChapterRecord | None) -> bool:
    if work is None:
        return False
    if work.hidden_by is not None or (work.floor >= 0 and not work.story_chapters()):
        return True
    if chapter is None:
        return False
    told = chapter.registers.presence is not None and not chapter.registers.present
    return told or chapter.hidden_by is not None


def _description(given: WorkDescribed, work: WorkRecord | None) -> Iterable[WorkDescribed]:
    """Say anew what the work is called where the input knows better; keep what it does not say."""
    if work is None:
        return [given]
    described = given.model_copy(
        update={
            "title": given.title or work.title or None,
            "author": given.author or work.author or None,
            "language": given.language or work.language or None,
            "tags": given.tags or work.tags,
            # A revision once given ranks above events without one.
            "revision": work.described_at[0]
            if work.described_at and work.described_at[0] >= 0
            else None,
        }
    )
    now = (work.title or None, work.author or None, work.language or None, work.tags)
    said = (described.title, described.author, described.language, described.tags)
    return [] if now == said else [described]


def _moves(work_id: WorkId, moved: list[ChapterPublished]) -> Iterable[ChapterEvent]:
    places = tuple(NewPlace(chapter_id=c.chapter_id, ordinal=c.ordinal) for c in moved)
    if len(places) > 1:
        return [WorkReordered(work_id=work_id, chapters=places)]
    return [
        ChapterMoved(work_id=work_id, chapter_id=place.chapter_id, ordinal=place.ordinal)
        for place in places
    ]


def _missing(given: ChapterInput, work: WorkRecord | None) -> int:
    there = {str(chapter.chapter_id) for chapter in given.chapters}
    there |= {problem.chapter for problem in given.problems if problem.chapter is not None}
    live = work.live_chapters() if work else ()
    return sum(chapter.chapter_id not in there for chapter in live)
