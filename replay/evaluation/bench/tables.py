"""What was measured, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Final

from rich.console import Console
from rich.table import Table

from replay.evaluation.bench.asking import Asked
from replay.evaluation.bench.figures import Spread, growth, shares, times_floor
from replay.evaluation.bench.indexing import Indexed
from replay.evaluation.bench.texts import AskedNovel, words_of

_STAGES: Final = ("hide", "segment", "embed", "graft")
_console: Final = Console(width=100)


def machine(processors: int, load: float) -> None:
    """Say what the figures were measured on, and how busy it was with other things."""
    _console.print(f"{processors} processors; load before the start {load:.2f}")


def indexed(runs: Sequence[Indexed]) -> None:
    """Print where the time of indexing goes: the middle of the runs, shares of the whole."""
    one = runs[0]
    whole = median(run.seconds for run in runs)
    parts = {name: median(run.parts.get(name, 0.0) for run in runs) for name in one.parts}
    log = sum(seconds for name, seconds in parts.items() if name.startswith("log "))
    outer = {name: parts[name] for name in _STAGES if name in parts} | {"log": log}
    table = Table(
        "part", "seconds", "share", title=f"Indexing {one.words:,} words, {one.rows} rows"
    )
    for name, share in shares(outer, whole).items():
        table.add_row(name, f"{share * whole:.2f}", f"{share:.0%}")
    table.add_section()
    for name in sorted(each for each in parts if each.startswith(("vectors ", "graph "))):
        table.add_row(f"  in stages: {name}", f"{parts[name]:.2f}", f"{parts[name] / whole:.0%}")
    for name in one.alone:
        seconds = median(run.alone[name] for run in runs)
        table.add_row(f"  alone: {name}", f"{seconds:.2f}", f"{seconds / whole:.0%}")
    table.add_section()
    table.add_row("floor: embedding", f"{median(run.floor.embed_s for run in runs):.2f}", "")
    table.add_row("floor: bare writes", f"{median(run.floor.write_s for run in runs):.2f}", "")
    _console.print(table)


def grown(sizes: Sequence[Sequence[Indexed]]) -> None:
    """Print how indexing grows with the words, and how far runs lie apart."""
    table = Table(
        "words", "seconds: least, middle, most", "words/s", "times its floor",
        title="Indexing end to end",
    )  # fmt: skip
    for runs in sizes:
        seconds = Spread.of(run.seconds for run in runs)
        times = times_floor([run.seconds for run in runs], [run.floor for run in runs])
        table.add_row(
            f"{runs[0].words:,}",
            _shown(seconds, "{:.2f}"),
            f"{runs[0].words / seconds.middle:,.0f}",
            _shown(times, "{:.1f}"),
        )
    _console.print(table)
    if len(sizes) > 1:
        words = [runs[0].words for runs in sizes]
        exponent = growth(words, [median(run.seconds for run in runs) for runs in sizes])
        _console.print(f"Time grows with words to the power of {exponent:.2f}.")


def asked(novel: AskedNovel, ways: Mapping[str, Asked], cold: Spread) -> None:
    """Print how long answers take."""
    table = Table(
        "asked", "questions", "first", "p50", "p95", "most",
        title=f"Asking a novel of {words_of(novel.given):,} words, milliseconds an answer",
    )  # fmt: skip
    for name, way in ways.items():
        times = (way.first, way.p50, way.p95, way.most)
        table.add_row(name, str(way.questions), *(f"{1000 * each:,.0f}" for each in times))
    _console.print(table)
    _console.print(f"`storygraft ask`, nothing running: {_shown(cold, '{:.1f}')} s")


def verdict(name: str, value: float, most: float) -> bool:
    """Say whether `value` is at most what it may be."""
    good = value <= most
    _console.print(f"{'good' if good else 'TOO SLOW'}: {name}: {value:.2f} (at most {most:g})")
    return good


def _shown(spread: Spread, form: str) -> str:
    return ", ".join(form.format(each) for each in (spread.least, spread.middle, spread.most))
