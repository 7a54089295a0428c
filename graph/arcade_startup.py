"""Make the embedded graph server start in half the time.

Java can keep loaded, linked and profiled classes in a file (an AOT cache, JEP 514/515). Making
one takes a rehearsal of about ten seconds, once per installed version; without it all works,
only slower. The JVM itself checks that a cache fits and ignores one that does not.
"""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from graph import arcade_command
from graph.arcade_command import ArcadeRun
from graph.arcade_process import ArcadeAddress, ensure_password, has_started
from graph.child_process import ChildProcess
from graph.locking import exclusive
from graph.loopback import free_port

_DATABASE = "rehearsal"
_HEAP = "512m"
_START_S = 60.0
_ASSEMBLY_S = 120.0  # the cache is written as the server ends: 6 s on two free cores


def build_startup_cache(
    cache_dir: Path,
    rehearse: Callable[[ArcadeAddress], None],
    *,
    wait_s: float = _START_S + _ASSEMBLY_S,
) -> Path:
    """Make the cache unless it is there, and return its file. `ArcadeProcess` takes the folder.

    `rehearse` is given a throw-away server and should do what the product does first: what it
    does will start fast. It must close its clients. Raises `AlreadyInUse` where another process
    is making one for longer than `wait_s`.
    """
    cache = arcade_command.startup_cache_file(cache_dir.absolute())
    if cache.exists():
        return cache
    with exclusive(cache.parent / "lock", wait_s=wait_s):
        if not cache.exists():
            fresh = cache.with_suffix(".new")
            with tempfile.TemporaryDirectory(prefix="storygraft-rehearsal-") as scratch:
                _rehearsed(Path(scratch), fresh, rehearse)
            _onto_disk(fresh)
            fresh.replace(cache)
    return cache


def _rehearsed(scratch: Path, cache: Path, rehearse: Callable[[ArcadeAddress], None]) -> None:
    password = ensure_password(scratch)
    port = free_port()
    run = ArcadeRun(scratch, _DATABASE, port, _HEAP)
    spec = arcade_command.child_spec(run, f"-XX:AOTCacheOutput={cache}")
    child = ChildProcess.start(spec)
    try:
        child.wait_ready(lambda: has_started(child, spec.log), _START_S)
        rehearse(ArcadeAddress(f"bolt://127.0.0.1:{port}", "root", password, _DATABASE))
    finally:
        child.end(grace_s=_ASSEMBLY_S)
    if not cache.exists():
        child.fail("wrote no start-up cache")


def _onto_disk(file: Path) -> None:
    """So that a power cut leaves no cache with holes: that one would crash the JVM."""
    with file.open("rb") as written:
        os.fsync(written.fileno())
