"""What a long serial costs, chapter by chapter: `python -m replay.evaluation.growth_stores`.

    python -m replay.evaluation.growth_stores [--chapters 2000] [--books 32]
        [--graph bolt://user:password@127.0.0.1:7687]

Without `--graph` an ArcadeDB is started; with it another server is measured, such as the Neo4j
that `python -m deploy.services up` starts (its work `growth` is dropped first). Rows lie in
memory, so that what is measured is fold and graph. What must hold is checked: 1 is returned if
it does not.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final
from urllib.parse import urlsplit

from contracts import events
from contracts.ids import FIRST_GENERATION
from contracts.messages import EmbeddedMessage, EventPassed
from contracts.ports import TreeStore
from contracts.tree import CAPACITY
from contracts.works import Commit
from graph.arcade_process import ArcadeProcess
from graph.bolt import BoltTreeStore
from graph.bolt.packing import batches
from graph.bolt.planning import steps
from graph.grafter import Grafter
from graph.memory import MemoryTreeStore, MemoryVectorStore
from graph.projection import snapshot
from replay.evaluation.growth_serial import WORK, Told, edited, pieces, serial

_WINDOW: Final = 100
_GRAFT_BATCH: Final = 512
_FLAT: Final = 1.25
_MOST_REVERSED: Final = 3.0
_MOST_DEPTH: Final = 6
_EDIT_S: Final = 10.0
_PER_SCENE: Final = 40
"""Rows and statements of a scene beside those of the tree above it; every commit has some 40."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one commit wrote, and how long that took."""

    scenes: int
    rows: int
    statements: int
    seconds: float


class CountingStore(BoltTreeStore):
    """A graph that counts what each commit writes."""

    def __init__(self, uri: str, auth: tuple[str, str] | None, database: str | None) -> None:
        super().__init__(uri, auth, database)
        self.costs: list[Cost] = []

    async def commit(self, commit: Commit) -> bool:
        """Write, and note what was written."""
        began = time.perf_counter()
        done = await super().commit(commit)
        seconds = time.perf_counter() - began
        self.costs.append(
            Cost(
                scenes=sum(len(content.scenes) for content in commit.contents_put),
                rows=len(commit.rows.puts) + len(commit.rows.deletes),
                statements=2 + sum(1 for step in steps(commit, "") for _ in batches(step.rows)),
                seconds=seconds,
            )
        )
        return done


@dataclass(slots=True)
class Bench:
    """One serial in one graph, its last chapter kept back; `broken` says what does not hold."""

    tree: CountingStore
    told: Sequence[Told]
    vectors: MemoryVectorStore = field(default_factory=MemoryVectorStore)
    broken: list[str] = field(default_factory=list)

    async def run(self) -> None:
        """Measure everything, and print it."""
        *grown, last = self.told
        grafter = Grafter(self.tree, self.vectors)
        seconds = [await self._graft(grafter, each.message, each) for each in grown]
        costs = list(self.tree.costs)
        self._print_windows(seconds, costs)
        await self._print_shape(costs)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"worker, with the serial and its rows in memory: {memory:,} MB at most")
        marks = await self.tree.checkpointed(WORK, FIRST_GENERATION)
        cold = await self._graft(self._cold(), last.message, last)
        print(f"the next chapter by a cold worker: {cold:.2f} s, from {len(marks)} checkpoints")
        await self._change_the_third()
        await self._turn_round()

    async def _graft(
        self, grafter: Grafter, message: EmbeddedMessage, told: Told | None = None
    ) -> float:
        if told is not None:
            await self.vectors.upsert(WORK, FIRST_GENERATION, told.rows)
        began = time.perf_counter()
        await grafter([message])
        return time.perf_counter() - began

    def _cold(self) -> Grafter:
        return Grafter(self.tree, self.vectors)

    def _print_windows(self, seconds: Sequence[float], costs: Sequence[Cost]) -> None:
        print("chapters        fold and graph     of it graph    rows, statements a scene, at most")
        medians = []
        for start in range(0, len(seconds), _WINDOW):
            part = costs[start : start + _WINDOW]
            medians.append(1000 * median(seconds[start : start + _WINDOW]))
            graph = 1000 * median(cost.seconds for cost in part)
            rows = max(cost.rows / max(1, cost.scenes) for cost in part)
            statements = max(cost.statements / max(1, cost.scenes) for cost in part)
            print(
                f"{start + 1:>5} to {start + len(part):<5} {medians[-1]:>11.1f} ms"
                f" {graph:>12.1f} ms {rows:>12.1f} {statements:>12.1f}"
            )
        if len(medians) > 3:
            ratio = medians[-1] / medians[2]
            print(f"the last {_WINDOW} chapters against 201 to 300: {ratio:.2f} times")
            self._hold(ratio <= _FLAT, "the last chapters cost more than the first")

    async def _print_shape(self, costs: Sequence[Cost]) -> None:
        records = await self.tree.records(WORK, FIRST_GENERATION)
        tree = snapshot(await self.tree.rows(WORK, FIRST_GENERATION), records[-1].ordinal)
        parents = {row.child: row.parent for row in tree.children}
        children = Counter(parents.values()) + Counter(row.storyline for row in tree.homes)
        deepest = max(_depth(row.storyline, parents) for row in tree.homes)
        fullest = max(children.values())
        print(f"{len(tree.storylines)} storylines, depth {deepest}, at most {fullest} children")
        self._hold(deepest <= _MOST_DEPTH, "the tree is too deep")
        self._hold(fullest <= CAPACITY, "a storyline is over capacity")
        most = deepest * CAPACITY + _PER_SCENE
        dear = [c for c in costs if max(c.rows, c.statements) > most * max(1, c.scenes)]
        self._hold(not dear, f"a scene cost more than {most} rows or statements")

    async def _change_the_third(self) -> None:
        third, position = self.told[2], len(self.told) + 1
        again = edited(third, position)
        seconds = await self._graft(self._cold(), again.message, again)
        self._print_change("a sentence of chapter 3 edited", seconds)
        self._hold(seconds < _EDIT_S, "an edit takes too long")
        chapter_id = third.message.segmented.head.chapter_id
        gone = events.ChapterWithdrawn(work_id=WORK, chapter_id=chapter_id)
        seconds = await self._graft(self._cold(), EventPassed(position=position + 1, event=gone))
        self._print_change("chapter 3 withdrawn", seconds)

    def _print_change(self, what: str, seconds: float) -> None:
        cost = self.tree.costs[-1]
        print(f"{what}: {seconds:.1f} s, {cost.seconds:.1f} s of it writing {cost.rows} rows")

    async def _turn_round(self) -> None:
        ordered, reverse = await _in_process(self.told), await _in_process(self.told[::-1])
        print(f"all folded in process, {_GRAFT_BATCH} chapters at once: {ordered:.1f} s")
        print(f"the same in reverse: {reverse:.1f} s, {reverse / ordered:.2f} times")
        self._hold(reverse <= _MOST_REVERSED * ordered, "reverse arrival costs too much")

    def _hold(self, holds: bool, otherwise: str) -> None:
        if not holds:
            self.broken.append(otherwise)


def _depth(storyline: str, parents: dict[str, str]) -> int:
    depth, above = 1, parents.get(storyline)
    while above is not None:
        depth, above = depth + 1, parents.get(above)
    return depth


async def _in_process(told: Sequence[Told]) -> float:
    """Graft a backlog into stores in memory; return how long grafting took."""
    tree: TreeStore = MemoryTreeStore()
    vectors, spent = MemoryVectorStore(), 0.0
    grafter = Grafter(tree, vectors)
    for start in range(0, len(told), _GRAFT_BATCH):
        batch = told[start : start + _GRAFT_BATCH]
        for each in batch:
            await vectors.upsert(WORK, FIRST_GENERATION, each.rows)
        began = time.perf_counter()
        await grafter([each.message for each in batch])
        spent += time.perf_counter() - began
    return spent


async def measure(tree: CountingStore, chapters: int, books: int) -> int:
    """Measure one graph; print what does not hold, and return 1 if anything does not."""
    try:
        await tree.prepare()
        left = await tree.load(WORK)
        if left is not None:
            seq = left.commit_seq
            fresh = left.model_copy(update={"commit_seq": seq + 1, "chapters": ()})
            await tree.commit(Commit(work=fresh, expected_seq=seq, drop_all=True))
            tree.costs.clear()
        bench = Bench(tree, list(serial(await pieces(books), chapters + 1)))
        await bench.run()
    finally:
        await tree.close()
    for text in bench.broken:
        print(f"BROKEN: {text}")
    return 1 if bench.broken else 0


def main() -> int:
    """Measure the graph that was named, or an ArcadeDB that is started for it."""
    parser = argparse.ArgumentParser(description="Measure what a long serial costs.")
    parser.add_argument("--chapters", type=int, default=2000)
    parser.add_argument("--books", type=int, default=32)
    parser.add_argument("--graph", help="bolt://user:password@host:port")
    options = parser.parse_args()
    if options.graph:
        url = urlsplit(options.graph)
        auth = (url.username, url.password or "") if url.username else None
        tree = CountingStore(f"{url.scheme}://{url.hostname}:{url.port}", auth, None)
        return asyncio.run(measure(tree, options.chapters, options.books))
    with tempfile.TemporaryDirectory() as folder, ArcadeProcess(Path(folder)) as server:
        address = server.start()
        auth = (address.user, address.password)
        tree = CountingStore(address.uri, auth, address.database)
        return asyncio.run(measure(tree, options.chapters, options.books))


if __name__ == "__main__":
    sys.exit(main())
