"""`python -m replay.soak.generations`: rebuild an index twice while it is read and written."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import tempfile
from pathlib import Path

import structlog
from rich.console import Console
from rich.table import Table

from replay.soak.generations.soaking import Outcome, Plan, soak


def main() -> int:
    """Run the soak as told on the command line; 1 if anything is not as it should be."""
    parser = argparse.ArgumentParser(prog="python -m replay.soak.generations", description=__doc__)
    parser.add_argument("--works", type=int, default=20, help="serials")
    parser.add_argument("--questions", type=int, default=5_000, help="asked at least, in all")
    parser.add_argument("--pace", type=float, default=1.5, help="seconds between two events")
    parser.add_argument("--seed", type=int, default=1, help="what the chances come from")
    parser.add_argument("--keep", type=Path, help="folder for data and logs, kept afterwards")
    given = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    console = Console()
    console.print(f"seed {given.seed}")
    plan = Plan(given.works, given.questions, given.pace, given.seed)
    with tempfile.TemporaryDirectory(prefix="soak-") as passing:
        folder = given.keep or Path(passing)
        folder.mkdir(parents=True, exist_ok=True)
        outcome = asyncio.run(soak(plan, folder, lambda line: console.print(line, highlight=False)))
    console.print(_table(outcome))
    for line in outcome.wrong:
        console.print(line, highlight=False, soft_wrap=True)
    return 1 if outcome.wrong else 0


def _table(outcome: Outcome) -> Table:
    table = Table("what", "how many", title="Rebuilt, swapped, rolled back, swapped, dropped")
    tally = outcome.tally
    for who, count in sorted(tally.given.items()):
        table.add_row(f"answers of {who}", f"{count:,}")
    table.add_row("questions asked", f"{tally.asked:,}")
    table.add_row("answers of no generation", str(len(tally.mixed)))
    table.add_row("questions that failed", str(len(tally.failed)))
    table.add_row("slowest answer", f"{tally.slowest_s:.1f} s")
    table.add_row("withdrawn chapters that came back", str(len(tally.returned)))
    table.add_row("events published", str(outcome.events))
    for generation, verdict in outcome.verdicts.items():
        for what, number in verdict.figures.items():
            table.add_row(f"{generation}: {what}", str(number))
    table.add_row("left of dropped generations", str(len(outcome.left)))
    table.add_row("workers that ended of themselves", str(len(outcome.ended)))
    table.add_row("seconds", f"{outcome.seconds:.0f}")
    return table


if __name__ == "__main__":
    sys.exit(main())
