"""A real Neo4j Community server on this machine: Java and two Maven artifacts, no Docker."""

import subprocess
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from contracts.errors import StorygraftError
from deploy.java import java_at_least
from deploy.local_server import Launch, LocalServer
from graph.child_process import ChildSpec, end_recorded
from graph.loopback import free_port, plain_environment

POM = Path(__file__).parent / "neo4j" / "pom.xml"
USER = "neo4j"

_JAVA_VERSION = 17
_STARTED = "Started."
_START_S = 120.0  # 6 s on a free machine
_GRACE_S = 20.0  # it writes a checkpoint before it ends; killed, it recovers on the next start
_PASSWORD_SET_S = 60.0

_JVM_FLAGS = (
    "-Xmx1g",  # a work of 2,000 chapters is withdrawn in one transaction of some 400 MB
    "-XX:+UseG1GC",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
    "-Dlog4j2.disable.jmx=true",
    "-Dfile.encoding=UTF-8",
)

_SETTINGS = {
    "server.http.enabled": "false",  # nobody here speaks it
    "server.https.enabled": "false",
    "server.memory.pagecache.size": "256m",
    "dbms.usage_report.enabled": "false",
    # Without these it waits 10 s at its end, also when nobody is connected.
    "internal.server.bolt.connection_shutdown_wait_time": "0s",
    "internal.server.bolt.thread_pool_shutdown_wait_time": "0s",
}


@dataclass(frozen=True, slots=True)
class Neo4jHome:
    """Where one server lives: `home` holds its configuration, data and logs, `lib` its jars.

    With a `password`, the user `neo4j` has it from the first start on; later ones do not
    change it. Without one, everybody on this machine may do everything. `jvm_flags` come after
    ours.
    """

    home: Path
    lib: Path
    password: str | None
    preferred_port: int = 0
    jvm_flags: tuple[str, ...] = ()

    @property
    def record(self) -> Path:
        """Names the running process."""
        return self.home / "server.pid.json"


class Neo4jServer(LocalServer):
    """A server that answers at the Bolt URI that `start` returns."""

    def __init__(self, place: Neo4jHome, *, detached: bool = False) -> None:
        place = replace(place, home=place.home.absolute(), lib=place.lib.absolute())
        launch = partial(_launch, place, detached=detached)
        super().__init__(place.home, launch, grace_s=_GRACE_S, detached=detached)


def stop_recorded(record: Path) -> bool:
    """End the detached server that `record` names; False if it is gone or not ours."""
    return end_recorded(record, _GRACE_S)


def _launch(place: Neo4jHome, *, detached: bool) -> Launch:
    end_recorded(place.record, _GRACE_S)  # it may hold the port that is asked for
    java = java_at_least(_JAVA_VERSION)
    port = free_port(place.preferred_port)
    _write_configuration(place, port)
    _set_initial_password(place, java)
    spec = _child_spec(place, java, detached=detached)
    return Launch(
        spec=spec,
        ready=lambda: _STARTED in spec.log.read_text("utf-8", "replace"),
        start_s=_START_S,
        address=f"bolt://127.0.0.1:{port}",
    )


def _write_configuration(place: Neo4jHome, port: int) -> None:
    settings = _SETTINGS | {
        "server.bolt.listen_address": f"127.0.0.1:{port}",
        "dbms.security.auth_enabled": "false" if place.password is None else "true",
    }
    conf = place.home / "conf"
    conf.mkdir(parents=True, exist_ok=True)
    lines = (f"{key}={value}\n" for key, value in settings.items())
    (conf / "neo4j.conf").write_text("".join(lines), "utf-8")


def _set_initial_password(place: Neo4jHome, java: str) -> None:
    if place.password is None or (place.home / "data" / "databases").exists():
        return
    # The tool reads its arguments from a file, too: on the command line `ps` would show it.
    arguments = place.home / "conf" / "initial-password"
    arguments.unlink(missing_ok=True)
    arguments.touch(mode=0o600)
    try:
        # After "--" nothing is an option, whatever it begins with.
        arguments.write_text(f"-- {_quoted(place.password)}", "utf-8")
        _run_admin(place, java, "dbms", "set-initial-password", f"@{arguments}")
    finally:
        arguments.unlink()


def _quoted(password: str) -> str:
    escaped = password.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _run_admin(place: Neo4jHome, java: str, *arguments: str) -> None:
    done = subprocess.run(
        (java, "-cp", f"{place.lib}/*", "org.neo4j.cli.AdminTool", *arguments),
        env=plain_environment()
        | {"NEO4J_HOME": str(place.home), "NEO4J_CONF": str(place.home / "conf")},
        capture_output=True,
        text=True,
        check=False,
        timeout=_PASSWORD_SET_S,
    )
    if done.returncode != 0:
        raise StorygraftError(f"Neo4j refused the initial password: {done.stderr.strip()}")


def _child_spec(place: Neo4jHome, java: str, *, detached: bool) -> ChildSpec:
    home = place.home
    entry = ("org.neo4j.server.CommunityEntryPoint", "--console-mode")
    where = (f"--home-dir={home}", f"--config-dir={home / 'conf'}")
    return ChildSpec(
        name="Neo4j",
        command=(java, *_JVM_FLAGS, *place.jvm_flags, "-cp", f"{place.lib}/*", *entry, *where),
        cwd=home,
        log=home / "server.log",
        record=place.record,
        env=plain_environment(),
        detached=detached,
    )
