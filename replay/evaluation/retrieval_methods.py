"""The ways to find evidence that are compared at equal words: a new one is a new entry here."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

from contracts.ids import ChapterId
from contracts.ports import BoundStory
from processors.retriever import Retriever
from processors.selection import within_budget
from replay.evaluation.annotated import Evidence, IndexedBook
from replay.evaluation.search_lessons import story_view
from replay.evaluation.unit_index import RankedBy, UnitIndex
from replay.evaluation.units import (
    Unit,
    merged_paragraphs,
    scene_units,
    storyline_units,
    windows,
)

OURS: Final = "storygraft"
BY_SENTENCE: Final = "its sentences as ranked"
WINDOWS: Final = ("windows of 100", "windows of 150")
_PARAGRAPH_WORDS: Final = 350

Shown = Callable[[str, int], Awaitable[Sequence[Evidence]]]
"""Returns what is shown for a question within so many words, best first."""


async def methods(indexed: IndexedBook, retriever: Retriever) -> Mapping[str, Shown]:
    """Return every way to search a book, by name; ours, which is `retriever`, first."""
    book, view = indexed.book, await story_view(indexed)
    scenes = scene_units(book.chapters, await view.scenes())
    storylines = storyline_units(await view.snapshot())
    hundred, longer = (windows(book.chapters, size) for size in (100, 150))
    bodies = {ChapterId(each.chapter_id): each.body for each in book.chapters}

    async def indexed_units(units: Sequence[Unit]) -> UnitIndex:
        return await UnitIndex.of(units, bodies, book.language, retriever.embedder)

    short, long = await indexed_units(hundred), await indexed_units(longer)
    whole = await indexed_units(scenes)
    merged = await indexed_units(merged_paragraphs(book.chapters, _PARAGRAPH_WORDS))
    pooled = await indexed_units([*scenes, *storylines])
    return {
        OURS: _ours(retriever, view),
        BY_SENTENCE: _by_sentence(retriever, view),
        WINDOWS[0]: _units(short),
        WINDOWS[1]: _units(long),
        "paragraphs": _units(merged),
        "whole scenes": _units(whole),
        "dense only": _units(long, RankedBy.MEANING),
        "lexical only": _units(long, RankedBy.WORDS),
        "static": _units(whole, RankedBy.MEANING),
        "collapsed": _units(pooled, RankedBy.MEANING),
    }


def _units(index: UnitIndex, by: RankedBy = RankedBy.BOTH) -> Shown:
    orders: dict[str, list[int]] = {}  # every budget asks again

    async def shown(question: str, words: int) -> Sequence[Evidence]:
        if question not in orders:
            orders[question] = await index.ranked(question, by)
        return index.first_words(orders[question], words)

    return shown


def _ours(retriever: Retriever, view: BoundStory) -> Shown:
    async def shown(question: str, words: int) -> Sequence[Evidence]:
        result = await retriever.search(view, question, words)
        return [Evidence(each.chapter_id, each.start, each.end) for each in result.passages]

    return shown


def _by_sentence(retriever: Retriever, view: BoundStory) -> Shown:
    """Show the sentences that ours joins and groups by scene, one by one, best first."""

    async def shown(question: str, words: int) -> Sequence[Evidence]:
        reading, found = await retriever.find(view, question, words)
        chosen = within_budget(retriever.ranked(reading, found), words)
        return [Evidence(each.candidate.chapter_id, each.start, each.end) for each in chosen]

    return shown
