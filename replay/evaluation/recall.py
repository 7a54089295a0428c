"""How much of the evidence search returns: `python -m replay.evaluation.recall [BOOK …]`.

Evidence recall is the share of the gold evidence's code points inside the first W words that
are returned, averaged over questions. Books go through the real stages (default embedder, default
segmenter with weights not fitted on the book, stores in memory); fixed windows of 100 and 150
words, ranked by the same lexical and static vectors fused by reciprocal rank, are measured beside
them. Weights were chosen on tales and on the books in `CHOSEN_ON`; their mean is printed apart.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from statistics import fmean
from typing import Final

from contracts.ports import StoryView
from processors.lexicon import Lexicon
from processors.retriever import Retriever
from processors.sif import SifEmbedder
from replay.evaluation.annotated import (
    ENGLISH,
    AnnotatedBook,
    Evidence,
    IndexedBook,
    index,
    load,
    share_held,
)
from replay.evaluation.held_out_segmenter import held_out_segmenter
from replay.evaluation.windows import Windows

BUDGETS: Final = (500, 1_000, 2_000, 4_000)
CHOSEN_ON: Final = ("sign-of-the-four", "the-awakening", "time-machine", "wonderful-wizard-of-oz")
_WINDOWS: Final = (100, 150)

Shown = Callable[[str, int], Awaitable[Sequence[Evidence]]]
"""Returns what is shown for a question within so many words."""

Recalls = Mapping[str, tuple[float, ...]]
"""By method, the recall at each of `BUDGETS`."""


async def measure(book: AnnotatedBook) -> Recalls:
    """Measure the product and the windows on one book."""
    embedder = SifEmbedder()
    indexed = await index(book, held_out_segmenter(book.name, embedder), embedder)
    recalls = {"storygraft": await _recall(book, await _search(indexed, embedder))}
    for size in _WINDOWS:
        windows = await Windows.of(book, size, embedder)
        recalls[f"windows of {size}"] = await _recall(book, _best(windows, embedder))
    return recalls


async def _recall(book: AnnotatedBook, shown: Shown) -> tuple[float, ...]:
    recalls = []
    for words in BUDGETS:
        shares = [
            share_held(asked.evidence, await shown(asked.question, words))
            for asked in book.questions
        ]
        recalls.append(fmean(shares))
    return tuple(recalls)


async def _search(indexed: IndexedBook, embedder: SifEmbedder) -> Shown:
    retriever = Retriever(embedder, Lexicon(), indexed.vectors)
    view: StoryView | None = await indexed.tree.view(indexed.book.chapters[0].work_id, None)
    if view is None:
        raise RuntimeError(f"{indexed.book.name} was not indexed")

    async def shown(question: str, words: int) -> list[Evidence]:
        result = await retriever.search(view, question, words)
        return [Evidence(each.chapter_id, each.start, each.end) for each in result.passages]

    return shown


def _best(windows: Windows, embedder: SifEmbedder) -> Shown:
    async def shown(question: str, words: int) -> list[Evidence]:
        return await windows.best(question, words, embedder)

    return shown


def _mean(recalls: Sequence[Recalls]) -> Recalls:
    return {
        method: tuple(map(fmean, zip(*(each[method] for each in recalls), strict=True)))
        for method in recalls[0]
    }


def _print(name: str, recalls: Recalls) -> None:
    for method, values in recalls.items():
        print(f"{name:32}{method:16}" + "".join(f"{value:8.3f}" for value in values), flush=True)


async def main(names: Sequence[str]) -> None:
    """Measure books and print a table."""
    print(f"{'':48}" + "".join(f"{words:8}" for words in BUDGETS))
    measured = {}
    for name in names:
        measured[name] = await measure(load(name))
        _print(name, measured[name])
    unseen = [measured[name] for name in names if name not in CHOSEN_ON]
    _print("mean", _mean(list(measured.values())))
    if unseen:
        _print("mean of books not chosen on", _mean(unseen))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:] or ENGLISH))
