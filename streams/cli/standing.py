"""How things stand, as a person reads it: `status`, `doctor`, and what `index` did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from contracts.reports import (
    DeadLetterLine,
    DoctorReport,
    Hold,
    IndexReport,
    StatusReport,
    WorkStatus,
)
from streams.cli.progress import Rate

_SHOWN_LINES: Final = 20  # of one sort; all of them are in the JSON


def status_shown(report: StatusReport) -> RenderableType:
    """Show all works, then what is not as it should be."""
    lines: list[RenderableType] = [_works(report.works)] if report.works else []
    for work in report.works:
        lines += _limited(_notes_of(work))
    waits = [f"{lag.waiting} before {lag.stage}" for lag in report.lag if lag.waiting]
    lines.append(Text(f"Waiting: {', '.join(waits)}." if waits else "Nothing waits."))
    lines += [_held(hold) for hold in report.held]
    if report.dead_letters:
        lines.append(Text(f"Dead letters: {len(report.dead_letters)}", style="yellow"))
        lines += _limited(_dead(letter) for letter in report.dead_letters)
    return Group(*lines)


def _works(works: Iterable[WorkStatus]) -> RenderableType:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    table.add_column("Work", overflow="fold")
    for column in ("Chapters", "To", "Words", "Scenes", "Storylines", "Gen."):
        table.add_column(column, justify="right", no_wrap=True)
    for work in works:
        table.add_row(
            Text(work.work_id),
            f"{work.chapters:,}",
            "" if work.indexed_to is None else str(work.indexed_to),
            f"{work.words:,}",
            f"{work.scenes:,}",
            f"{work.storylines:,}",
            work.generation,
        )
    return table


def _notes_of(work: WorkStatus) -> Iterator[Text]:
    for gap in work.gaps:
        at = "" if gap.ordinal is None else f" at {gap.ordinal}"
        yield Text(f"{work.work_id}: chapter {gap.chapter_id}{at} is a gap: {gap.reason}")
    for warned in work.warnings:
        told = ", ".join(each.value.replace("_", " ") for each in warned.warnings)
        yield Text(f"{work.work_id}: chapter {warned.chapter_id} at {warned.ordinal}: {told}")
    for tie in work.ties:
        told = ", ".join(tie.chapter_ids)
        yield Text(
            f"{work.work_id}: {len(tie.chapter_ids)} chapters stand at {tie.ordinal}: {told}"
        )
    for each in work.outcomes:
        told = f"the last event of chapter {each.chapter_id} was {each.outcome.value}"
        yield Text(f"{work.work_id}: {told}")


def doctor_shown(report: DoctorReport) -> RenderableType:
    """Show what was found, work by work."""
    lines: list[RenderableType] = []
    for work in report.works:
        if not work.findings:
            lines.append(Text(f"{work.work_id}: sound.", style="green"))
            continue
        lines.append(Text(f"{work.work_id}: {len(work.findings)} found", style="bold red"))
        lines += _limited(Text(f"  {finding}") for finding in work.findings)
    return Group(*lines) if lines else Text("There is no work to check.")


def index_shown(report: IndexReport, rate: Rate | None) -> RenderableType:
    """Show what was done with an input, and what failed."""
    lines: list[RenderableType] = [_done(report)]
    if report.resumed:
        lines.append(Text(f"{report.resumed} events that were waiting are indexed too."))
    if rate is not None:
        lines.append(Text(f"Indexed {rate}.", style="dim"))
    lines += [Text(note, style="dim") for note in report.notes]
    lines += _limited(Text(problem, style="yellow") for problem in report.problems)
    lines += _limited(_dead(letter) for letter in report.dead_letters)
    if report.refused:
        lines.append(
            Text(
                f"{report.refused} could not be read before either and are the same still; "
                "`storygraft status` says why.",
                style="yellow",
            )
        )
    if report.missing:
        lines.append(
            Text(f"{report.missing} chapters that are indexed are not in the input; they stay.")
        )
    lines += [_held(hold) for hold in report.held]
    if report.held:
        lines.append(Text("Nothing is lost: run the same command again when it can be reached."))
    return Group(*lines)


def _done(report: IndexReport) -> Text:
    counts = {
        "new": report.new,
        "changed": report.changed,
        "moved": report.moved,
        "unchanged": report.unchanged,
    }
    always = ("new", "changed", "unchanged") if report.unit == "chapters" else ("new", "unchanged")
    told = [f"{count} {what}" for what, count in counts.items() if count or what in always]
    head = (", ".join(report.works) or "nothing", "bold")
    return Text.assemble(head, f": {', '.join(told)} {report.unit}.")


def _held(hold: Hold) -> Text:
    return Text.assemble(("held", "bold red"), f" before {hold.stage}: {hold.reason}")


def _dead(letter: DeadLetterLine) -> Text:
    whose = letter.work_id or "unknown work"
    if letter.chapter_id:
        whose += f", chapter {letter.chapter_id}"
    told = f"  {whose} ({letter.source} {letter.offset}, {letter.stage}): {letter.reason}"
    return Text(told, style="yellow")


def _limited(lines: Iterable[Text]) -> list[RenderableType]:
    shown = list(lines)
    more = len(shown) - _SHOWN_LINES
    rest = [Text(f"  … and {more} more (--json shows all)", style="dim")] if more > 0 else []
    return [*shown[:_SHOWN_LINES], *rest]
