"""Measuring how long calls of ports and stages take, from outside."""

from __future__ import annotations

import inspect
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast

from contracts.frozen import Frozen
from streams.stage import Arrival, Stage

P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """Seconds by name; a name's times add up."""

    seconds: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def running(self, name: str) -> Iterator[None]:
        """Add the time until the end of the block to `name`."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] += time.perf_counter() - started  # type: ignore[assignment]

    def port(self, port: P, name: str) -> P:
        """Return `port`, each call of which adds to `name` and the method's own name."""
        return cast("P", _Port(port, name, self))

    def stage(self, stage: Stage[Any]) -> Stage[Any]:
        """Return `stage`, each batch of which adds to its name."""

        async def handler(arrivals: Sequence[Arrival[Any]]) -> Sequence[Frozen]:
            with self.running(stage.intake.name):
                return await stage.handler(arrivals)

        return replace(stage, handler=handler)


class _Port:
    """Stands in for a port: whatever is asynchronous is timed, all else passed on."""

    def __init__(self, port: object, name: str, watch: Stopwatch) -> None:
        self._port = port
        self._name = name
        self._watch = watch

    def __getattr__(self, method: str) -> Any:
        found = getattr(self._port, method)
        if not inspect.iscoroutinefunction(found):
            return found

        async def timed(*args: object, **kwargs: object) -> object:
            with self._watch.running(f"{self._name} {method}"):
                return await found(*args, **kwargs)

        return timed
