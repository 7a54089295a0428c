"""`python -m replay.soak`: kill an indexing process a hundred times and look at what is left."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from replay.soak.driver import Outcome, Plan, soak


def main() -> int:
    """Run the soak as told on the command line; 1 if anything is not as it should be."""
    parser = argparse.ArgumentParser(prog="python -m replay.soak", description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="kills at random moments")
    parser.add_argument("--each", type=int, default=5, help="kills at each crash point")
    parser.add_argument("--seed", type=int, default=1, help="what the chances come from")
    given = parser.parse_args()
    console = Console()
    console.print(f"seed {given.seed}")
    plan = Plan(random=given.kills, each_point=given.each, seed=given.seed)
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        outcome = soak(plan, Path(folder), lambda line: console.print(line, highlight=False))
    console.print(_table(outcome))
    for line in (*outcome.unlike, *outcome.findings, *outcome.left):
        console.print(line, highlight=False)
    return 0 if outcome.sound else 1


def _table(outcome: Outcome) -> Table:
    table = Table("what", "how many", title="Killed and started again")
    for kind, count in sorted(outcome.kills.items()):
        table.add_row(f"kills: {kind}", str(count))
    table.add_row("kills together", str(outcome.kills.total()))
    table.add_row("lives", str(outcome.lives))
    table.add_row("events", str(outcome.events))
    table.add_row("seconds", f"{outcome.seconds:.0f}")
    equal = outcome.works - len(outcome.unlike)
    table.add_row("exports equal to an undisturbed run", f"{equal} of {outcome.works}")
    table.add_row("findings", str(len(outcome.findings)))
    table.add_row("processes left over", str(len(outcome.left)))
    return table


if __name__ == "__main__":
    sys.exit(main())
