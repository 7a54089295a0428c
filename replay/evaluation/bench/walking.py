"""How long the rounds of a walk take: `python -m replay.evaluation.bench.walking [--chapters N]`.

On a work of 100,000 rows (`vast_work`), by default, in exact stores in memory: a bare hybrid query
(by words and by meaning, over passages and scenes, fused into ranked passages of which nothing is
read) and its four vector searches alone; `search`; then walks without a model and with one in whose
place a rule answers at once, so that what is measured is ours. Each question is put to all in turn,
and no passage that was read for one is remembered for the next. Exits with 1 if a round's p95 is
twice that of the bare query or more; beside that stands what it is of the four searches.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import re
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Final

from contracts.budgets import USUAL
from contracts.chat import Sampling
from contracts.works import story_order
from processors.extracts import passages_for
from processors.fusion import fuse
from processors.lexicon import Lexicon
from processors.passage_reading import read_passage
from processors.questions import analyse
from processors.retriever import Retriever
from processors.searching import Searcher
from processors.sif import SifEmbedder
from processors.walking.answering import WalkingAnswerer
from processors.walking.meter import Meter
from processors.walking.reader import ModelReader
from processors.walking.strategies import ADAPTIVE
from processors.walking.walk import Question, Walker
from replay.evaluation.bench import tables
from replay.evaluation.bench.figures import percentile
from replay.evaluation.bench.vast_work import VastWork, vast_work
from replay.evaluation.scripted_reader import ScriptedReader

MOST_TIMES_THE_QUERY: Final = 2.0
WORDS: Final = 1_000
_HITS: Final = 400
_CONTEXT: Final = 32_768
_NUMBER: Final = re.compile(r"^(\d+) \[", re.MULTILINE)
_NAME: Final = re.compile(r"^([gta]\d+) ", re.MULTILINE)


def _curious(purpose: str, shown: str) -> Mapping[str, object]:
    """Name scenes and open storylines as long as it may; search for something else each time."""
    if purpose == "walk_conclude":
        return {}
    numbers = [int(number) for number in _NUMBER.findall(shown)]
    opens = _NAME.findall(shown)[len(numbers) % 7 :][:1]
    return {"scenes": numbers[-3:], "open": opens, "query": f"{shown[-200:-190]} {len(shown)}"}


async def _search(work: VastWork, retriever: Retriever, question: str) -> float:
    """Return how long `search` takes: a hybrid query and all that is read of what it finds."""
    read_passage.cache_clear()
    started = time.perf_counter()
    await retriever.search(work.view, question, WORDS)
    return time.perf_counter() - started


async def _hybrid(work: VastWork, retriever: Retriever, question: str) -> tuple[float, float]:
    """Return how long the vector searches of a bare hybrid query take, and all of it."""
    started = time.perf_counter()
    chapters = await work.view.chapters()
    terms = analyse(question, "en").terms
    sparse = retriever.lexicon.query(terms, await work.view.passage_counts(terms), "en")
    (dense,) = await retriever.embedder.embed([question], "en")
    asked = time.perf_counter()
    hits = await Searcher(work.vectors, work.view, chapters, _HITS).search(sparse, dense)
    answered = time.perf_counter()
    fuse(hits, story_order(chapters), passages_for(WORDS))
    return answered - asked, time.perf_counter() - started


async def _round(walker: Walker, work: VastWork, question: str) -> float:
    """Return how long a round of a walk takes, on average over its rounds."""
    read_passage.cache_clear()
    meter = Meter(USUAL, time.monotonic)
    started = time.perf_counter()
    await walker.walk(work.view, Question(question, WORDS, USUAL, ADAPTIVE), meter)
    return (time.perf_counter() - started) / meter.rounds


async def main(arguments: Sequence[str]) -> int:
    """Measure, print and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m replay.evaluation.bench.walking")
    parser.add_argument("--chapters", type=int, default=2_000, help="of 50 rows each")
    parser.add_argument("--questions", type=int, default=40)
    told = parser.parse_args(arguments)
    work = await vast_work(told.chapters, told.questions + 2)
    gc.freeze()  # else the collector walks through all of it now and then, as in no service
    retriever = Retriever(SifEmbedder(), Lexicon(), work.vectors)
    answers = WalkingAnswerer(retriever)
    reader = ModelReader(ScriptedReader(_curious, count=False), Sampling(), _CONTEXT)
    walkers = {
        "walk without a model, a round": Walker(retriever, answers.maps, None),
        "walk with a model, a round": Walker(retriever, answers.maps, reader),
    }
    names = ("its four vector searches", "bare hybrid query", "search", *walkers)
    seconds: dict[str, list[float]] = {name: [] for name in names}
    for number, question in enumerate(work.questions):
        times = [
            *await _hybrid(work, retriever, question),
            await _search(work, retriever, question),
        ]
        times += [await _round(walker, work, question) for walker in walkers.values()]
        if number > 1:  # the first ones lay out rows and map
            for name, each in zip(seconds, times, strict=True):
                seconds[name].append(each)
    print(f"{work.rows:,} rows, {work.scenes:,} scenes, {told.questions} questions")
    for name, taken in seconds.items():
        print(f"{name:32} p50 {percentile(taken, 0.5):.3f} s, p95 {percentile(taken, 0.95):.3f} s")
    searches, bare, _, *rounds = (percentile(taken, 0.95) for taken in seconds.values())
    for name, p95 in zip(walkers, rounds, strict=True):
        print(f"{name}, times the bare query: {p95 / bare:.2f}, its searches: {p95 / searches:.2f}")
    ratio = max(rounds) / bare
    return 0 if tables.verdict("a round, times the bare query", ratio, MOST_TIMES_THE_QUERY) else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
