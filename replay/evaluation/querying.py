"""What questions to the graph cost as a serial grows: `python -m replay.evaluation.querying`.

Grafts the serial of `replay.evaluation.growing` into an ArcadeDB and a Neo4j, and at each quarter
asks every question of readers, as of the head, about the characters of most scenes and about
threads and chapters spread over the work. Prints of each the median and the 95th percentile of the
milliseconds by the clock, and the mean of those of processor, the server's and this process's; all
beside a bare statement in the same minute. Times by the clock of a machine that does other things
too cannot be compared, those of processor can.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Final

from contracts.ids import FIRST_GENERATION
from contracts.ordinals import Ordinal
from contracts.ports import BoundStory, TreeStore
from contracts.requests import HEAD, OneCharacter, OneThread, Page, Timeline
from contracts.story_graph import CastPlace, StoryPlace, ThreadPlace
from graph.grafter import Grafter
from graph.memory import MemoryVectorStore
from replay.evaluation.growing.serial import WORK, Told, pieces, serial
from replay.evaluation.growing.servers import GRAPHS, graph_server
from replay.evaluation.processor_time import ProcessorTime
from streams.reading import linking, people, plots
from streams.reading.paging import turn_of
from streams.reading.timeline import timeline

_BATCH: Final = 100
_SUBJECTS: Final = 40  # characters of most scenes, and threads spread over the work
_WARMING: Final = 30  # asked of each before the first is measured: a server compiles as it goes
_Ask = Callable[[BoundStory, int], Awaitable[object]]


async def measure(name: str, tree: TreeStore, told: Sequence[Told], runs: int) -> None:
    """Graft `told` and print what questions cost at each quarter of it."""
    vectors = MemoryVectorStore()
    grafter, quarter = Grafter(tree, vectors), len(told) // 4
    await tree.prepare()
    for start in range(0, len(told), _BATCH):
        batch = told[start : start + _BATCH]
        for each in batch:
            await vectors.upsert(WORK, FIRST_GENERATION, each.rows)
        await grafter([each.message for each in batch])
        grafted = start + len(batch)
        if grafted // quarter > start // quarter:
            view = await tree.view(WORK, None)
            if view is None:
                raise RuntimeError(f"{name} holds nothing of {WORK}")
            if grafted // quarter == 1:
                await _ask_all(view, _WARMING)
            await _print(name, view, grafted, runs)


async def _ask_all(view: BoundStory, runs: int) -> None:
    for ask in (await _questions(view)).values():
        for nth in range(runs):
            await ask(view, nth)


async def _print(name: str, view: BoundStory, chapters: int, runs: int) -> None:
    print(f"\n{name}, {chapters} chapters: milliseconds, of {runs}")
    print(f"  {'':20}{'p50':>9}{'p95':>9}{'server':>9}{'asking':>9}")
    for question, ask in (await _questions(view)).items():
        spent: list[float] = []
        before = ProcessorTime.now()
        for nth in range(runs):
            began = time.perf_counter()
            await ask(view, nth)
            spent.append(1000 * (time.perf_counter() - began))
        took = ProcessorTime.now() - before
        columns = [
            median(spent),
            quantiles(spent, n=20)[-1],
            1000 * took.children / runs,
            1000 * took.own / runs,
        ]
        print(f"  {question:20}" + "".join(f"{each:9.1f}" for each in columns), flush=True)


async def _questions(view: BoundStory) -> dict[str, _Ask]:
    cast = await view.consult(lambda graph: graph.cast(_SUBJECTS))
    rows = await view.consult(lambda graph: graph.threads(1_000))
    spread = rows[:: max(1, len(rows) // _SUBJECTS)]
    page = Page(work_id=WORK, as_of=HEAD)

    async def character(story: BoundStory, nth: int) -> object:
        asked = OneCharacter(work_id=WORK, as_of=HEAD, character=cast[nth % len(cast)].id)
        return await people.character(story, asked.character, turn_of(asked, StoryPlace))

    async def thread(story: BoundStory, nth: int) -> object:
        asked = OneThread(work_id=WORK, as_of=HEAD, thread=spread[nth % len(spread)].id)
        return await plots.thread(story, asked.thread, turn_of(asked, StoryPlace))

    async def path(story: BoundStory, nth: int) -> object:
        one, other = cast[nth % len(cast)], cast[(7 * nth + 11) % len(cast)]
        return await linking.path(story, one.id, other.id, 3)

    async def from_chapter(story: BoundStory, nth: int) -> object:
        first = Ordinal(int(story.as_of) * (nth % 10) // 10)
        asked = Timeline(work_id=WORK, as_of=HEAD, first=first)
        return await timeline(story, asked, turn_of(asked, StoryPlace))

    async def of_character(story: BoundStory, nth: int) -> object:
        asked = Timeline(work_id=WORK, as_of=HEAD, character=cast[nth % len(cast)].id)
        return await timeline(story, asked, turn_of(asked, StoryPlace))

    return {
        "a bare statement": lambda story, _: story.consult(lambda graph: graph.members([])),
        "characters": lambda story, _: people.characters(story, turn_of(page, CastPlace)),
        "character": character,
        "threads": lambda story, _: plots.threads(story, turn_of(page, ThreadPlace)),
        "thread": thread,
        "path": path,
        "timeline": from_chapter,
        "timeline of one": of_character,
    }


async def _run(name: str, tree: TreeStore, told: Sequence[Told], runs: int) -> None:
    try:
        await measure(name, tree, told, runs)
    finally:
        await tree.close()


def main() -> None:
    """Measure each graph."""
    parser = argparse.ArgumentParser(description="Measure what questions to the graph cost.")
    parser.add_argument("--chapters", type=int, default=2000)
    parser.add_argument("--books", type=int, default=32, help="of how many the serial is made")
    parser.add_argument("--runs", type=int, default=40, help="how often each question is asked")
    parser.add_argument("--graph", choices=sorted(GRAPHS), help="one of the two only")
    options = parser.parse_args()
    told = list(serial(asyncio.run(pieces(options.books)), options.chapters))
    for name in [GRAPHS[options.graph]] if options.graph else GRAPHS.values():
        with tempfile.TemporaryDirectory() as folder, graph_server(name, Path(folder)) as tree:
            asyncio.run(_run(name, tree, told, options.runs))


if __name__ == "__main__":
    main()
