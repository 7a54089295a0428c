"""Workers as processes of their own, as an operator starts them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx2

from contracts.reports import WorkerHealth

_PROGRAM: Final = "from streams.cli import main; main()"
_ROOT: Final = Path(__file__).parents[3]
_END_S: Final = 60.0


class WorkerProcess:
    """A started `storygraft worker`."""

    def __init__(self, child: subprocess.Popen[bytes], said: Path) -> None:
        self._child = child
        self._said = said

    @property
    def alive(self) -> bool:
        return self._child.poll() is None

    @property
    def said(self) -> str:
        return self._said.read_text("utf-8")

    def health(self) -> WorkerHealth | None:
        """What it says of itself; None while it says nothing yet."""
        assert self.alive, self.said
        url = next((w for w in self.said.split() if w.startswith("http://127.0.0.1:")), None)
        if url is None:
            return None
        return WorkerHealth.model_validate_json(httpx2.get(url, timeout=_END_S).content)

    @property
    def ready(self) -> bool:
        health = self.health()
        return health is not None and health.ready

    def kill(self) -> None:
        self._child.send_signal(signal.SIGKILL)
        self._child.wait(_END_S)

    def end(self) -> int:
        """End it as an operator does; return its exit code."""
        self._child.send_signal(signal.SIGTERM)
        return self._child.wait(_END_S)


@contextmanager
def worker(
    settings: Mapping[str, str], said: Path, arguments: Sequence[str] = ()
) -> Iterator[WorkerProcess]:
    command = [sys.executable, "-c", _PROGRAM, "worker", *arguments]
    with said.open("wb") as written:
        child = subprocess.Popen(
            command, cwd=_ROOT, env=os.environ | told_by_environment(settings), stderr=written
        )
    try:
        yield WorkerProcess(child, said)
    finally:
        child.kill()
        child.wait()


def storygraft(settings: Mapping[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", _PROGRAM, *arguments],
        cwd=_ROOT,
        env=os.environ | told_by_environment(settings),
        capture_output=True,
        text=True,
        check=False,
    )


def told_by_environment(settings: Mapping[str, str]) -> dict[str, str]:
    return {f"STORYGRAFT_{name.upper()}": value for name, value in settings.items()}
