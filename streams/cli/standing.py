"""How things stand, as a person reads it: `status`, `doctor`, and what `index` did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from contracts.forecasts import Forecast
from contracts.reports import (
    DeadLetterLine,
    DoctorReport,
    Hold,
    IndexReport,
    PausedWork,
    PublishReport,
    PurgeReport,
    RepairReport,
    StageLag,
    StatusReport,
    WithdrawReport,
    WorkStatus,
)
from streams.cli.progress import Rate

_SHOWN_LINES: Final = 20  # of one sort; all of them are in the JSON


def status_shown(report: StatusReport) -> RenderableType:
    """Show all works, then what is not as it should be."""
    lines: list[RenderableType] = [_works(report.works)] if report.works else []
    if report.index_version:
        lines.append(_version(report))
    for work in report.works:
        lines += limited(_notes_of(work))
    waits = [_waits(lag) for lag in report.lag if lag.waiting]
    lines.append(Text(f"Waiting: {', '.join(waits)}." if waits else "Nothing waits."))
    lines += [paused_shown(work) for work in report.paused]
    lines += [_held(hold) for hold in report.held]
    if report.dead_letters:
        lines.append(
            Text(f"Dead letters: {len(report.dead_letters)} (storygraft dlq ls)", style="yellow")
        )
        lines += limited(_dead(letter) for letter in report.dead_letters)
    return Group(*lines)


def _version(report: StatusReport) -> RenderableType:
    told = f"{report.generation} is live, index version {report.index_version}"
    if report.settings_version == report.index_version:
        return Text(f"{told}.", style="dim")
    return Text(
        f"{told}; these settings make {report.settings_version}: they do not write to it "
        "(storygraft reindex).",
        style="yellow",
    )


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
    if work.waiting:
        yield Text(f"{work.work_id}: {work.waiting:,} events wait before a stage")
    if work.calls:
        yield Text(f"{work.work_id}: {work.tokens:,} tokens in {work.calls:,} answers of a model")
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
        lines += limited(Text(f"  {finding.text}") for finding in work.findings)
    if report.log:
        lines.append(Text(f"The event log: {len(report.log)} found", style="bold red"))
        lines += limited(Text(f"  {finding.text}") for finding in report.log)
    lines = lines or [Text("There is no work to check.")]
    return Group(*lines, *(Text(each, style="dim") for each in report.unchecked))


def index_shown(report: IndexReport, rate: Rate | None) -> RenderableType:
    """Show what was done with an input, and what failed."""
    lines: list[RenderableType] = [_done(report)]
    if report.resumed:
        lines.append(Text(f"{report.resumed} events that were waiting are indexed too."))
    if rate is not None:
        lines.append(Text(f"Indexed {rate}.", style="dim"))
    lines += [Text(note, style="dim") for note in report.notes]
    lines += limited(Text(problem, style="yellow") for problem in report.problems)
    lines += limited(_dead(letter) for letter in report.dead_letters)
    if report.refused:
        lines.append(
            Text(
                f"{report.refused} could not be read before either and are the same still; "
                "`storygraft status` says why.",
                style="yellow",
            )
        )
    lines += _still_withdrawn(report)
    if report.missing:
        lines.append(
            Text(f"{report.missing} chapters that are indexed are not in the input; they stay.")
        )
    lines += [_held(hold) for hold in report.held]
    if report.held:
        lines.append(Text("Nothing is lost: run the same command again when it can be reached."))
    return Group(*lines)


def published_shown(report: PublishReport) -> RenderableType:
    """Show what was appended to the log."""
    lines: list[RenderableType] = [_done(report)]
    lines.append(Text(f"{report.appended} events appended to the log.", style="dim"))
    lines += _still_withdrawn(report)
    lines += [Text(note, style="dim") for note in report.notes]
    lines += limited(Text(problem, style="yellow") for problem in report.problems)
    return Group(*lines)


def forecast_shown(foretold: Forecast) -> RenderableType:
    """Show what a change would do, and what it would ask a model."""
    lines: list[RenderableType] = [
        Text(f"Events to apply: {foretold.events}. Chapters to fold: {foretold.folded}."),
        Text(f"Model calls: {len(foretold.calls)}; from the memo: {foretold.remembered}."),
    ]
    lines += limited(
        Text(f"  {call.work_id}, chapter {call.chapter_id}: {call.purpose}")
        for call in foretold.calls
    )
    if foretold.waiting:
        lines.append(
            Text(f"{foretold.waiting} events wait in the log and come before it.", style="yellow")
        )
    lines += limited(Text(each, style="yellow") for each in foretold.problems)
    return Group(*lines)


def withdrawn_shown(report: WithdrawReport) -> RenderableType:
    """Show what was taken back."""
    lines: list[RenderableType] = []
    if report.whole and report.chapters:
        lines.append(Text(f"{report.work_id}: the whole work is withdrawn."))
    elif report.chapters:
        lines.append(Text(f"{report.work_id}: withdrawn {', '.join(report.chapters)}."))
    elif report.whole:
        lines.append(Text(f"{report.work_id}: nothing of it is published."))
    lines += limited(
        Text(f"{report.work_id}: there is no chapter {each} to withdraw.", style="yellow")
        for each in report.unknown
    )
    return Group(*lines)


def paused_shown(work: PausedWork) -> Text:
    """Show that a work waits, or goes on."""
    waits = f"events that wait: {work.waiting:,}"
    if work.paused:
        why = f": {work.reason}" if work.reason else f" (storygraft resume {work.work_id})."
        return Text(f"{work.work_id} is paused; {waits}{why}")
    if work.held is not None:
        return Text.assemble(("held", "bold red"), f" {work.work_id}; {waits}: {work.held}")
    return Text(f"{work.work_id} goes on; {waits}.")


def purged_shown(report: PurgeReport) -> RenderableType:
    """Show what was removed, and what somebody else must remove."""
    gone = ", ".join(chapter.chapter_id for chapter in report.chapters) or "nothing"
    lines: list[RenderableType] = [Text(f"{report.work_id}: purged {gone}.")]
    told = (
        f"{report.records} records of the log emptied, {report.dead_letters} dead letters and "
        f"{report.memo_entries} memo entries dropped; {report.works} works written anew."
    )
    lines.append(Text(told, style="dim"))
    lines += [Text(each, style="yellow") for each in report.remains]
    return Group(*lines)


def repaired_shown(report: RepairReport) -> RenderableType:
    """Show what was mended (or would be), and what is still wrong."""
    verb = "to do" if report.dry_run else "done"
    lines: list[RenderableType] = []
    for work in report.works:
        lines.append(Text(f"{work.work_id}:", style="bold"))
        lines += limited(Text(f"  {verb}: {each}") for each in work.done)
        lines += limited(
            Text(f"  cannot be mended: {each}", style="red") for each in work.not_mendable
        )
        if not report.dry_run:
            lines += limited(
                Text(f"  still wrong: {each.text}", style="red") for each in work.findings
            )
    lines += [Text(f"The event log, {verb}: {each}") for each in report.log_done]
    if not report.dry_run:
        lines += [Text(f"The event log: {each.text}", style="red") for each in report.log]
    return Group(*lines) if lines else Text("Everything is sound.", style="green")


def _still_withdrawn(report: IndexReport | PublishReport) -> list[RenderableType]:
    if not report.withdrawn:
        return []
    told = f"Withdrawn, and not brought back: {report.withdrawn} (--republish does)."
    return [Text(told, style="yellow")]


def _done(report: IndexReport | PublishReport) -> Text:
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


def _waits(lag: StageLag) -> str:
    """Say what lies before a stage, and where its topic has several partitions, in which."""
    told = f"{lag.waiting:,} before {lag.stage}"
    if {line.partition for line in lag.partitions} <= {0}:
        return told
    places = [f"{line.waiting:,} in {line.partition}" for line in lag.partitions]
    return f"{told} ({', '.join(places)})"


def _held(hold: Hold) -> Text:
    where = f" partition {hold.partition}" if hold.partition else ""
    return Text.assemble(("held", "bold red"), f"{where} before {hold.stage}: {hold.reason}")


def _dead(letter: DeadLetterLine) -> Text:
    whose = letter.work_id or "unknown work"
    if letter.chapter_id:
        whose += f", chapter {letter.chapter_id}"
    told = f"  {whose} ({letter.source} {letter.offset}, {letter.stage}): {letter.reason}"
    return Text(told, style="yellow")


def limited(lines: Iterable[Text]) -> list[RenderableType]:
    """Return as many of `lines` as a person reads, and how many there are besides."""
    shown = list(lines)
    more = len(shown) - _SHOWN_LINES
    rest = [Text(f"  … and {more} more (--json shows all)", style="dim")] if more > 0 else []
    return [*shown[:_SHOWN_LINES], *rest]
