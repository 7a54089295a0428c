"""The embedded graph server: ArcadeDB as a child process, spoken to over Bolt."""

import re
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from graph import arcade_command
from graph.arcade_command import ArcadeRun
from graph.child_process import ChildProcess, StartFailed
from graph.locking import exclusive
from graph.loopback import free_port
from graph.secret_file import kept_secret

_STARTED = "ArcadeDB Server started in"  # the first moment at which the database is there
# The server's main thread may die and leave the JVM running, so its end is no sign.
_BROKEN = 'Exception in thread "main"'
_PORT_TAKEN = "Unable to listen for BOLT"
_PORT_TRIES = 3
_DATABASE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class ArcadeAddress:
    """What a Bolt client needs."""

    uri: str
    user: str
    password: str = field(repr=False)
    database: str


class _PortTaken(StartFailed):
    pass


class ArcadeProcess:
    """One server on one data directory, held against every other process while it runs.

    `start` and `stop` block, and may be called from any one thread at a time. Close every
    Bolt client before `stop`: an idle one makes the server wait until it is killed.
    """

    def __init__(
        self,
        data_dir: Path,
        *,
        database: str = "storygraft",
        heap: str = "512m",
        startup_cache: Path | None = None,
        start_timeout_s: float = 60.0,
    ) -> None:
        if not _DATABASE_NAME.fullmatch(database):
            raise ValueError(f"{database!r} is no database name: use letters, digits and _.")
        self._dir = data_dir.absolute()
        self._database = database
        self._heap = heap
        self._startup_cache = startup_cache
        self._start_timeout_s = start_timeout_s
        self._child: ChildProcess | None = None
        self._address: ArcadeAddress | None = None
        self._port = 0  # of the run before, 0 at first
        self._held = ExitStack()

    def start(self) -> ArcadeAddress:
        """Run the server and return its address once the database answers.

        Does nothing while it runs; starts it again after it died, at the same address if nobody
        took the port meanwhile. Raises `StartFailed` if it does not come up, `AlreadyInUse` if
        another process has the data.
        """
        if self._address is not None and self.alive:
            return self._address
        self.stop()
        self._dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        with ExitStack() as held:
            held.enter_context(exclusive(self._dir / "lock"))
            self._address = self._started()
            self._held = held.pop_all()
        return self._address

    def stop(self) -> None:
        """End the server, at the latest by killing it after 5 s: no commit is lost by that."""
        if self._child is not None:
            self._child.end()
        self._child = self._address = None
        self._held.close()

    @property
    def alive(self) -> bool:
        """Whether the server runs."""
        return self._child is not None and self._child.alive

    @property
    def pid(self) -> int | None:
        """The server's pid while it is started."""
        return None if self._child is None else self._child.pid

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _started(self) -> ArcadeAddress:
        cache = self._cache()
        if cache is None:
            return self._on_a_free_port()
        try:
            return self._on_a_free_port(f"-XX:AOTCache={cache}")
        except StartFailed:
            address = self._on_a_free_port()
            cache.unlink(missing_ok=True)  # it starts without: a damaged cache kills the JVM
            return address

    def _on_a_free_port(self, *flags: str) -> ArcadeAddress:
        for _ in range(_PORT_TRIES - 1):
            try:
                return self._on(free_port(self._port), *flags)
            except _PortTaken:
                self._port = 0
        return self._on(free_port(0), *flags)

    def _on(self, port: int, *flags: str) -> ArcadeAddress:
        password = ensure_password(self._dir)
        run = ArcadeRun(self._dir, self._database, port, self._heap)
        spec = arcade_command.child_spec(run, *flags)
        child = self._child = ChildProcess.start(spec)
        child.wait_ready(lambda: has_started(child, spec.log), self._start_timeout_s)
        self._port = port
        return ArcadeAddress(f"bolt://127.0.0.1:{port}", "root", password, self._database)

    def _cache(self) -> Path | None:
        if self._startup_cache is None:
            return None
        cache = arcade_command.startup_cache_file(self._startup_cache.absolute())
        return cache if cache.exists() else None


def has_started(child: ChildProcess, log: Path) -> bool:
    """Whether the server answers for its database; raises `StartFailed` if it never will."""
    text = log.read_text("utf-8", errors="replace")
    if _PORT_TAKEN in text:
        raise _PortTaken("The port was taken by another process in the meantime.")
    if _BROKEN in text:
        child.fail("could not start")
    return _STARTED in text


def ensure_password(data_dir: Path) -> str:
    """The root password of a data directory, made up once."""
    file = data_dir / arcade_command.PASSWORD_FILE
    if not file.exists():
        # The server reads the password only while it knows no users: let it forget them.
        (data_dir / "config" / "server-users.jsonl").unlink(missing_ok=True)
    return kept_secret(file)
