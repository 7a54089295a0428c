"""What a worker counts, for Prometheus. `docs/operations.md` says what to make of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric

from contracts.answers import AnswerGiven
from contracts.messages import ChapterGrafted, ChapterSegmented
from contracts.reports import LaneProgress
from streams.flow import Place
from streams.parking import ParkedWork
from streams.runner import Step

_SECONDS: Final = (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300)
_PARTITION: Final = ("stage", "topic", "partition")


class Metrics:
    """Counts what lanes do (`streams.lane.Watcher`), and tells how things stand when asked.

    `progress` tells how far each lane is, `aside` which works are paused or go on after that:
    none where no stage of this process lets works wait.
    """

    def __init__(
        self,
        progress: Callable[[], Iterable[LaneProgress]],
        aside: Callable[[], Iterable[ParkedWork]] = tuple,
    ) -> None:
        self._registry = CollectorRegistry()
        own = self._registry
        self._processed = Counter(
            "storygraft_messages", "Messages done, dead letters among them", ["stage"], registry=own
        )
        self._dead = Counter(
            "storygraft_dead_letters", "Messages that were unfit", ["stage", "kind"], registry=own
        )
        self._seconds = Histogram(
            "storygraft_stage_seconds",
            "Time a batch took",
            ["stage"],
            buckets=_SECONDS,
            registry=own,
        )
        self._tokens = Counter(
            "storygraft_tokens", "Tokens that a model read and wrote", ["stage"], registry=own
        )
        self._repairs = Counter(
            "storygraft_repairs", "What was mended in a model's answers", ["what"], registry=own
        )
        self._registry.register(_Standing(progress))
        self._registry.register(_Aside(aside))

    def done(self, place: Place, steps: Sequence[Step], seconds: float) -> None:
        """See `Watcher.done`."""
        self._processed.labels(place.stage).inc(len(steps))
        self._seconds.labels(place.stage).observe(seconds)
        for step in steps:
            if step.failure is not None:
                self._dead.labels(place.stage, step.failure.kind.value).inc()
            for output in step.outputs:
                self._count(place.stage, output)

    def text(self) -> bytes:
        """Return everything as Prometheus reads it."""
        return generate_latest(self._registry)

    def _count(self, stage: str, output: object) -> None:
        match output:
            case ChapterSegmented():
                self._tokens.labels(stage).inc(output.tokens)
                for what, number in output.repairs.model_dump().items():
                    if isinstance(number, int) and what != "attempts":
                        self._repairs.labels(what).inc(number)
            case ChapterGrafted():
                self._tokens.labels(stage).inc(output.placement_tokens)
            case AnswerGiven():
                self._tokens.labels(stage).inc(output.answer.spent.tokens)


class _Standing:
    """Lag and holds, as they are at the moment of asking."""

    def __init__(self, progress: Callable[[], Iterable[LaneProgress]]) -> None:
        self._progress = progress

    def collect(self) -> Iterable[Metric]:
        """Yield the gauges, one sample a partition."""
        lag = GaugeMetricFamily("storygraft_lag", "Messages before a partition", labels=_PARTITION)
        held = GaugeMetricFamily(
            "storygraft_held_seconds", "How long it is held; 0: it is not", labels=_PARTITION
        )
        for each in self._progress():
            labels = (each.stage, each.topic, str(each.partition))
            if each.lag is not None:
                lag.add_metric(labels, each.lag)
            held.add_metric(labels, each.held_s)
        return (lag, held)


class _Aside:
    """What was put aside, as it is at the moment of asking."""

    def __init__(self, aside: Callable[[], Iterable[ParkedWork]]) -> None:
        self._aside = aside

    def collect(self) -> Iterable[Metric]:
        """Yield how many works are paused, and how many of their events wait."""
        works = tuple(self._aside())
        paused = sum(work.paused for work in works)
        waiting = sum(len(work.waits) for work in works)
        return (
            GaugeMetricFamily("storygraft_paused_works", "Works that are paused", paused),
            GaugeMetricFamily(
                "storygraft_parked_events", "Events that wait of works paused or resumed", waiting
            ),
        )
