"""The ways to find evidence that are compared at equal words: a new one is a new entry here."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

from contracts.ids import ChapterId
from contracts.ports import StoryView, TextEmbedder
from processors.lexicon import Lexicon
from processors.ranking import SentenceRanker
from processors.retriever import Retriever
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
WINDOWS: Final = ("windows of 100", "windows of 150")
_PARAGRAPH_WORDS: Final = 350

Shown = Callable[[str, int], Awaitable[Sequence[Evidence]]]
"""Returns what is shown for a question within so many words, best first."""


async def methods(
    indexed: IndexedBook, ranker: SentenceRanker, embedder: TextEmbedder
) -> Mapping[str, Shown]:
    """Return every way to search a book, by name; ours first."""
    book, view = indexed.book, await story_view(indexed)
    scenes = scene_units(book.chapters, await view.scenes())
    storylines = storyline_units(await view.snapshot())
    hundred, longer = (windows(book.chapters, size) for size in (100, 150))
    bodies = {ChapterId(each.chapter_id): each.body for each in book.chapters}

    async def ranked(units: Sequence[Unit], by: RankedBy = RankedBy.BOTH) -> Shown:
        index = await UnitIndex.of(units, bodies, book.language, embedder)

        async def shown(question: str, words: int) -> Sequence[Evidence]:
            return await index.best(question, words, by)

        return shown

    return {
        OURS: _ours(Retriever(embedder, Lexicon(), indexed.vectors, ranker), view),
        WINDOWS[0]: await ranked(hundred),
        WINDOWS[1]: await ranked(longer),
        "paragraphs": await ranked(merged_paragraphs(book.chapters, _PARAGRAPH_WORDS)),
        "whole scenes": await ranked(scenes),
        "dense only": await ranked(longer, RankedBy.MEANING),
        "lexical only": await ranked(longer, RankedBy.WORDS),
        "static": await ranked(scenes, RankedBy.MEANING),
        "collapsed": await ranked([*scenes, *storylines], RankedBy.MEANING),
    }


def _ours(retriever: Retriever, view: StoryView) -> Shown:
    async def shown(question: str, words: int) -> Sequence[Evidence]:
        result = await retriever.search(view, question, words)
        return [Evidence(each.chapter_id, each.start, each.end) for each in result.passages]

    return shown
