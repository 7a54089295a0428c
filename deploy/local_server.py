"""What the servers have in common: one home, one process, started, awaited and ended."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from graph.child_process import ChildProcess, ChildSpec
from graph.locking import exclusive


@dataclass(frozen=True, slots=True)
class Launch:
    """How a server is run: ready once `ready()` holds, reached at `address` from then on."""

    spec: ChildSpec
    ready: Callable[[], bool]
    start_s: float
    address: str


class LocalServer:
    """A server that ends with this process, or, `detached`, lives on until its record is ended.

    While it is not detached its home is held against every other process.
    """

    def __init__(
        self, home: Path, launch: Callable[[], Launch], *, grace_s: float, detached: bool
    ) -> None:
        self._home = home
        self._launch = launch
        self._grace_s = grace_s
        self._detached = detached
        self._child: ChildProcess | None = None
        self._held = ExitStack()

    def start(self) -> str:
        """Start it, wait until it answers, and return its address.

        A server that the same home was left with is ended first. Raises `StorygraftError`.
        """
        self.stop()
        with ExitStack() as held:
            held.enter_context(exclusive(self._home / "lock"))
            address = self._started()
            if not self._detached:
                self._held = held.pop_all()
        return address

    def stop(self) -> None:
        """End the server; close your clients first. Does nothing if it is not started."""
        if self._child is not None:
            self._child.end(self._grace_s)
        self._child = None
        self._held.close()

    @property
    def pid(self) -> int | None:
        """The server's pid while it is started."""
        return None if self._child is None else self._child.pid

    def _started(self) -> str:
        launch = self._launch()
        child = self._child = ChildProcess.start(launch.spec)
        child.wait_ready(launch.ready, launch.start_s)
        return launch.address
