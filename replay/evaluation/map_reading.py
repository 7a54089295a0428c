"""What reading the map is worth: `python -m replay.evaluation.map_reading [BOOK …]`.

A strong model's choices (`replay.evaluation.map_books`) stand for the model; all else is real: it
is shown the map, the scenes that it names are read, and what fits into W words is returned beside
what search finds. Evidence recall as in `replay.evaluation.recall`, on the annotators' scenes with
their synopses, on the same scenes with extracted ones, and on own scenes matched by span. No
weights of segmenter or search were fitted on the book. Search alone stands beside it. The last
columns are the most tokens that a prompt had in its map and after it, by a tokeniser of 32,000
tokens.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from contracts.chat import Chat, Sampling
from processors.one_line import one_line
from processors.retriever import Retriever
from processors.sif import SifEmbedder
from processors.walking.answering import WalkingAnswerer
from processors.walking.reader import ModelReader
from replay.evaluation.annotated import ENGLISH, AskedQuestion, Evidence, share_held
from replay.evaluation.held_out_search import held_out_retriever
from replay.evaluation.map_books import VARIANTS, MapBook, map_book
from replay.evaluation.scripted_reader import NamesScenes, ScriptedReader

BUDGETS: Final = (500, 1_000, 2_000, 4_000)
CONTEXT: Final = 32_768


@dataclass(frozen=True, slots=True)
class MapFigures:
    """Recall at each of `BUDGETS`, with the map and without; tokens of the largest prompt."""

    scenes: int
    read: tuple[float, ...]
    searched: tuple[float, ...]
    map_tokens: int
    other_tokens: int


async def choices(book: MapBook) -> NamesScenes:
    """Return the rule that names the chosen scenes by their numbers on the book's map."""
    outline = await book.view.outline()
    numbers = {scene.scene_id: number for number, scene in enumerate(outline.scenes, start=1)}
    named = zip(book.book.questions, book.picks, strict=True)
    return NamesScenes({one_line(q.question): [numbers[s] for s in picks] for q, picks in named})


def answerer(retriever: Retriever, chat: Chat | None) -> WalkingAnswerer:
    """Return what answers questions from what `retriever` finds, with `chat` for its model."""
    return WalkingAnswerer(retriever, ModelReader(chat, Sampling(), CONTEXT) if chat else None)


async def recalls(book: MapBook, answers: WalkingAnswerer) -> tuple[float, ...]:
    """Return the mean evidence recall of what is found within each of `BUDGETS`."""
    return tuple(
        [
            fmean([await share(book, answers, asked, words) for asked in book.book.questions])
            for words in BUDGETS
        ]
    )


async def share(book: MapBook, answers: WalkingAnswerer, asked: AskedQuestion, words: int) -> float:
    """Return how much of a question's evidence is found within so many words."""
    found = await answers.search(book.view, asked.question, words)
    shown = [Evidence(each.chapter_id, each.start, each.end) for each in found.passages]
    return share_held(asked.evidence, shown)


async def measure(name: str, variant: str, embedder: SifEmbedder) -> MapFigures:
    """Measure one book."""
    book = await map_book(name, variant, embedder)
    retriever = held_out_retriever(book.indexed, embedder)
    chat = ScriptedReader(await choices(book))
    read = await recalls(book, answerer(retriever, chat))
    return MapFigures(
        scenes=len((await book.view.outline()).scenes),
        read=read,
        searched=await recalls(book, answerer(retriever, None)),
        map_tokens=max(chat.map_tokens),
        other_tokens=max(chat.other_tokens),
    )


def _print(name: str, figures: Sequence[MapFigures]) -> None:
    read = map(fmean, zip(*(each.read for each in figures), strict=True))
    searched = map(fmean, zip(*(each.searched for each in figures), strict=True))
    shown = "".join(f"{value:7.3f}" for value in (*read, *searched))
    tokens = max(each.map_tokens for each in figures), max(each.other_tokens for each in figures)
    scenes = round(fmean(each.scenes for each in figures))
    print(f"{name:32}{scenes:7}{shown}{tokens[0]:8}{tokens[1]:7}", flush=True)


async def _report(names: Sequence[str]) -> None:
    embedder = SifEmbedder()
    columns = "".join(f"{words:7}" for words in (*BUDGETS, *BUDGETS))
    print(f"{'':39}{'map read':>28}{'search alone':>28}{'tokens':>15}")
    print(f"{'':32}{'scenes':>7}{columns}{'map':>8}{'rest':>7}")
    for variant in VARIANTS:
        print(variant)
        figures = []
        for name in names:
            figures.append(await measure(name, variant, embedder))
            _print(f"  {name}", figures[-1:])
        _print("  mean", figures)


if __name__ == "__main__":
    asyncio.run(_report(sys.argv[1:] or ENGLISH))
