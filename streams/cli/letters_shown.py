"""How dead letters are shown. It is other people's text: nothing of it commands a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from contracts.reports import (
    LetterLine,
    LetterReport,
    LettersReport,
    Settled,
    SettledReport,
)


def letters_shown(report: LettersReport) -> RenderableType:
    """Show letters, and how many of each kind are open."""
    if not report.letters:
        return Text("No dead letter.")
    kinds = Counter(letter.kind for letter in report.letters if letter.settled is None)
    told = ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items()))
    return Group(*_lines(report.letters), Text(f"Open: {told or 'none'}.", style="dim"))


def letter_shown(report: LetterReport) -> RenderableType:
    """Show where a letter came from, whose it is, and what is wrong."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in _facts(report):
        table.add_row(name, Text(visible(value)))
    return table


def settled_shown(report: SettledReport) -> RenderableType:
    """Show which letters were settled, or would be, and which were refused."""
    lines = [*_lines(report.letters)]
    lines.append(Text(_done(report)))
    lines += [
        Text(f"{visible(each.letter)} stays: {visible(each.reason)}", style="yellow")
        for each in report.refused
    ]
    if report.how is Settled.RETRIED and report.letters and not report.dry_run:
        lines.append(Text("`storygraft status` tells what becomes of them.", style="dim"))
    return Group(*lines)


def lies_in(letter: LetterLine) -> str:
    """Say where the record lies that became the letter."""
    return (
        f"what came lies in {letter.source}, partition {letter.partition}, offset {letter.offset}"
    )


def visible(text: str) -> str:
    """Return `text` with what is no printable character written as an escape; lines stay."""
    return "".join(
        each if each.isprintable() or each == "\n" else each.encode("unicode_escape").decode()
        for each in text
    )


def _done(report: SettledReport) -> str:
    count = len(report.letters)
    if not count:
        return "No open letter is meant."
    if report.how is Settled.DROPPED:
        return f"{'Would drop' if report.dry_run else 'Dropped'}: {count:,}."
    verb = "Would send again" if report.dry_run else "Sent again"
    same = "" if report.appended == count else f", letters of {report.appended:,} records"
    return f"{verb}: {count:,}{same}."


def _lines(letters: Iterable[LetterLine]) -> Iterator[Text]:
    """Two lines a letter: which one and when, then whose and why."""
    for letter in letters:
        settled = f", {letter.settled}" if letter.settled is not None else ""
        about = f"  {_time(letter.time)}  {letter.stage or '?'}  {letter.kind}{settled}"
        yield Text.assemble((visible(letter.letter), "bold"), visible(about))
        whose = letter.work_id or "unknown work"
        if letter.chapter_id:
            whose += f", chapter {letter.chapter_id}"
        yield Text(f"  {visible(whose)}: {visible(letter.reason)}")


def _facts(report: LetterReport) -> Iterator[tuple[str, str]]:
    letter = report.letter
    yield "letter", letter.letter
    yield "died", f"{_time(letter.time)} in stage {letter.stage or '?'}"
    yield (
        "came from",
        f"{letter.source or '?'}, partition {letter.partition}, offset {letter.offset}",
    )
    yield "kind", letter.kind
    yield "reason", letter.reason
    for name, value in (
        ("work", letter.work_id),
        ("chapter", letter.chapter_id),
        ("ordinal", letter.ordinal),
        ("event", letter.event),
        ("revision", letter.revision),
        ("position", letter.position),
    ):
        if value is not None:
            yield name, str(value)
    if report.key is not None:
        yield "key", report.key.data
    yield "bytes", "none here" if letter.size is None else f"{letter.size:,} (--body writes them)"
    if letter.settled is not None and letter.settled_at is not None:
        yield "settled", f"{letter.settled}, {_time(letter.settled_at)}"


def _place(letter: LetterLine) -> str:
    return f"{letter.source or '?'}, partition {letter.partition}, offset {letter.offset}"


def _time(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S}Z"
