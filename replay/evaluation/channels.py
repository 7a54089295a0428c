"""What channels add to search: `python -m replay.evaluation.channels [BOOK …]`.

Evidence recall within 1,000 words, by kind of question, of four systems, each with weights fitted
on the ten other books: one that knows nothing of kinds of answers (no channel, and the ranking
without its clues of kinds, fitted anew), the ranking with these clues, the channels that weigh
signs beside it, and the sources too. The questions on counting, time and relations are pooled, with
a paired bootstrap over questions.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Final

from processors.channels.merging import Merger
from processors.channels.sources import all_sources
from processors.channels.weights import ChannelWeights
from processors.lexicon import Lexicon
from processors.retriever import Retriever
from processors.sif import SifEmbedder
from replay.evaluation.annotated import ENGLISH, Evidence, IndexedBook, index, load, share_held
from replay.evaluation.bootstrap import paired_gain
from replay.evaluation.fitting_channels import WORDS
from replay.evaluation.held_out_search import (
    held_out_channels,
    held_out_ranker,
    kindless_ranker,
)
from replay.evaluation.held_out_segmenter import held_out_segmenter
from replay.evaluation.search_lessons import story_view

POOLED: Final = ("counting", "relation", "time")
LOOKED_AT: Final = (
    "alice-in-wonderland",
    "sign-of-the-four",
    "the-awakening",
    "time-machine",
    "treasure-island",
    "wonderful-wizard-of-oz",
)
"""Books whose questions and evidence were looked at when channels were made."""


@dataclass(frozen=True, slots=True)
class Recalls:
    """A question's evidence recall in the four systems."""

    book: str
    kind: str
    kindless: float
    ranked: float
    signs: float
    whole: float


async def measure(name: str, weights: ChannelWeights) -> list[Recalls]:
    """Ask a book its questions four times."""
    embedder, book = SifEmbedder(), load(name)
    indexed = await index(book, held_out_segmenter(name, embedder), embedder)
    alone = Retriever(
        embedder, Lexicon(), indexed.vectors, kindless_ranker(name), Merger((), weights), ()
    )
    ranking = replace(alone, ranker=held_out_ranker(name))
    signs = replace(ranking, merging=Merger.of(weights))
    whole = replace(signs, sources=all_sources())
    found = [await _recalls(indexed, each) for each in (alone, ranking, signs, whole)]
    return [
        Recalls(name, asked.kind, *recalls)
        for asked, *recalls in zip(book.questions, *found, strict=True)
    ]


async def _recalls(indexed: IndexedBook, retriever: Retriever) -> list[float]:
    view = await story_view(indexed)
    recalls = []
    for asked in indexed.book.questions:
        result = await retriever.search(view, asked.question, WORDS)
        shown = [Evidence(each.chapter_id, each.start, each.end) for each in result.passages]
        recalls.append(share_held(asked.evidence, shown))
    return recalls


def _print(label: str, asked: Sequence[Recalls]) -> None:
    kindless = [each.kindless for each in asked]
    ranked = [each.ranked for each in asked]
    signs = [each.signs for each in asked]
    whole = [each.whole for each in asked]
    means = "".join(f"{fmean(each):9.3f}" for each in (kindless, ranked, signs, whole))
    gains = "   ".join(_gain(whole, each) for each in (kindless, ranked, signs))
    print(f"{label:30}{len(asked):5}{means}   {gains}", flush=True)


def _gain(ours: Sequence[float], theirs: Sequence[float]) -> str:
    gain, before = paired_gain(ours, theirs), fmean(theirs)
    share = f"{100 * gain.mean / before:+.1f}%" if before else "-"
    return f"{share:>7} ({gain.low:+.3f} to {gain.high:+.3f})"


def _of(asked: Iterable[Recalls], kinds: Sequence[str]) -> list[Recalls]:
    return [each for each in asked if each.kind in kinds]


async def main(names: Sequence[str]) -> None:
    """Measure books and print a table."""
    weights = held_out_channels()
    asked = [each for name in names for each in await measure(name, weights[name])]
    systems = "".join(f"{each:>9}" for each in ("kindless", "ranked", "signs", "whole"))
    print(f"{'':30}{'asked':>5}{systems}   gain of the whole over each other, with 95%")
    for kind in sorted({each.kind for each in asked}):
        _print(kind, _of(asked, [kind]))
    _print("counting, relation, time", _of(asked, POOLED))
    unseen = [each for each in _of(asked, POOLED) if each.book not in LOOKED_AT]
    if unseen:
        _print("the same, books not looked at", unseen)
    _print("the other kinds", [each for each in asked if each.kind not in POOLED])
    _print("all", asked)
    more = sum(each.whole > each.signs for each in asked)
    less = sum(each.whole < each.signs for each in asked)
    print(f"with sources beside signs {more} questions gain and {less} lose")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:] or ENGLISH))
