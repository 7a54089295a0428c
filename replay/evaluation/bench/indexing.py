"""How long indexing takes, end to end and stage by stage, with its floor beside it."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from contracts.ids import FIRST_GENERATION
from contracts.scenes import ChapterText
from contracts.vectors import VectorRow
from processors.cohesion import CohesionSegmenter
from processors.names import find_identities, find_mentions
from processors.sif import SifEmbedder
from processors.text import read_chapter
from replay.evaluation.bench.figures import Floor
from replay.evaluation.bench.floor import floor_of
from replay.evaluation.bench.stopwatch import Stopwatch
from replay.evaluation.bench.texts import words_of
from streams import indexing
from streams.inputs.values import ChapterInput
from streams.operations import NOBODY
from streams.session import Home
from streams.settings import Settings
from streams.topology import topology
from streams.wiring import open_home


@dataclass(frozen=True, slots=True)
class Indexed:
    """One run: how long it took, and its parts; `alone` are steps of a stage, measured apart."""

    words: int
    rows: int
    seconds: float
    parts: Mapping[str, float]
    alone: Mapping[str, float]
    floor: Floor


async def measure(given: ChapterInput) -> Indexed:
    """Index `given` into a new home, whose opening does not count, then measure the floor."""
    watch = Stopwatch()
    with tempfile.TemporaryDirectory() as folder:
        async with open_home(Settings(home=Path(folder))) as opened:
            home = _watched(opened, watch)
            started = time.perf_counter()
            report = await indexing.index(home, given, NOBODY)
            seconds = time.perf_counter() - started
            if report.new != len(given.chapters) or report.dead_letters or report.held:
                raise RuntimeError(f"not everything was indexed: {report}")
            rows = await _rows(opened, given)
    return Indexed(
        words_of(given),
        len(rows),
        seconds,
        dict(watch.seconds),
        await _alone(given),
        await floor_of(rows),
    )


def _watched(home: Home, watch: Stopwatch) -> Home:
    """Return the home with the same stages on the same stores, all of them timed."""
    log = watch.port(home.log, "log")
    ports = replace(
        home.ports,
        log=log,
        vectors=watch.port(home.vectors, "vectors"),
        tree=watch.port(home.tree, "graph"),
    )
    return replace(home, log=log, stages=tuple(map(watch.stage, topology(ports))))


async def _rows(home: Home, given: ChapterInput) -> list[VectorRow]:
    work = given.described.work_id
    keys = await home.vectors.keys(work, FIRST_GENERATION)
    found = await home.vectors.fetch(work, FIRST_GENERATION, keys)
    return [found[key] for key in sorted(found)]


async def _alone(given: ChapterInput) -> Mapping[str, float]:
    """Measure steps of the segment stage one by one, on the same chapters."""
    watch = Stopwatch()
    segmenter = CohesionSegmenter(SifEmbedder())
    chapters: list[ChapterText] = []
    with watch.running("sentences and paratext"):
        chapters.extend(map(read_chapter, given.chapters))
    with watch.running("names"):
        for chapter in chapters:
            find_mentions(chapter, [(1, len(chapter.sentences))])
            find_identities(chapter, [(1, len(chapter.sentences))])
    with watch.running("segmenter, names included"):
        for chapter in map(ChapterText.model_copy, chapters):  # whose names nobody knows yet
            await segmenter.segment(chapter)
    return watch.seconds
