"""How well scenes find their threads: `python -m replay.evaluation.threads [BOOK ...]`.

Takes the annotated English novels of `../shared/data` through the real stages, on gold scenes and
on our own, with names that we find ourselves and no model, and folds them. Each book is folded
with weights that were fitted on the ten others (`replay.evaluation.fitting_threads`); with the
weights that ship only where asked for as "as shipped", which knows all the books. "Advised on" is
the same with an adviser that knows the gold (`advised_threads`), asked about close calls or all
scenes. Beside it, the same scenes put into threads by ways that see the whole book at once
(`batch_threads`): among contiguous blocks the number that suits each book best by its gold, and
that which suits all.

A scene's thread is that of its home. Prints Cohen's kappa over pairs of scenes at least two
apart, the adjusted Rand index, B-cubed F1 over story sentences with its precision and recall, the
number of threads and that as a multiple of the gold's, levels of storylines above scenes, and
storylines or threads beneath one above.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from contracts.ids import WorkId
from contracts.placement import AdviceScope
from contracts.tree import ChapterInputs, GraftRecord, StorylineKind
from graph.fold import graft, start
from graph.placement_weights import WEIGHTS, Weights
from graph.projection import project, snapshot
from processors.sif import SifEmbedder
from replay.evaluation.advised_threads import folded_with_advice
from replay.evaluation.annotated import ENGLISH
from replay.evaluation.batch_fitting import fitted_clusters
from replay.evaluation.batch_threads import (
    CLUSTERS,
    Grouped,
    Likeness,
    Signs,
    agglomerative,
    blocks,
    directions,
    k_means,
    signs,
    top_down,
)
from replay.evaluation.fitting_threads import HELD_OUT_FILE
from replay.evaluation.thread_books import SEGMENTATIONS, ThreadBook, read_book
from replay.evaluation.thread_scores import Judge, Scores, mean_scores

OURS: Final = "storygraft"
SHIPPED: Final = "storygraft, as shipped"
BEST_BLOCKS: Final = "blocks, best k by book"
BATCH: Final = "agglomerative, 10"
FITTED_BATCH: Final = "agglomerative, fitted on the others"
_MOST_BLOCKS: Final = 24


@dataclass(frozen=True, slots=True)
class Found:
    """What one way made of a book."""

    scores: Scores
    grouped: Grouped

    def __str__(self) -> str:
        return f"{self.scores} {self.grouped.depth:5} {self.grouped.branching:6.1f}"


def held_out_weights() -> dict[str, Weights]:
    """Return for each book the weights that were fitted without it."""
    return {book: Weights(**each) for book, each in json.loads(HELD_OUT_FILE.read_text()).items()}


def folded(chapters: Iterable[ChapterInputs], weights: Weights = WEIGHTS) -> list[GraftRecord]:
    """Fold chapters from scratch."""
    state, records = start(WorkId("evaluation")), []
    for chapter in chapters:
        state, record = graft(state, chapter, weights=weights)
        records.append(record)
    return records


def grouped(chapters: Iterable[ChapterInputs], records: Sequence[GraftRecord]) -> Grouped:
    """Return the thread of each scene's home, in story order, and the shape of the tree."""
    tree = snapshot(project(records).values(), max(record.ordinal for record in records))
    parents = {row.child: row.parent for row in tree.children}
    kinds = {row.id: row.kind for row in tree.storylines}
    above: dict[str, list[str]] = {}
    for home in tree.homes:
        path = [home.storyline]
        while path[-1] in parents:
            path.append(parents[path[-1]])
        above[home.scene] = path
    threads = [
        next(id_ for id_ in above[each.scene.scene_id] if kinds[id_] is StorylineKind.THREAD)
        for chapter in chapters
        for each in chapter.scenes
    ]
    return Grouped(
        tuple(threads),
        depth=max(map(len, above.values())),
        branching=len(parents) / len(set(parents.values())),
    )


def ways(book: ThreadBook, signs_: Signs, weights: Weights) -> dict[str, Found]:
    """Put a book's scenes into threads in every way, and score each."""
    judge, scenes = Judge(book), len(book.labels)
    alike = signs_.weighed(Likeness())
    flat: dict[str, Sequence[str | int]] = {
        BATCH: agglomerative(alike, CLUSTERS),
        "k-means, 10": k_means(directions(book), CLUSTERS),
        **{f"blocks, {count}": blocks(scenes, count) for count in range(1, _MOST_BLOCKS + 1)},
    }
    trees = {
        OURS: grouped(book.chapters, folded(book.chapters, weights)),
        SHIPPED: grouped(book.chapters, folded(book.chapters)),
        "top-down tree": top_down(alike),
        **{
            f"advised on {scope.value}": grouped(
                book.chapters, folded_with_advice(book, weights, scope)
            )
            for scope in AdviceScope
        },
    }
    found = {way: Found(judge(tree.threads), tree) for way, tree in trees.items()}
    found |= {way: _flat(judge, threads) for way, threads in flat.items()}
    best = max(range(1, _MOST_BLOCKS + 1), key=lambda k: found[f"blocks, {k}"].scores.f1)
    found[BEST_BLOCKS] = found[f"blocks, {best}"]
    return found


def _flat(judge: Judge, threads: Sequence[str | int]) -> Found:
    number = len(set(threads))
    return Found(judge(threads), Grouped(tuple(map(str, threads)), 1, float(number)))


def all_ways(books: Sequence[ThreadBook]) -> dict[str, dict[str, Found]]:
    """Return what each way makes of each book."""
    weights = held_out_weights()
    known = [signs(book, folded(book.chapters)) for book in books]
    found = {
        book.name: ways(book, each, weights.get(book.name, WEIGHTS))
        for book, each in zip(books, known, strict=True)
    }
    clusters = fitted_clusters(books, known) if len(books) > 1 else {}
    for book in books:
        if book.name in clusters:
            found[book.name][FITTED_BATCH] = _flat(Judge(book), clusters[book.name])
    return found


def _best_blocks(books: Mapping[str, Mapping[str, Found]]) -> str:
    """Return the number of contiguous blocks that suits all the books best."""
    counts = [f"blocks, {count}" for count in range(1, _MOST_BLOCKS + 1)]
    return max(counts, key=lambda way: fmean(each[way].scores.f1 for each in books.values()))


def _print(segmentation: str, books: Mapping[str, Mapping[str, Found]], gold: float) -> None:
    blocks_of_all = _best_blocks(books)
    shown = [
        OURS,
        BATCH,
        FITTED_BATCH,
        "k-means, 10",
        "top-down tree",
        BEST_BLOCKS,
        blocks_of_all,
        SHIPPED,
        *(f"advised on {scope.value}" for scope in AdviceScope),
    ]
    for way in shown:
        found = {name: each[way] for name, each in books.items() if way in each}
        if found:
            _print_way(f"{segmentation}: {way}", found, gold)
    for way in (BEST_BLOCKS, blocks_of_all, BATCH):
        for name in ("f1", "kappa"):
            above = sum(
                getattr(found[OURS].scores, name) > getattr(found[way].scores, name)
                for found in books.values()
            )
            print(f"  {OURS} is above {way} by {name} on {above} of {len(books)} books")


def _print_way(heading: str, found: Mapping[str, Found], gold: float) -> None:
    print(f"{heading:52} kappa    ARI     F1  prec. recall threads  ratio depth branch")
    for name, each in found.items():
        print(f"  {name:48}{each}")
    shape = Grouped(
        (),
        max(each.grouped.depth for each in found.values()),
        fmean(each.grouped.branching for each in found.values()),
    )
    mean = Found(mean_scores(each.scores for each in found.values()), shape)
    print(f"  {f'mean (gold threads {gold:.1f}; depth: most)':48}{mean}")


async def _report(names: Sequence[str]) -> None:
    embedder = SifEmbedder()
    for segmentation in SEGMENTATIONS:
        books = [await read_book(name, segmentation, embedder) for name in names]
        _print(segmentation, all_ways(books), fmean(book.threads for book in books))


if __name__ == "__main__":
    asyncio.run(_report(sys.argv[1:] or ENGLISH))
