"""`python -m replay.soak.cluster`: kill the workers and servers of a distributed index."""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
from pathlib import Path

import structlog
from rich.console import Console
from rich.table import Table

from replay.soak.cluster_driver import Outcome, Plan, soak


def main() -> int:
    """Run the soak as told on the command line; 1 if anything is not as it should be."""
    parser = argparse.ArgumentParser(prog="python -m replay.soak.cluster", description=__doc__)
    parser.add_argument("--kills", type=int, default=50, help="kills of workers, in all")
    parser.add_argument("--each", type=int, default=2, help="of these at each crash point")
    parser.add_argument("--servers", type=int, default=3, help="kills of each server")
    parser.add_argument("--seed", type=int, default=1, help="what the chances come from")
    parser.add_argument("--keep", type=Path, help="folder for data and logs, kept afterwards")
    given = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    console = Console()
    console.print(f"seed {given.seed}")
    plan = Plan(given.kills, given.each, given.servers, given.seed)
    with tempfile.TemporaryDirectory(prefix="soak-") as passing:
        folder = given.keep or Path(passing)
        folder.mkdir(parents=True, exist_ok=True)
        outcome = soak(plan, folder, lambda line: console.print(line, highlight=False))
    console.print(_table(outcome))
    for line in (*outcome.verdict.sentences, *outcome.ended):
        console.print(line, highlight=False)
    return 0 if outcome.sound else 1


def _table(outcome: Outcome) -> Table:
    table = Table("what", "how many", title="Killed and started again")
    for kind, count in sorted(outcome.kills.items()):
        table.add_row(f"kills: {kind}", str(count))
    table.add_row("kills together", str(outcome.kills.total()))
    table.add_row("workers started", str(outcome.lives))
    table.add_row("events", str(outcome.events))
    table.add_row("seconds", f"{outcome.seconds:.0f}")
    for what, number in outcome.verdict.figures.items():
        table.add_row(what, str(number))
    table.add_row("workers that ended of themselves", str(len(outcome.ended)))
    return table


if __name__ == "__main__":
    sys.exit(main())
