"""Start and end a server as a child process, so that none is ever left behind.

On Linux the kernel ends the child when this process dies, however it dies. For what that
misses (another system, a detached server) each child is recorded as pid *and* start time: a
pid alone may belong to somebody else by the time it is read.
"""

import atexit
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from contracts.errors import StorygraftError
from graph import process_identity
from graph.process_identity import ProcessIdentity
from graph.spawning import Child, Command, spawn_bound

_PAUSE_S = 0.02  # between two looks at a starting server: far below what a person notices
_GRACE_S = 5.0  # a JVM closes in 0.4 s; an idle pooled Bolt client keeps one open for good
_TAIL_LINES = 15


class StartFailed(StorygraftError):  # noqa: N818 - what happened, as a person would say it
    """A server did not come up. The message says what to do, and ends with its log's tail."""


@dataclass(frozen=True, slots=True)
class ChildSpec:
    """What to run. `log` is begun anew at each start; the one before is kept as `<log>.1`."""

    name: str
    command: Command
    cwd: Path
    log: Path
    record: Path
    env: Mapping[str, str]
    detached: bool = False


class ChildProcess:
    """A running child. `end` is idempotent and may be called from any thread."""

    def __init__(self, spec: ChildSpec, process: Child) -> None:
        self._spec = spec
        self._process = process

    @classmethod
    def start(cls, spec: ChildSpec) -> "ChildProcess":
        """Run `spec`, ending first the stale child that `spec.record` proves to be ours.

        A child that is not `detached` dies with this process. Whoever starts here takes a
        living recorded child for stale, so hold `locking.exclusive` on its directory.
        """
        end_recorded(spec.record)
        spec.log.parent.mkdir(parents=True, exist_ok=True)
        if spec.log.exists():
            spec.log.replace(spec.log.with_name(spec.log.name + ".1"))
        with spec.log.open("ab") as log:
            child = cls(spec, _spawn(spec, log.fileno()))
        if not spec.detached:
            atexit.register(child.end)
        with child._ended_on_error():
            identity = process_identity.of(child.pid)
            if identity is not None:  # None: dead already, which `wait_ready` reports
                process_identity.write(spec.record, identity)
        return child

    @property
    def pid(self) -> int:
        """The server's own pid."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def wait_ready(self, ready: Callable[[], bool], timeout_s: float) -> None:
        """Return once `ready()` holds; if it never does, end the child, raise `StartFailed`."""
        deadline = time.monotonic() + timeout_s
        with self._ended_on_error():
            while not ready():
                if self._died_within(_PAUSE_S):
                    self.fail(f"stopped at once (exit code {self._process.returncode})")
                if time.monotonic() > deadline:
                    self.fail(f"was not ready within {timeout_s:.0f} s")

    def end(self, grace_s: float = _GRACE_S) -> None:
        """Ask the child to stop, kill it after `grace_s`, and forget its record."""
        atexit.unregister(self.end)
        if self.alive:
            self._process.terminate()
            if not self._died_within(grace_s):
                self._process.kill()
        self._process.wait()
        self._spec.record.unlink(missing_ok=True)

    def fail(self, what: str) -> NoReturn:
        """Raise the error for a child that `what`: it names the log and quotes its end."""
        log = self._spec.log
        raise StartFailed(f"{self._spec.name} {what}. Its log {log} ends:\n{log_tail(log)}")

    @contextmanager
    def _ended_on_error(self) -> Iterator[None]:
        try:
            yield
        except BaseException:  # an interrupt too: nobody else knows of this child yet
            self.end()
            raise

    def _died_within(self, seconds: float) -> bool:
        try:
            self._process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            return False
        return True


def _spawn(spec: ChildSpec, log_fd: int) -> Child:
    def popen(command: Command) -> Child:
        return subprocess.Popen(
            command,
            cwd=spec.cwd,
            env=dict(spec.env),
            stdin=subprocess.DEVNULL,
            stdout=log_fd,
            stderr=subprocess.STDOUT,
            # Ctrl-C at the terminal is for us alone: we close the clients first, then the server.
            start_new_session=True,
        )

    try:
        return popen(spec.command) if spec.detached else spawn_bound(popen, spec.command)
    except OSError as error:
        raise StartFailed(f"{spec.name} could not be run: {error}.") from error


def end_recorded(record: Path, grace_s: float = _GRACE_S) -> bool:
    """End the process that `record` names if it still is that process; forget the record."""
    identity = process_identity.read(record)
    ended = identity is not None and _end_other(identity, grace_s)
    record.unlink(missing_ok=True)
    return ended


def _end_other(identity: ProcessIdentity, grace_s: float) -> bool:
    if not process_identity.send(identity, signal.SIGTERM):
        return False
    if not _gone_within(identity, grace_s):
        process_identity.send(identity, signal.SIGKILL)
        _gone_within(identity, grace_s)
    return True


def _gone_within(identity: ProcessIdentity, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while process_identity.alive(identity):
        if time.monotonic() > deadline:
            return False
        time.sleep(_PAUSE_S)
    return True


def log_tail(log: Path, lines: int = _TAIL_LINES) -> str:
    """The last lines of a server's log, for a message."""
    if not log.exists():
        return "(there is no log)"
    return "\n".join(log.read_text("utf-8", errors="replace").splitlines()[-lines:])
