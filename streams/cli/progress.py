"""Bars on stderr while chapters are indexed or published, for whoever sits before a terminal."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)

from streams.cli.output import err

_STAGES = ("segment", "embed", "graft")


@dataclass(frozen=True, slots=True)
class Rate:
    """What was done in how long. No result depends on it."""

    words: int
    seconds: float

    def __str__(self) -> str:
        per_second = self.words / max(self.seconds, 0.001)
        return f"{self.words:,} words in {self.seconds:.1f} s ({per_second:,.0f} words/s)"


class _Bar:
    """A bar on stderr that is gone at the end. Nothing is shown without a terminal."""

    def __init__(self, *columns: ProgressColumn, shown: bool) -> None:
        self._bar = Progress(
            SpinnerColumn(),
            *columns,
            TimeElapsedColumn(),
            console=err,
            transient=True,
            disable=not (shown and err.is_terminal),
        )

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()


class IndexProgress(_Bar):
    """Implements `streams.indexing.Watcher`. Nothing is shown without a terminal."""

    def __init__(self, *, shown: bool) -> None:
        super().__init__(
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            TextColumn("{task.fields[told]}"),
            shown=shown,
        )
        self._task: TaskID | None = None
        self._done: Counter[str] = Counter()
        self._total = self._words = 0
        self._since = time.monotonic()

    def begin(self, total: int) -> None:
        """See `Watcher.begin`."""
        if total == 0:
            return
        if self._total == 0:
            self._since = time.monotonic()
        self._total += total
        if self._task is None:
            self._task = self._bar.add_task("Indexing", total=None, told="")
        self._bar.update(self._task, total=self._total * len(_STAGES))

    def passed(self, stage: str, words: int) -> None:
        """See `Watcher.passed`."""
        self._done[stage] += 1
        if stage == _STAGES[0]:
            self._words += words
        if self._task is not None:
            self._bar.update(self._task, advance=1, told=self._told())

    def rate(self) -> Rate | None:
        """Return how much text was indexed how fast; None where there was none."""
        return Rate(self._words, time.monotonic() - self._since) if self._words else None

    def _told(self) -> str:
        per_second = self._words / max(time.monotonic() - self._since, 0.001)
        return f"{self._done['graft']}/{self._total} grafted  {per_second:,.0f} words/s"


class StepProgress(_Bar):
    """Implements `streams.operations.Watcher`: how many steps of how many are done."""

    def __init__(self, doing: str, *, shown: bool) -> None:
        super().__init__(
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            TextColumn("{task.completed:,.0f}/{task.total:,.0f}"),
            shown=shown,
        )
        self._task = self._bar.add_task(doing, total=0)
        self._total = 0

    def begin(self, total: int) -> None:
        """See `Watcher.begin`."""
        self._total += total
        self._bar.update(self._task, total=self._total)

    def passed(self, _stage: str, _words: int) -> None:
        """See `Watcher.passed`."""
        self._bar.update(self._task, advance=1)


class SendProgress(_Bar):
    """Implements `streams.kafka.publishing.Watcher`. Nothing is shown without a terminal."""

    def __init__(self, *, shown: bool, doing: str = "Publishing") -> None:
        told = doing + " {task.completed:,.0f} events  {task.fields[told]}"
        super().__init__(TextColumn(told), shown=shown)
        self._task = self._bar.add_task(doing, total=None, told="")
        self._bytes = 0

    def sent(self, size: int) -> None:
        """See `Watcher.sent`."""
        self._bytes += size
        self._bar.update(self._task, advance=1, told=f"{self._bytes / 1e6:,.1f} MB")
