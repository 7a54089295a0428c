"""Intervals of the story `[from, until)`: whether they follow each other, and what they add to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from contracts.ordinals import Ordinal

Interval = tuple[int, int | None]


def gaps_and_overlaps(intervals: Sequence[Interval], start: int) -> Iterator[str]:
    """Say where `intervals` do not cover everything from `start` on exactly once."""
    reached: int | None = start
    for begin, end in sorted(intervals, key=lambda interval: interval[0]):
        if reached is None or begin < reached:
            yield f"twice at {Ordinal(begin)}"
        elif begin > reached:
            yield f"nowhere from {Ordinal(reached)} to {Ordinal(begin)}"
        reached = None if reached is None or end is None else max(reached, end)
    if reached is not None:
        yield f"nowhere from {Ordinal(reached)} on"


def counts_over_time(intervals: Iterable[Interval]) -> Iterator[tuple[int, int]]:
    """Yield, for each ordinal at which it may change, how many of `intervals` hold from there."""
    steps: Counter[int] = Counter()
    for begin, end in intervals:
        steps[begin] += 1
        if end is not None:
            steps[end] -= 1
    held = 0
    for at in sorted(steps):
        held += steps[at]
        yield at, held
