"""What was spent, and what will be, shown to people."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from contracts.reports import SpendingReport
from contracts.spending import SpentOnDay, SpentOnWork


def spending_shown(report: SpendingReport) -> RenderableType:
    """Show what was spent, a line a generation, day and purpose."""
    if not report.total.calls:
        return Text("Nothing was spent.")
    table = Table(box=None, pad_edge=False)
    for name in ("Generation", "Day" if report.work_id is None else "Work", "Purpose"):
        table.add_column(name)
    for name in ("Calls", "Input", "Output", "Tokens"):
        table.add_column(name, justify="right")
    lines: list[SpentOnDay | SpentOnWork] = [*report.by_day, *report.by_work]
    for spent in lines:
        of = spent.day if isinstance(spent, SpentOnDay) else spent.work_id
        counts = (spent.calls, spent.input_tokens, spent.output_tokens, spent.tokens)
        row = (spent.generation or "none", of, spent.purpose, *(f"{n:,}" for n in counts))
        table.add_row(*row)
    total = f"{report.total.tokens:,} tokens in {report.total.calls:,} calls."
    return Group(table, Text(total, style="bold"))
