"""Index every book of the shared data into a home of its own, and check each.

Run as `python -m replay.evaluation.corpus [BOOK ...]`; exits with 1 if anything is wrong.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import tempfile
import time
from pathlib import Path

import structlog

from contracts.words import count_words
from graph.exporting import export
from replay.evaluation.completeness import troubles
from replay.evaluation.shared_data import shared_data
from streams import indexing
from streams.inputs.reading import read_input
from streams.inputs.values import ChapterInput, Naming
from streams.operations import NOBODY
from streams.session import Home
from streams.settings import Settings
from streams.wiring import open_home


async def main(names: list[str]) -> int:
    """Index the named books (all without names), print a line each, return the exit code."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    files = sorted(shared_data("books").glob("*.json")) + sorted(shared_data("cjk").glob("*.json"))
    chosen = [file for file in files if not names or file.stem in names]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        async with open_home(Settings(home=Path(folder))) as home:
            for file in chosen:
                wrong += await _check(home, file)
    print(f"{len(chosen)} books, {wrong} troubles")
    return 1 if wrong or not chosen else 0


async def _check(home: Home, file: Path) -> int:
    given = read_input(file, Naming())
    if not isinstance(given, ChapterInput):
        raise SystemExit(f"{file.name} is no serial")
    started = time.perf_counter()
    report = await indexing.index(home, given, NOBODY)
    seconds = time.perf_counter() - started
    bodies = {str(chapter.chapter_id): chapter.body for chapter in given.chapters}
    exported = await export(await home.view(given.described.work_id, None), with_text=True)
    found = troubles(exported, bodies)
    found += [str(problem) for problem in (*report.problems, *report.dead_letters, *report.held)]
    words = sum(map(count_words, bodies.values()))
    scenes = sum(len(chapter.scenes) for chapter in exported.chapters)
    print(
        f"{file.stem:32} {len(bodies):4} chapters {words:8,} words {scenes:5} scenes "
        f"{len(exported.storylines):4} storylines {words / seconds:8,.0f} words/s"
    )
    for trouble in found:
        print(f"    {trouble}")
    return len(found)


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
