"""Two workers that are killed and started again, as whoever runs a cluster would."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from contracts.crash_points import CrashPoint
from replay.soak.worker_child import CANNOT_START

_ROOT: Final = Path(__file__).resolve().parents[2]
_KILLED: Final = -9
_LOOK_S: Final = 0.1
_MORE_S: Final = 5.0  # about how long a worker takes to start, and two to do a portion


@dataclass(slots=True)
class Crew:
    """The workers. `ended` counts by exit code those that nobody killed and no server sent away."""

    settings: Mapping[str, str]
    log: Path
    random: Random
    lives: int = 0
    ended: Counter[int] = field(default_factory=Counter)
    _workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def keep(self) -> None:
        """Start again whoever is gone."""
        for nth, worker in enumerate(self._workers):
            code = worker.poll()
            if code is not None:
                if code not in (_KILLED, CANNOT_START):
                    self.ended[code] += 1
                self._workers[nth] = self._started()

    def kill(self) -> None:
        """Kill one of them."""
        nth = self.random.randrange(len(self._workers))
        self._workers[nth].kill()
        self._workers[nth].wait()

    def die_at(self, point: CrashPoint, seconds: float, work: Callable[[], None]) -> bool:
        """Have one of them kill itself at `point`; say whether it did within so many seconds.

        `work` gives them something to do, now and then, so that the point is reached.
        """
        nth = self.random.randrange(len(self._workers))
        self._workers[nth].kill()
        self._workers[nth].wait()
        dies = (point.value, str(self.random.randint(1, 3)))
        self._workers[nth] = dying = self._started(*dies)
        deadline = time.monotonic() + seconds
        more_at = time.monotonic() + _MORE_S
        while time.monotonic() < deadline and dying.poll() in (None, CANNOT_START):
            if dying.poll() == CANNOT_START:
                self._workers[nth] = dying = self._started(*dies)
            if time.monotonic() > more_at:
                work()
                more_at = time.monotonic() + _MORE_S
            time.sleep(_LOOK_S)
        return dying.returncode == _KILLED

    def _started(self, *dies: str) -> subprocess.Popen[bytes]:
        self.lives += 1
        told = {f"STORYGRAFT_{name.upper()}": text for name, text in self.settings.items()}
        with self.log.open("ab") as log:
            return subprocess.Popen(
                (sys.executable, "-m", "replay.soak.worker_child", *dies),
                cwd=_ROOT,
                env=os.environ | told,
                stderr=log,
            )

    @contextmanager
    def on_duty(self, number: int) -> Iterator[None]:
        """Have so many workers run in the block."""
        self._workers = [self._started() for _ in range(number)]
        try:
            yield
        finally:
            for worker in self._workers:
                worker.kill()
                worker.wait()
