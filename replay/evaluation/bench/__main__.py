"""Measures and prints: `python -m replay.evaluation.bench [index] [ask]` (both without either).

Exits with 1 when something takes longer than it may. Times of different runs cannot be compared
on a machine that does other things too; ratios within one run can.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
from collections.abc import Sequence
from typing import Final

import structlog

from replay.evaluation.bench import asking, indexing, tables
from replay.evaluation.bench.figures import (
    ASK_P95_S,
    COLD_ASK_S,
    MOST_TIMES_THE_FLOOR,
    Spread,
    times_floor,
)
from replay.evaluation.bench.floor import load_models
from replay.evaluation.bench.texts import asked_novel, beginning

_SIZES: Final = (25_000, 50_000, 100_000)


async def _index(repeat: int, sizes: Sequence[int]) -> bool:
    """Measure indexing; say whether it is fast enough at the largest size."""
    await load_models()
    runs: dict[int, list[indexing.Indexed]] = {}
    for size in sizes:
        given = beginning(size)
        runs[size] = [await indexing.measure(given) for _ in range(repeat)]
        tables.indexed(runs[size])
    tables.grown([runs[size] for size in sizes])
    largest = runs[max(sizes)]
    times = times_floor([run.seconds for run in largest], [run.floor for run in largest])
    return tables.verdict("indexing, times its floor", times.middle, MOST_TIMES_THE_FLOOR)


async def _ask(repeat: int) -> bool:
    """Measure asking; say whether it is fast enough."""
    novel = asked_novel()
    async with asking.indexed_home(novel) as settings:
        here = await asking.in_process(settings, novel)
        there = await asking.over_http(settings, novel)
        cold = Spread.of([await asking.cold(settings, novel, nth) for nth in range(repeat)])
    tables.asked(novel, {"in the process": here, "of the owner, over HTTP": there}, cold)
    return all(
        [
            tables.verdict("ask of a warm owner, p95 in seconds", there.p95, ASK_P95_S),
            tables.verdict("cold ask, seconds", cold.middle, COLD_ASK_S),
        ]
    )


async def main(arguments: Sequence[str]) -> int:
    """Measure what is asked for and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m replay.evaluation.bench")
    parser.add_argument("parts", nargs="*", choices=["index", "ask", []], help="both without")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each measurement")
    parser.add_argument("--words", type=int, nargs="*", default=_SIZES, help="sizes to index")
    told = parser.parse_args(arguments)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    tables.machine(os.cpu_count() or 1, os.getloadavg()[0])
    good = True
    if not told.parts or "index" in told.parts:
        good &= await _index(told.repeat, told.words)
    if not told.parts or "ask" in told.parts:
        good &= await _ask(told.repeat)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
