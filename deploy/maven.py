"""Fetch a server's jars through Maven, once, into a cache folder."""

import hashlib
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from contracts.errors import StorygraftError
from graph.locking import exclusive

_FETCH_S = 900.0  # 128 MB through a slow mirror
_TAIL_LINES = 15


def fetched_jars(pom: Path, cache: Path, say: Callable[[str], None]) -> Path:
    """The folder that holds all jars of `pom`, fetched first unless they are there already.

    Two callers at once fetch once. A fetch that was cut short leaves nothing behind.
    """
    lib = cache.absolute() / "lib"
    with exclusive(lib.parent / "lock", wait_s=_FETCH_S):
        if not _is_complete(lib, pom):
            say(f"Fetching the jars of {pom.parent.name} through Maven into {lib}, once.")
            _fetch(pom, lib)
    return lib


def _is_complete(lib: Path, pom: Path) -> bool:
    listing = _listing(lib)
    return listing.exists() and listing.read_text("utf-8") == _described(lib, pom)


def _listing(lib: Path) -> Path:
    return lib.with_name("lib.complete")


def _described(lib: Path, pom: Path) -> str:
    """What a complete folder looks like: it is fetched again if the pom or any jar changes."""
    jars = sorted(f"{jar.name} {jar.stat().st_size}" for jar in lib.glob("*.jar"))
    return "\n".join((hashlib.sha256(pom.read_bytes()).hexdigest(), *jars))


def _fetch(pom: Path, lib: Path) -> None:
    if shutil.which("mvn") is None:
        raise StorygraftError(
            "Maven is needed to fetch the server: install it (Debian: `apt-get install maven`)."
        )
    fresh = lib.with_name("lib.new")
    for stale in (fresh, lib):
        shutil.rmtree(stale, ignore_errors=True)
    _listing(lib).unlink(missing_ok=True)
    _run_maven(pom, fresh)
    fresh.replace(lib)
    _listing(lib).write_text(_described(lib, pom), "utf-8")


def _run_maven(pom: Path, target: Path) -> None:
    goal = ("dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={target}")
    try:
        done = subprocess.run(
            ("mvn", "-q", "-B", "-f", str(pom), *goal),
            capture_output=True,
            text=True,
            check=False,
            timeout=_FETCH_S,
        )
    except subprocess.TimeoutExpired as error:
        raise StorygraftError(
            f"Maven did not fetch the jars within {_FETCH_S:.0f} s: look at the network."
        ) from error
    if done.returncode != 0:
        said = "\n".join((done.stdout + done.stderr).splitlines()[-_TAIL_LINES:])
        raise StorygraftError(
            "Maven could not fetch the jars: see that it reaches a repository "
            f"(`~/.m2/settings.xml`), then try again. It said:\n{said}"
        )
