"""The command that runs the ArcadeDB server of the `arcadedb-embedded` package, without jpype.

The package brings its own Java runtime, so nothing has to be installed. It is found, never
imported: the import would pull in jpype and look for a JVM inside this process.
"""

import hashlib
import importlib.util
import os
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from contracts.errors import StorygraftError
from graph.child_process import ChildSpec
from graph.loopback import plain_environment
from graph.spawning import Command

PASSWORD_FILE = "password"  # noqa: S105 - a file name
RECORD_FILE = "server.pid.json"

_PACKAGE = "arcadedb_embedded"
_MAIN_CLASS = "com.arcadedb.server.ArcadeDBServer"
# A server plugin that starts by itself and opens an endpoint for language models.
_UNWANTED_JAR = "arcadedb-mcp"

_JVM_FLAGS = (
    # One small heap, two cores: as fast here as G1, with fewer threads.
    "-XX:+UseSerialGC",
    # No optimising compiler: a server that lives for minutes spends more on it than it saves. To
    # start costs a third less processor time so; four novels, chapter by chapter, and six
    # checks of all of them after that still a seventh less.
    "-XX:TieredStopAtLevel=1",
    # Out of memory, a server answers some clients and not others. Dead, it is started again,
    # and its log loses nothing.
    "-XX:+ExitOnOutOfMemoryError",
    # Else an interrupted query closes the file it reads, for every other query too.
    "--add-opens=java.base/java.nio.channels.spi=ALL-UNNAMED",
    "-Djava.awt.headless=true",
    "-Dstdout.encoding=UTF-8",
)

_SETTINGS = {
    # In production mode a client is told only that a request failed, not why.
    "server.mode": "development",
    "opencypher.loadCsv.allowFileUrls": "false",
    "opencypher.loadCsv.allowRemoteUrls": "false",
    "server.plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
    "bolt.host": "127.0.0.1",
    "server.httpIncomingHost": "127.0.0.1",
    "server.httpIncomingPort": "0",  # it cannot be turned off; any port will do, nobody calls it
    "server.httpWorkerThreads": "4",
    "txWalFlush": "2",  # fsync at commit; the default leaves it to the page cache
    # Three things that cost start-up time and that nobody here uses.
    "polyglotEngineEnabled": "false",
    "serverMetrics": "false",
    "server.healthCheck.enabled": "false",
}


@dataclass(frozen=True, slots=True)
class ArcadeRun:
    """One start of the server: where its data lies and what may differ between two starts."""

    data_dir: Path
    database: str
    bolt_port: int
    heap: str


def child_spec(run: ArcadeRun, *extra_flags: str) -> ChildSpec:
    """What to run: everything that the server writes stays in its data directory."""
    return ChildSpec(
        name="The embedded graph server (ArcadeDB)",
        command=_command(run, extra_flags),
        cwd=run.data_dir,
        log=run.data_dir / "server.log",
        record=run.data_dir / RECORD_FILE,
        env=plain_environment() | {"CLASSPATH": os.pathsep.join(str(jar) for jar in _jars())},
    )


def _command(run: ArcadeRun, extra_flags: tuple[str, ...]) -> Command:
    """The command line. The password is not on it: `ps` shows that to every user."""
    settings = _SETTINGS | {
        "server.rootPath": str(run.data_dir),
        "server.rootPasswordPath": str(run.data_dir / PASSWORD_FILE),
        "server.defaultDatabases": f"{run.database}[root]",
        "bolt.port": str(run.bolt_port),
        "bolt.defaultDatabase": run.database,
    }
    crash_file = f"-XX:ErrorFile={run.data_dir}/crash-%p.log"
    flags = (f"-Xmx{run.heap}", crash_file, *_JVM_FLAGS, *extra_flags)
    defines = tuple(f"-Darcadedb.{key}={value}" for key, value in settings.items())
    return (str(_java()), *flags, *defines, _MAIN_CLASS)


def startup_cache_file(cache_dir: Path) -> Path:
    """Where the start-up cache for exactly this runtime, these jars and these flags belongs."""
    jars = [f"{jar}:{jar.stat().st_size}:{jar.stat().st_mtime_ns}" for jar in _jars()]
    parts = (str(_java()), *_JVM_FLAGS, *jars)
    key = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]
    return cache_dir / f"arcadedb-{version('arcadedb-embedded')}-{key}.aot"


def _java() -> Path:
    return _package_dir() / "jre" / "bin" / "java"


def _jars() -> list[Path]:
    jars = sorted((_package_dir() / "jars").glob("*.jar"))
    return [jar for jar in jars if not jar.name.startswith(_UNWANTED_JAR)]


def _package_dir() -> Path:
    found = importlib.util.find_spec(_PACKAGE)
    if found is None or found.origin is None:
        raise StorygraftError(
            "The embedded graph server is not installed: run `pip install arcadedb-embedded`."
        )
    return Path(found.origin).parent
