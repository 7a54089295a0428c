"""What was spent, and what will be, shown to people."""

from __future__ import annotations

from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from contracts.reports import Duration, EstimateReport, ReindexEstimate, SpendingReport
from contracts.spending import SpentOnDay, SpentOnWork
from streams.cli.standing import limited

_MINUTES_FROM_S: Final = 120
_HOURS_FROM_S: Final = 7_200


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


def estimated_shown(report: EstimateReport) -> RenderableType:
    """Show what an input, or a new generation, will cost."""
    told = f"{report.chapters:,} chapters, {report.words:,} words"
    if isinstance(report, ReindexEstimate):
        told = f"{report.works:,} works, {told}, from {report.source}"
    if not report.calls:
        lines = [Text(f"{told}: no model is asked, so it costs nothing.")]
    else:
        lines = [
            Text(f"{told}: {report.calls:,} calls to {report.model}, {report.tokens:,} tokens."),
            *_parts(report),
        ]
    if report.remembered:
        free = f"{report.remembered:,} of the calls are in the memo, and are free: "
        lines.append(Text(f"{free}{report.due_tokens:,} tokens are due."))
    if report.money is not None:
        amount = f"{report.money.amount:,.2f} {report.money.currency}".rstrip()
        lines.append(Text(f"At the given prices: {amount}.", style="bold"))
    lines += _times(report.time)
    return Group(*lines, *limited(Text(each, style="yellow") for each in report.problems))


def _parts(report: EstimateReport) -> list[Text]:
    """Tell of each purpose, and how its tokens are known."""
    lines = [
        Text(
            f"  {part.purpose}: {part.calls:,} calls, {part.input_tokens:,} tokens of input, about "
            f"{part.output_tokens:,} of output",
            style="dim",
        )
        for part in report.parts
    ]
    how = "counted by the server" if report.counted else "estimated by length"
    about = f"  What is asked about texts is {how}; an answer that is not valid comes on top."
    return [*lines, Text(about, style="dim")]


def _times(time: Duration) -> list[Text]:
    known = [(time.model_s, "for the model"), (time.local_s, "for all else")]
    told = " and ".join(
        f"{_spoken(seconds)} {what}" for seconds, what in known if seconds is not None
    )
    lines = [Text(f"It takes about {told}.")] if told else []
    return [*lines, *(Text(f"  {each}", style="dim") for each in time.how)]


def _spoken(seconds: float) -> str:
    """Return a time as somebody would say it."""
    if seconds < _MINUTES_FROM_S:
        return f"{max(1, round(seconds))} s"
    if seconds < _HOURS_FROM_S:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3_600:,.1f} h"
