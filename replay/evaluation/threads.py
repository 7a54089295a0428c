"""How well scenes find their threads: `python -m replay.evaluation.threads [BOOK ...]`.

Folds the gold scenes of the annotated English novels of `../shared/data`, chapter by chapter,
with the vectors of the default embedder and two kinds of names: those that annotators list for
each scene, and those that our finder finds in its text. Two scenes go together when they share a
thread, as home or by a touch. Prints B-cubed F1 with its precision and recall (each over scenes),
Cohen's kappa over pairs of scenes that are not neighbours, the number of threads, and how many a
scene is in; and the same for ten equal runs of scenes, for one single thread and for the gold.
The books on which placement was fitted are marked and have a mean of their own.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from contracts.events import ChapterPublished
from contracts.ids import ChapterId, SceneId, WorkId
from contracts.ordinals import Ordinal
from contracts.scenes import ChapterText, Mention, Scene
from contracts.tree import ChapterInputs, SceneInputs, StorylineKind
from graph.fold import graft, start
from graph.projection import project, snapshot
from processors.names import find_identities, find_mentions
from processors.sif import SifEmbedder
from processors.text import read_chapter
from replay.evaluation.boundaries import english_books
from replay.evaluation.shared_data import shared_data

FITTED_ON: Final = (
    "alice-in-wonderland",
    "hound-of-the-baskervilles",
    "the-awakening",
    "treasure-island",
    "war-of-the-worlds",
)
"""Weights, thresholds and the pace of forgetting of `graph.placement` were chosen on these."""

_RUNS: Final = 10
_LISTED: Final = 2  # listed once a scene; twice named, so that nobody is taken for an allusion

Together = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Scores:
    """Of one way to put scenes into threads, on one book or in the mean."""

    f1: float
    precision: float
    recall: float
    kappa: float
    threads: float
    each: float

    def __str__(self) -> str:
        return (
            f"{self.f1:6.3f} {self.precision:6.3f} {self.recall:6.3f} {self.kappa:6.3f}"
            f" {self.threads:7.1f} {self.each:5.2f}"
        )


@dataclass(frozen=True, slots=True)
class Book:
    """A book's gold scenes as inputs of the fold, in story order, and each scene's threads."""

    listed: tuple[ChapterInputs, ...]
    found: tuple[ChapterInputs, ...]
    gold: tuple[frozenset[str], ...]


async def read_book(data: Path, name: str, embedder: SifEmbedder) -> Book:
    """Read a book, embed its gold scenes and find the names in them."""
    texts = {
        chapter["index"]: chapter["text"]
        for chapter in json.loads((data / "books" / f"{name}.json").read_bytes())["chapters"]
    }
    chapters = json.loads((data / "storylines" / f"{name}.json").read_bytes())["chapters"]
    listed, found = [], []
    for chapter in chapters:
        text = _read(name, chapter["index"], texts[chapter["index"]])
        scenes = chapter["scenes"]
        bodies = [text.text[scene["start"] : scene["end"]] for scene in scenes]
        vectors = await embedder.embed(bodies, text.language)
        spans = [_sentences(text, scene) for scene in scenes]
        mentions, identities = find_mentions(text, spans), find_identities(text, spans)
        named = [_mentions_of(scene) for scene in scenes]
        found.append(_inputs(text, scenes, mentions, identities, vectors))
        listed.append(_inputs(text, scenes, named, ((),) * len(scenes), vectors))
    gold = tuple(frozenset(scene["threads"]) for each in chapters for scene in each["scenes"])
    return Book(tuple(listed), tuple(found), gold)


def folded(chapters: Iterable[ChapterInputs]) -> list[frozenset[str]]:
    """Fold chapters from scratch; return the threads of each scene, its home's and touched ones."""
    state, records, scenes = start(WorkId("evaluation")), [], []
    for chapter in chapters:
        state, record = graft(state, chapter)
        records.append(record)
        scenes += [inputs.scene.scene_id for inputs in chapter.scenes]
    tree = snapshot(project(records).values(), max(record.ordinal for record in records))
    parents = {row.child: row.parent for row in tree.children}
    kinds = {row.id: row.kind for row in tree.storylines}
    threads: dict[str, set[str]] = defaultdict(set)
    for home in tree.homes:
        storyline = home.storyline
        while kinds[storyline] is not StorylineKind.THREAD:
            storyline = parents[storyline]
        threads[home.scene].add(storyline)
    for touch in tree.touches:
        threads[touch.scene].add(touch.storyline)
    return [frozenset(threads[scene]) for scene in scenes]


def scored(found: Sequence[frozenset[str]], gold: Sequence[frozenset[str]]) -> Scores:
    """Compare the threads of each scene with its gold threads."""
    ours, theirs = _together(found), _together(gold)
    both = (ours & theirs).sum(axis=1)
    precision, recall = float(np.mean(both / ours.sum(1))), float(np.mean(both / theirs.sum(1)))
    apart = np.triu_indices(len(gold), 2)
    return Scores(
        f1=2 * precision * recall / (precision + recall),
        precision=precision,
        recall=recall,
        kappa=_kappa(ours[apart], theirs[apart]),
        threads=len(frozenset().union(*found)),
        each=fmean(map(len, found)),
    )


def mean_scores(scores: Sequence[Scores]) -> Scores:
    """Return the mean over books."""
    return Scores(
        *(
            fmean(getattr(score, figure) for score in scores)
            for figure in ("f1", "precision", "recall", "kappa", "threads", "each")
        )
    )


def _together(threads: Sequence[frozenset[str]]) -> Together:
    """Return for each pair of scenes whether they share a thread: (scenes, scenes)."""
    names = sorted(frozenset().union(*threads))
    member = np.array([[name in own for name in names] for own in threads], dtype=np.int64)
    return np.asarray(member @ member.T > 0)


def _kappa(ours: Together, theirs: Together) -> float:
    agreed = float(np.mean(ours == theirs))
    a, b = float(ours.mean()), float(theirs.mean())
    chance = a * b + (1 - a) * (1 - b)
    return (agreed - chance) / (1 - chance) if chance < 1 else 0.0


def _read(book: str, index: int, body: str) -> ChapterText:
    return read_chapter(
        ChapterPublished(
            work_id=WorkId(book),
            chapter_id=ChapterId(str(index)),
            ordinal=Ordinal.parse(index),
            body=body,
            language="en",
        )
    )


def _sentences(text: ChapterText, scene: Mapping[str, Any]) -> tuple[int, int]:
    """Return the numbers of the first and last sentence that begin in a gold scene."""
    inside = [
        number
        for number, span in enumerate(text.sentences, start=1)
        if scene["start"] <= span.start < scene["end"]
    ]
    if not inside:
        raise ValueError(f"no sentence of chapter {text.chapter_id} begins in a gold scene")
    return inside[0], inside[-1]


def _mentions_of(scene: Mapping[str, Any]) -> tuple[Mention, ...]:
    return tuple(Mention(name=name, count=_LISTED) for name in scene["characters"])


def _inputs(
    text: ChapterText,
    scenes: Sequence[Mapping[str, Any]],
    mentions: Sequence[tuple[Mention, ...]],
    identities: Sequence[tuple[tuple[str, str], ...]],
    vectors: Sequence[bytes],
) -> ChapterInputs:
    inputs = [
        SceneInputs(_scene(text, scene, named, same), vector)
        for scene, named, same, vector in zip(scenes, mentions, identities, vectors, strict=True)
    ]
    return ChapterInputs(
        text.chapter_id, Ordinal.parse(text.chapter_id), text.language, tuple(inputs)
    )


def _scene(
    text: ChapterText,
    scene: Mapping[str, Any],
    mentions: tuple[Mention, ...],
    identities: tuple[tuple[str, str], ...],
) -> Scene:
    first, last = _sentences(text, scene)
    return Scene(
        scene_id=SceneId(f"{text.chapter_id}/{scene['id']}"),
        first_sentence=first,
        last_sentence=last,
        start=scene["start"],
        end=scene["end"],
        title=scene["title"],
        synopsis=scene["synopsis"],
        significance="",
        mentions=mentions,
        identities=identities,
        words=1,
    )


def _tenths(scenes: int) -> list[frozenset[str]]:
    return [frozenset({str(number * _RUNS // scenes)}) for number in range(scenes)]


def _ways(book: Book) -> dict[str, Scores]:
    scenes = len(book.gold)
    return {
        "names listed": scored(folded(book.listed), book.gold),
        "names found": scored(folded(book.found), book.gold),
        "ten equal runs": scored(_tenths(scenes), book.gold),
        "one thread": scored([frozenset({"all"})] * scenes, book.gold),
        "gold": scored(book.gold, book.gold),
    }


async def _report(books: Sequence[str]) -> None:
    embedder = SifEmbedder()
    scores = {book: _ways(await read_book(shared_data(), book, embedder)) for book in books}
    for way in next(iter(scores.values())):
        print(f"{way:32}     F1  prec.  recall kappa threads each")
        for book, ways in scores.items():
            print(f"  {book:28} {ways[way]}{'  (fitted on)' if book in FITTED_ON else ''}")
        _print_mean("fitted on", [ways[way] for book, ways in scores.items() if book in FITTED_ON])
        _print_mean("others", [ways[way] for book, ways in scores.items() if book not in FITTED_ON])


def _print_mean(label: str, scores: Sequence[Scores]) -> None:
    if scores:
        print(f"  {f'mean of {len(scores)} {label}':28} {mean_scores(scores)}")


if __name__ == "__main__":
    asyncio.run(_report(sys.argv[1:] or english_books(shared_data())))
