"""What speaks against making a generation the live one: each threshold that it does not keep."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from contracts.reports import (
    Breach,
    BreachKind,
    ChapterState,
    ComparedChapter,
    ComparedQuestion,
    ComparedWork,
    Hold,
    StageLag,
)
from contracts.verifying import Thresholds

_NAMED: Final = 3  # of what a sentence is about; the report has all
_FEW_SCENES: Final = 20  # of a work with fewer in both, two chapters can make a factor of any size
_FEW_FALLBACKS: Final = 1  # one chapter that no model can read is no failing model


@dataclass(frozen=True, slots=True)
class Seen:
    """All that was looked at."""

    works: Sequence[ComparedWork]
    questions: Sequence[ComparedQuestion]
    lag: Sequence[StageLag]
    held: Sequence[Hold]


def breaches(seen: Seen, limits: Thresholds) -> tuple[Breach, ...]:
    """Return what speaks against a swap, each in one sentence; nothing if all is well."""
    checks = (
        _held(seen),
        _waiting(seen, limits),
        _missing(seen, limits),
        _withdrawn(seen),
        _findings(seen, limits),
        _coverage(seen, limits),
        _words(seen, limits),
        _scenes(seen, limits),
        _fallbacks(seen, limits),
        _lost(seen, limits),
        _overlap(seen, limits),
    )
    return tuple(breach for check in checks for breach in check)


def _held(seen: Seen) -> Iterator[Breach]:
    for hold in seen.held:
        work = f" (work {hold.work_id})" if hold.work_id else ""
        yield _breach(BreachKind.HELD, f"stage {hold.stage} is held{work}: {hold.reason}")


def _waiting(seen: Seen, limits: Thresholds) -> Iterator[Breach]:
    waits = sum(lag.waiting for lag in seen.lag)
    if waits > limits.waiting:
        stages = ", ".join(f"{lag.waiting:,} before {lag.stage}" for lag in seen.lag if lag.waiting)
        yield _breach(
            BreachKind.WAITING,
            f"{waits:,} events are not in it yet ({stages}); "
            f"{limits.waiting:,} may be on their way",
        )


def _missing(seen: Seen, limits: Thresholds) -> Iterator[Breach]:
    found = _chapters(seen, ChapterState.MISSING)
    if len(found) > limits.missing:
        yield _breach(
            BreachKind.MISSING,
            f"{_count(found, 'chapter')} that readers see now would be gone or out of date: "
            f"{_named(found)}",
        )


def _withdrawn(seen: Seen) -> Iterator[Breach]:
    found = _chapters(seen, ChapterState.WITHDRAWN)
    if found:
        yield _breach(
            BreachKind.WITHDRAWN,
            f"{_count(found, 'chapter')} withdrawn by now would be shown again: {_named(found)}",
        )


def _findings(seen: Seen, limits: Thresholds) -> Iterator[Breach]:
    found = [(work.work_id, each.text) for work in seen.works for each in work.findings]
    if len(found) > limits.findings:
        named = "; ".join(f"{work}: {text}" for work, text in found[:_NAMED])
        yield _breach(
            BreachKind.FINDINGS,
            f"{_count(found, 'fault')} in what is stored: {named}{_more(found)}",
        )


def _coverage(seen: Seen, limits: Thresholds) -> Iterator[Breach]:
    yield from _of_works(
        seen,
        BreachKind.COVERAGE,
        lambda work: work.coverage < limits.coverage,
        f"less than {limits.coverage:.1%} of the story stands in scenes",
        lambda work: f"{work.coverage:.2%}",
    )


def _words(seen: Seen, limits: Thresholds) -> Iterator[Breach]:
    def lost(work: ComparedWork) -> float:
        """Return which share of the words is gone, of the chapters that both show."""
        apart = work.in_state(ChapterState.MISSING, ChapterState.WAITING)
        before = work.live.words - sum(each.live.words for each in apart if each.live)
        now = work.candidate.words - sum(each.candidate.words for each in apart if each.candidate)
        return (before - now) / before if before else 0.0

    yield from _of_works(
        seen,
        BreachKind.WORDS,
        lambda work: lost(work) > limits.words_lost,
        f"the story would have more than {limits.words_lost:.1%} fewer words",
        lambda work: f"{lost(work):.2%}",
    )


def _scenes(seen: Seen, limits: Thresholds) -> Iterator[Breach]:
    def factor(work: ComparedWork) -> float:
        """Return by what factor the scenes are more or fewer, chapter for chapter."""
        sizes = (work.live, work.candidate)
        few = max(size.scenes for size in sizes) < _FEW_SCENES
        if few or any(size.chapters == 0 for size in sizes):
            return 1.0
        there, here = (max(1, size.scenes) / size.chapters for size in sizes)
        return max(there / here, here / there)

    yield from _of_works(
        seen,
        BreachKind.SCENES,
        lambda work: factor(work) > limits.scenes_factor,
        f"scenes are more than {limits.scenes_factor:g} times as many or as few as now",
        lambda work: f"{work.live.scenes:,} and then {work.candidate.scenes:,}",
    )


def _fallbacks(seen: Seen, limits: Thresholds) -> Iterator[Breach]:
    yield from _of_works(
        seen,
        BreachKind.FALLBACKS,
        lambda work: (
            work.candidate.fallbacks
            > max(_FEW_FALLBACKS, limits.fallbacks * work.candidate.chapters)
        ),
        f"in more than {limits.fallbacks:.1%} of the chapters no answer of the model was of use",
        lambda work: f"{work.candidate.fallbacks:,} of {work.candidate.chapters:,}",
    )


def _lost(seen: Seen, limits: Thresholds) -> Iterator[Breach]:
    made = [each.found for each in seen.questions if each.found is not None]
    lost = sum(live and not candidate for live, candidate in made)
    gained = sum(candidate and not live for live, candidate in made)
    if made and lost - gained > limits.lost * len(made):
        yield _breach(
            BreachKind.LOST,
            f"of {len(made):,} sentences that were asked for {lost:,} are no longer found and "
            f"{gained:,} only now: more than {limits.lost:.1%} are lost",
        )


def _overlap(seen: Seen, limits: Thresholds) -> Iterator[Breach]:
    if not seen.questions:
        return
    mean = sum(each.overlap for each in seen.questions) / len(seen.questions)
    if mean < limits.overlap:
        yield _breach(
            BreachKind.OVERLAP,
            f"only {mean:.1%} of the evidence for {len(seen.questions):,} questions is the same; "
            f"it should be {limits.overlap:.1%}",
        )


def _of_works(
    seen: Seen,
    kind: BreachKind,
    broken: Callable[[ComparedWork], bool],
    what: str,
    told: Callable[[ComparedWork], str],
) -> Iterator[Breach]:
    found = [work for work in seen.works if broken(work)]
    if found:
        named = ", ".join(f"{work.work_id} ({told(work)})" for work in found[:_NAMED])
        yield _breach(kind, f"{what}: {named}{_more(found)}")


def _chapters(seen: Seen, state: ChapterState) -> list[tuple[ComparedWork, ComparedChapter]]:
    return [(work, each) for work in seen.works for each in work.in_state(state)]


def _named(found: Sequence[tuple[ComparedWork, ComparedChapter]]) -> str:
    named = (
        f"{work.work_id}, chapter {chapter.chapter_id}"
        + (f" ({chapter.reason})" if chapter.reason else "")
        for work, chapter in found[:_NAMED]
    )
    return "; ".join(named) + _more(found)


def _count(found: Sequence[object], what: str) -> str:
    return f"{len(found):,} {what}{'' if len(found) == 1 else 's'}"


def _more(found: Sequence[object]) -> str:
    return f" and {len(found) - _NAMED:,} more" if len(found) > _NAMED else ""


def _breach(kind: BreachKind, text: str) -> Breach:
    return Breach(kind=kind, text=f"{text[:1].upper()}{text[1:]}.")
