"""How generations are shown."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from contracts.reports import (
    DropReport,
    GenerationLine,
    GenerationsReport,
    StartReport,
    SwapReport,
)
from streams.cli.costs import estimated_shown

_DIGITS: Final = 8  # of a version, so that a line fits 80 columns
_SHOWN: Final = 12  # differences of two versions; all are in the JSON


def start_shown(report: StartReport) -> RenderableType:
    """Show what is built, beside what, and in what they differ."""
    done = "would be built" if report.dry_run else "goes on" if report.resumed else "is begun"
    lines = [
        Text(
            f"{report.generation} {done} beside {report.beside}, from {report.source} "
            f"(version {report.version})."
        )
    ]
    lines += [Text(f"  {change}", overflow="fold") for change in report.changes[:_SHOWN]]
    more = len(report.changes) - _SHOWN
    if more > 0:
        lines.append(Text(f"  and {more} more"))
    costs = [] if report.estimate is None else [estimated_shown(report.estimate)]
    return Group(*lines, *costs)


def generations_shown(report: GenerationsReport) -> RenderableType:
    """Show each generation with what it is, how far it is and what speaks against it."""
    if not report.generations:
        return Text("Nothing tells of a generation yet: the first one begins with the first write.")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for column in ("Gen.", "", "Version", "From", "Begun (UTC)"):
        table.add_column(column, no_wrap=True)
    for column in ("Works", "Waiting"):
        table.add_column(column, justify="right", no_wrap=True)
    for line in report.generations:
        table.add_row(
            line.generation,
            _state(line),
            line.version[:_DIGITS],
            str(line.source),
            f"{datetime.fromtimestamp(line.started_ms / 1000, UTC):%d %b %H:%M}",
            f"{line.works:,}",
            f"{line.waiting:,}",
        )
    return Group(table, *(note for line in report.generations for note in _notes(line)))


def swap_shown(report: SwapReport) -> RenderableType:
    """Show what readers see now."""
    why = f" ({report.forced})" if report.forced else ""
    return Text(f"Readers see {report.generation} now, and not {report.instead_of}{why}.")


def dropped_shown(report: DropReport) -> RenderableType:
    """Show that it is gone."""
    return Text(f"{report.generation} is gone, with {report.works:,} works.")


def _state(line: GenerationLine) -> str:
    if line.dropped:
        return "being dropped"
    if line.live:
        return "live"
    if line.breaches is None:
        return "built" if not line.waiting else "building"
    return "verified" if not line.breaches else "unfit"


def _notes(line: GenerationLine) -> list[RenderableType]:
    waits = [f"{lag.stage} {lag.waiting:,}" for lag in line.lag if lag.waiting]
    notes: list[RenderableType] = []
    if waits:
        notes.append(Text(f"{line.generation} waits before {', '.join(waits)}."))
    notes += [
        Text(f"{line.generation} held at {hold.stage}: {hold.reason}", style="yellow")
        for hold in line.held
    ]
    notes += [
        Text(f"{line.generation}: {breach}", style="yellow") for breach in line.breaches or ()
    ]
    return notes
