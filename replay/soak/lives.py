"""One life of the indexing process: started, killed on purpose or ended, and what it left."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import Final

from contracts.crash_points import CrashPoint
from graph import process_identity
from graph.arcade_command import RECORD_FILE
from graph.process_identity import ProcessIdentity
from replay.soak.child import IDLE, READY

_ROOT: Final = Path(__file__).resolve().parents[2]
_STUCK_S: Final = 240.0
_GONE_S: Final = 10.0  # the kernel ends a killed process's children; a JVM takes a moment to go
_LOOK_S: Final = 0.02


class Broken(Exception):  # noqa: N818 - what happened
    """The process ended though nobody killed it, or does nothing any more."""


@dataclass(frozen=True, slots=True)
class Life:
    """How a life ended: `killed`, or idle because there was nothing to die of."""

    killed: bool
    left: tuple[ProcessIdentity, ...] = ()


def killed_at(home: Path, point: CrashPoint, nth: int) -> Life:
    """Run until the process kills itself the `nth` time it reaches `point`, or is idle."""
    with _started(home, point.value, str(nth)) as child:
        _expect(child, READY)
        said = _line(child)
        if said == IDLE:
            _end(child)
            return Life(killed=False)
        return _killed(home, child, said)


def killed_after(home: Path, seconds: float, *, ready: bool) -> Life:
    """Kill the process `seconds` after it started, or after it said that it is ready."""
    with _started(home) as child:
        if ready:
            _expect(child, READY)
            time.sleep(seconds)
            child.kill()
        else:
            timer = Timer(seconds, child.kill)
            timer.start()
            timer.join()
        return _killed(home, child, "")


def undisturbed(home: Path) -> None:
    """Run until there is nothing more to do, and end in peace."""
    with _started(home) as child:
        _expect(child, READY)
        _expect(child, IDLE)
        _end(child)


@contextmanager
def _started(home: Path, *dies: str) -> Iterator[subprocess.Popen[str]]:
    command = (sys.executable, "-m", "replay.soak.child", str(home), *dies)
    with (
        home.with_suffix(".log").open("a") as log,
        subprocess.Popen(
            command,
            cwd=_ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        ) as child,
    ):
        stuck = Timer(_STUCK_S, child.kill)
        stuck.start()
        try:
            yield child
        finally:
            stuck.cancel()
            child.kill()


def _line(child: subprocess.Popen[str]) -> str:
    return child.stdout.readline().strip() if child.stdout else ""


def _expect(child: subprocess.Popen[str], word: str) -> None:
    said = _line(child)
    if said != word:
        child.kill()
        raise Broken(
            f"the indexing process said {said!r} and not {word!r}, and ended with {child.wait()}"
        )


def _end(child: subprocess.Popen[str]) -> None:
    child.communicate("end\n")
    if child.returncode != 0:
        raise Broken(f"the indexing process ended with {child.returncode}")


def _killed(home: Path, child: subprocess.Popen[str], said: str) -> Life:
    if child.wait() != -9:
        raise Broken(f"the indexing process ended with {child.returncode}, saying {said!r}")
    return Life(killed=True, left=tuple(_left(home)))


def _left(home: Path) -> Iterator[ProcessIdentity]:
    """Yield the servers that the home has on record and that outlive the killed process."""
    for record in home.rglob(RECORD_FILE):
        deadline = time.monotonic() + _GONE_S
        while (alive := process_identity.read(record)) is not None:
            if time.monotonic() > deadline:
                yield alive
                break
            time.sleep(_LOOK_S)
