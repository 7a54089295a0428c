"""How a generation compares with the live one, as a person reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from contracts.reports import (
    ChapterState,
    ComparedChapter,
    ComparedQuestion,
    ComparedWork,
    DeadLetterLine,
    FirstFound,
    Size,
    VerifyReport,
)

_SHOWN: Final = 10  # of each sort; all of them are in the JSON
_SHOWN_CHANGE: Final = 160  # characters of one
_CHANGED: Final = 0.5  # less evidence in common than this is another answer

_STATES: Final = {
    ChapterState.MISSING: "missing",
    ChapterState.WAITING: "waiting",
    ChapterState.WITHDRAWN: "withdrawn, and would be shown",
    ChapterState.ADDED: "only in the new one",
    ChapterState.UNCOVERED: "not all in scenes",
}

_T = TypeVar("_T")


def verified_shown(report: VerifyReport) -> RenderableType:
    """Show sizes, works that are not as they should be, questions that changed, the verdict."""
    live, candidate = report.live, report.candidate
    title = f"{candidate.generation} ({candidate.version}) beside the live {live.generation}"
    return Group(
        Text(f"{title} ({live.version})", style="bold"),
        *_limited(report.changes, lambda change: Text(f"  {_cut(change)}")),
        _sizes(report),
        *_works(report.works),
        *_limited(report.dead_letters, _dead),
        *_questions(report.questions),
        *(Text(sentence, style="yellow") for sentence in report.unchecked),
        *_verdict(report),
    )


def _sizes(report: VerifyReport) -> RenderableType:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    table.add_column("")
    for name in ("Works", "Chapters", "Words", "Scenes", "Fallbacks"):
        table.add_column(name, justify="right")
    for name, sizes in (
        (f"{report.live.generation}, live", [work.live for work in report.works]),
        (report.candidate.generation, [work.candidate for work in report.works]),
    ):
        works = sum(size.chapters > 0 for size in sizes)
        table.add_row(name, f"{works:,}", *(f"{count:,}" for count in _total(sizes)))
    return table


def _total(sizes: Sequence[Size]) -> tuple[int, int, int, int]:
    return (
        sum(size.chapters for size in sizes),
        sum(size.words for size in sizes),
        sum(size.scenes for size in sizes),
        sum(size.fallbacks for size in sizes),
    )


# --- works --------------------------------------------------------------------------------------


def _works(works: Sequence[ComparedWork]) -> list[RenderableType]:
    story = sum(work.story_words for work in works)
    covered = sum(work.candidate.words for work in works)
    recut = sum(work.recut for work in works)
    share = covered / story if story else 1.0
    lines: list[RenderableType] = [
        Text(f"{share:.2%} of the story stands in scenes; {recut:,} chapters are cut otherwise.")
    ]
    odd = [work for work in works if work.findings or work.in_state(*_STATES)]
    return lines + _limited(odd, _work)


def _work(work: ComparedWork) -> RenderableType:
    lines: list[RenderableType] = [Text(work.work_id, style="bold")]
    chapters = work.in_state(*_STATES)
    lines += _limited(chapters, _chapter)
    lines += _limited(work.findings, lambda finding: Text(f"  {finding.text}", style="red"))
    return Group(*lines)


def _chapter(chapter: ComparedChapter) -> Text:
    at = "" if chapter.ordinal is None else f" at {chapter.ordinal}"
    why = f": {chapter.reason}" if chapter.reason else ""
    line = f"  chapter {chapter.chapter_id}{at} is {_STATES[chapter.state]}{why}"
    if chapter.state is ChapterState.UNCOVERED and chapter.candidate is not None:
        line += f": {chapter.candidate.words:,} of {chapter.story_words:,} words"
    return Text(line, style="yellow")


def _dead(letter: DeadLetterLine) -> Text:
    what = " ".join(filter(None, (letter.work_id, letter.chapter_id))) or "something"
    return Text(f"Dead letter of {letter.stage}: {what}: {letter.reason}", style="yellow")


# --- questions ----------------------------------------------------------------------------------


def _questions(questions: Sequence[ComparedQuestion]) -> list[RenderableType]:
    if not questions:
        return []
    changed = sorted(filter(_is_changed, questions), key=lambda each: each.overlap)
    mean = sum(each.overlap for each in questions) / len(questions)
    lines: list[RenderableType] = [
        Text(),
        Text(
            f"{len(questions):,} questions: {mean:.1%} of the evidence is the same; "
            f"{len(changed):,} changed.",
            style="bold",
        ),
    ]
    found = [each.found for each in questions if each.found is not None]
    if found:
        before, now = (sum(each[side] for each in found) for side in (0, 1))
        lines.append(
            Text(f"Of {len(found):,} sentences {before:,} were found, and {now:,} now are.")
        )
    return lines + _limited(changed, _question)


def _is_changed(question: ComparedQuestion) -> bool:
    return question.first_changed or question.overlap < _CHANGED


def _question(question: ComparedQuestion) -> RenderableType:
    lost = question.found == (True, False)
    head = f"{question.work_id} as of {question.as_of}, {question.overlap:.0%} the same"
    return Group(
        Text.assemble((head, "bold"), ", no longer found" if lost else ""),
        Padding(Text(f"? {_cut(question.question)}"), (0, 0, 0, 2)),
        _first("-", question.live),
        _first("+", question.candidate),
    )


def _first(sign: str, found: FirstFound | None) -> RenderableType:
    told = "(nothing)" if found is None else f"chapter {found.ordinal}: {found.text}"
    return Padding(Text(f"{sign} {told}"), (0, 0, 0, 2))


# --- the verdict --------------------------------------------------------------------------------


def _verdict(report: VerifyReport) -> list[RenderableType]:
    if report.passed:
        return [Text(), Text("Nothing speaks against a swap.", style="bold green")]
    lines: list[RenderableType] = [Text(), Text("Against a swap:", style="bold red")]
    return [*lines, *(Padding(Text(each.text), (0, 0, 0, 2)) for each in report.breaches)]


def _limited(found: Iterable[_T], shown: Callable[[_T], RenderableType]) -> list[RenderableType]:
    everything = list(found)
    lines = [shown(each) for each in everything[:_SHOWN]]
    more = len(everything) - _SHOWN
    if more > 0:
        lines.append(Text(f"  … and {more:,} more (--json has all)", style="dim"))
    return lines


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN_CHANGE else line[:_SHOWN_CHANGE] + " …"
