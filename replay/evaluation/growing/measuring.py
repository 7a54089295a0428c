"""One serial grafted into one graph, chapter by chapter, and then changed far back."""

from __future__ import annotations

import resource
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from contracts import events
from contracts.ids import FIRST_GENERATION
from contracts.messages import EmbeddedMessage, EventPassed
from contracts.ports import VectorStore
from contracts.tree import CAPACITY
from contracts.works import Commit
from graph.grafter import Grafter
from graph.memory import MemoryTreeStore, MemoryVectorStore
from graph.projection import snapshot
from replay.evaluation.bench.stopwatch import Stopwatch
from replay.evaluation.growing.serial import WORK, Told, edited
from replay.evaluation.growing.stores import Cost, CountingTree

WINDOW: Final = 100
BATCH: Final = 512
"""Chapters grafted at once where a backlog is waiting, as the graft stage takes them."""

FLAT: Final = 1.25
MOST_REVERSED: Final = 3.0
MOST_DEPTH: Final = 6
EDIT_S: Final = 10.0
PER_SCENE: Final = 40
"""Rows and statements of a scene beside those of the tree above it; every commit has some 30
statements, and a chapter may have a single scene."""

Hold = Callable[[bool, str], None]
"""Notes what does not hold: whether it does, and what is wrong otherwise."""


@dataclass(frozen=True, slots=True)
class Window:
    """Medians over some chapters from `first` on, in milliseconds; the most that a scene cost.

    `fold_and_graph` is all that grafting took but for the vector store; `memory` is the most
    that the process has had until then, in MB.
    """

    first: int
    fold_and_graph: float
    graph: float
    vectors: float
    rows: float
    statements: float
    memory: int


@dataclass(slots=True)
class _Spent:
    """Seconds of one chapter, by what they were spent on."""

    fold_and_graph: float
    vectors: float


@dataclass(slots=True)
class Measurement:
    """A serial in one graph; its last chapter is kept back for a cold worker.

    `watch` adds up how long the vector store is waited for, and nothing else.
    """

    name: str
    tree: CountingTree
    vectors: VectorStore
    watch: Stopwatch
    told: Sequence[Told]
    hold: Hold
    windows: list[Window] = field(default_factory=list)

    async def run(self) -> None:
        """Measure and print everything."""
        print(f"\n{self.name}: {len(self.told) - 1} chapters")
        print("chapters       fold, graph of it graph  vectors  rows, statements a scene  memory")
        await self._forget()
        grafter, spent = self._cold(), list[_Spent]()
        for each in self.told[:-1]:
            spent.append(await self._graft(grafter, [each.message], [each]))
            if len(spent) % WINDOW == 0:
                self._close_window(spent[-WINDOW:], self.tree.costs[-WINDOW:])
        self._judge_growth()
        await self._judge_shape(self.tree.costs)
        cold = await self._graft(self._cold(), [self.told[-1].message], [self.told[-1]])
        print(f"the next chapter by a cold worker: {cold.fold_and_graph:.2f} s")
        built = sum(each.fold_and_graph for each in spent)
        await self._change_the_third(built)

    async def _forget(self) -> None:
        """Drop what an earlier run has left."""
        left = await self.tree.load(WORK)
        if left is not None:
            seq = left.commit_seq
            blank = left.model_copy(update={"commit_seq": seq + 1, "chapters": ()})
            await self.tree.commit(Commit(work=blank, expected_seq=seq, drop_all=True))
        self.tree.costs.clear()

    def _cold(self) -> Grafter:
        return Grafter(self.tree, self.vectors)

    async def _graft(
        self,
        grafter: Grafter,
        messages: Sequence[EmbeddedMessage],
        told: Sequence[Told] = (),
    ) -> _Spent:
        before = self.watch.seconds.total()
        for each in told:
            await self.vectors.upsert(WORK, FIRST_GENERATION, each.rows)
        written = self.watch.seconds.total() - before
        began = time.perf_counter()
        await grafter(messages)
        seconds = time.perf_counter() - began
        waited = self.watch.seconds.total() - before
        return _Spent(seconds - (waited - written), waited)

    def _close_window(self, spent: Sequence[_Spent], costs: Sequence[Cost]) -> None:
        window = Window(
            first=len(self.windows) * WINDOW + 1,
            fold_and_graph=1000 * median(each.fold_and_graph for each in spent),
            graph=1000 * median(cost.seconds for cost in costs),
            vectors=1000 * median(each.vectors for each in spent),
            rows=max(cost.rows / max(1, cost.scenes) for cost in costs),
            statements=max(cost.statements / max(1, cost.scenes) for cost in costs),
            memory=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        )
        self.windows.append(window)
        print(
            f"{window.first:>5} to {window.first + WINDOW - 1:<5}{window.fold_and_graph:>9.1f} ms"
            f"{window.graph:>11.1f} ms{window.vectors:>7.1f} ms{window.rows:>11.1f}"
            f"{window.statements:>12.1f}{window.memory:>12} MB",
            flush=True,
        )

    def _judge_growth(self) -> None:
        if len(self.windows) < 4:
            return
        ratio = self.windows[-1].fold_and_graph / self.windows[2].fold_and_graph
        memory = self.windows[-1].memory - self.windows[2].memory
        print(f"the last {WINDOW} chapters against 201 to 300: {ratio:.2f} times, {memory:+} MB")
        self.hold(ratio <= FLAT, f"{self.name}: the last chapters cost more than the first")

    async def _judge_shape(self, costs: Sequence[Cost]) -> None:
        records = await self.tree.records(WORK, FIRST_GENERATION)
        tree = snapshot(await self.tree.rows(WORK, FIRST_GENERATION), records[-1].ordinal)
        parents = {row.child: row.parent for row in tree.children}
        children = Counter(parents.values()) + Counter(row.storyline for row in tree.homes)
        deepest = max(_depth(row.storyline, parents) for row in tree.homes)
        fullest = max(children.values())
        print(f"{len(tree.storylines)} storylines, depth {deepest}, at most {fullest} children")
        self.hold(deepest <= MOST_DEPTH, f"{self.name}: the tree is too deep")
        self.hold(fullest <= CAPACITY, f"{self.name}: a storyline is over capacity")
        most = deepest * CAPACITY + PER_SCENE
        dear = [c for c in costs if max(c.rows, c.statements) > most * max(1, c.scenes)]
        self.hold(not dear, f"{self.name}: a scene cost more than {most} rows or statements")

    async def _change_the_third(self, built: float) -> None:
        """Edit a sentence of the third chapter and withdraw it, each by a cold worker."""
        third, position = self.told[2], len(self.told) + 1
        again = edited(third, position)
        spent = await self._graft(self._cold(), [again.message], [again])
        self._print_change("a sentence of chapter 3 edited", spent)
        self.hold(spent.fold_and_graph < EDIT_S, f"{self.name}: an edit takes too long")
        chapter_id = third.message.segmented.head.chapter_id
        gone = events.ChapterWithdrawn(work_id=WORK, chapter_id=chapter_id)
        withdrawal = EventPassed(position=position + 1, event=gone)
        spent = await self._graft(self._cold(), [withdrawal])
        self._print_change("chapter 3 withdrawn", spent)
        rebuilt = await self._rebuild()
        print(
            f"fold and graph of building it all: {rebuilt:.1f} s, {BATCH} chapters at once;"
            f" {built:.1f} s, chapter by chapter"
        )
        # As it was built: a backlog may be folded quicker, and is shown for comparison.
        self.hold(
            spent.fold_and_graph <= built, f"{self.name}: a withdrawal costs more than all anew"
        )

    def _print_change(self, what: str, spent: _Spent) -> None:
        cost = self.tree.costs[-1]
        print(
            f"{what}: {spent.fold_and_graph:.1f} s,"
            f" {cost.seconds:.1f} s of it writing {cost.rows} rows"
        )

    async def _rebuild(self) -> float:
        """Build the serial as it is now, a backlog at a time; return the seconds it took."""
        await self._forget()
        grafter, seconds = self._cold(), 0.0
        told = [*self.told[:2], *self.told[3:]]
        for start in range(0, len(told), BATCH):
            batch = told[start : start + BATCH]
            spent = await self._graft(grafter, [each.message for each in batch], batch)
            seconds += spent.fold_and_graph
        return seconds


def _depth(storyline: str, parents: dict[str, str]) -> int:
    depth, above = 1, parents.get(storyline)
    while above is not None:
        depth, above = depth + 1, parents.get(above)
    return depth


async def turn_round(told: Sequence[Told], hold: Hold) -> None:
    """Graft a backlog in memory, in story order and in reverse."""
    ordered, reverse = await _in_process(told), await _in_process(told[::-1])
    print(f"\nall in process, {BATCH} chapters at once: {ordered:.1f} s")
    print(f"the same in reverse: {reverse:.1f} s, {reverse / ordered:.2f} times")
    hold(reverse <= MOST_REVERSED * ordered, "reverse arrival costs too much")


async def _in_process(told: Sequence[Told]) -> float:
    """Graft a backlog into stores in memory; return how long grafting took."""
    vectors, spent = MemoryVectorStore(), 0.0
    grafter = Grafter(MemoryTreeStore(), vectors)
    for start in range(0, len(told), BATCH):
        batch = told[start : start + BATCH]
        for each in batch:
            await vectors.upsert(WORK, FIRST_GENERATION, each.rows)
        began = time.perf_counter()
        await grafter([each.message for each in batch])
        spent += time.perf_counter() - began
    return spent
