"""Programs as an operator runs them: a command of the index, a worker, a model's server."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from contracts.frozen import Frozen

_ROOT: Final = Path(__file__).resolve().parents[3]
_PROGRAM: Final = ("-c", "from streams.cli import main; main()")
_END_S: Final = 60.0


class Refused(Exception):  # noqa: N818 - what happened
    """A command failed that should not; the text is what it said."""


async def storygraft(settings: Mapping[str, str], *arguments: str) -> Mapping[str, Any]:
    """Run a command with `--json` and return what it prints.

    Raises:
        Refused: it failed.
    """
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        *_PROGRAM,
        *arguments,
        "--json",
        cwd=_ROOT,
        env=os.environ | environment(settings),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await child.communicate()
    if child.returncode:
        raise Refused(f"{' '.join(arguments)} ended with {child.returncode}: {err.decode()}")
    told: Mapping[str, Any] = json.loads(out)
    return told


@dataclass(frozen=True, slots=True)
class RunningWorker:
    """A started `storygraft worker`."""

    child: subprocess.Popen[bytes]

    def end(self) -> int:
        """End it as an operator does, and return its exit code."""
        self.child.terminate()
        return self.child.wait(_END_S)


def worker(settings: Mapping[str, str], log: Path) -> RunningWorker:
    """Start a worker that writes to `log` what it has to say."""
    with log.open("ab") as written:
        child = subprocess.Popen(
            (sys.executable, *_PROGRAM, "worker"),
            cwd=_ROOT,
            env=os.environ | environment(settings),
            stderr=written,
        )
    return RunningWorker(child)


def environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Return settings as the environment tells them."""
    return {f"STORYGRAFT_{name.upper()}": text for name, text in settings.items()}


class Paid(Frozen):
    """A complete answer of the model's server, as its accounts tell of it."""

    purpose: str
    asked: str
    said: str
    heard_ms: int
    answered_ms: int
    input_tokens: int
    output_tokens: int


class Books(Frozen):
    """The accounts of a model's server; `mistakes` are of whoever wrote its script."""

    calls: int
    mistakes: tuple[str, ...]
    paid: tuple[Paid, ...]


@dataclass(frozen=True, slots=True)
class Model:
    """A scripted model's server."""

    url: str

    @property
    def settings(self) -> dict[str, str]:
        """The settings of who asks it."""
        return {"model": self.url, "model_name": "small-model"}

    def books(self) -> Books:
        """Return what it was asked, and what it was paid, by now."""
        where = f"{self.url.removesuffix('/v1')}/accounts"
        with urllib.request.urlopen(where, timeout=_END_S) as told:  # noqa: S310 - loopback
            return Books.model_validate_json(told.read())


@contextmanager
def model(seconds: float) -> Iterator[Model]:
    """Run a server that cuts any chapter into even scenes, each answer after so many seconds."""
    command = (
        sys.executable,
        "-m",
        "tests.model_server",
        "--even",
        "12",
        "--seconds",
        f"{seconds}",
    )
    with subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout is not None  # noqa: S101 - it was asked for
            yield Model(child.stdout.readline().strip())
        finally:
            child.kill()
