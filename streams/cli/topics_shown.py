"""How topics are shown."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from contracts.reports import TopicLine, TopicsReport


def topics_shown(report: TopicsReport) -> RenderableType:
    """Show the topics that there are, what was done, and each fault."""
    parts: list[RenderableType] = [_table(report)] if report.topics else []
    if report.made:
        parts.append(Text(f"Made: {', '.join(report.made)}."))
    if report.altered:
        parts.append(Text(f"Set right: {', '.join(report.altered)}."))
    parts += [Text(fault, style="yellow") for fault in report.faults]
    if not report.faults:
        parts.append(Text("All topics are as they must be.", style="dim"))
    return Group(*parts)


def _table(report: TopicsReport) -> Table:
    table = Table("topic", box=None, pad_edge=False)
    for title in ("partitions", "replicas", "kept"):
        table.add_column(title, justify="right")
    for line in report.topics:
        table.add_row(line.name, str(line.partitions), str(line.replication), _kept(line))
    return table


def _kept(line: TopicLine) -> str:
    return "without limit" if line.keep_days is None else f"{line.keep_days:,.1f} days"
