"""A real Kafka broker on this machine: Java, one Maven artifact and KRaft, no Docker."""

import base64
import subprocess
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from contracts.errors import StorygraftError
from deploy.java import java_at_least
from deploy.local_server import Launch, LocalServer
from graph.child_process import ChildSpec, end_recorded
from graph.loopback import free_port, plain_environment

POM = Path(__file__).parent / "kafka" / "pom.xml"

_JAVA_VERSION = 17
_STARTED = "Kafka Server started"
_START_S = 120.0  # 3 s on a free machine
_GRACE_S = 20.0  # it writes out its segments before it ends; killed, it recovers on the next start
_FORMAT_S = 60.0

_MAX_MESSAGE_BYTES = 16 * 1024 * 1024  # a chapter of 4 MB grows on its way, and escaped in JSON

_JVM_FLAGS = (
    "-Xmx512m",
    "-XX:+UseG1GC",
    "-Dfile.encoding=UTF-8",
    "-Dorg.slf4j.simpleLogger.showDateTime=true",
    "-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd'T'HH:mm:ss.SSS",
    "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
    "-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaRaftServer=info",  # says when it has started
)

_SETTINGS = {
    "process.roles": "broker,controller",
    "node.id": "1",
    "listener.security.protocol.map": "CLIENT:PLAINTEXT,CONTROLLER:PLAINTEXT",
    "inter.broker.listener.name": "CLIENT",
    "controller.listener.names": "CONTROLLER",
    "message.max.bytes": str(_MAX_MESSAGE_BYTES),
    "replica.fetch.max.bytes": str(_MAX_MESSAGE_BYTES),
    # A misspelt topic is an error, not a new topic without our retention.
    "auto.create.topics.enable": "false",
    # One broker: nobody to copy to, nobody to wait for.
    "offsets.topic.num.partitions": "1",
    "offsets.topic.replication.factor": "1",
    "transaction.state.log.num.partitions": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "share.coordinator.state.topic.num.partitions": "1",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
    "group.initial.rebalance.delay.ms": "0",
}


@dataclass(frozen=True, slots=True)
class KafkaHome:
    """Where one broker lives: `home` holds its configuration, data and log, `lib` its jars.

    `settings` and `jvm_flags` come after ours; the listener for clients is named `CLIENT`. A
    broker that is started again with another port is another one to its clients: give a
    `preferred_port` to one that comes back.
    """

    home: Path
    lib: Path
    preferred_port: int = 0
    settings: Mapping[str, str] = field(default_factory=dict, repr=False)  # may hold passwords
    jvm_flags: tuple[str, ...] = ()

    @property
    def record(self) -> Path:
        """Names the running process."""
        return self.home / "server.pid.json"

    @property
    def properties(self) -> Path:
        """The broker's own configuration file."""
        return self.home / "server.properties"


class KafkaServer(LocalServer):
    """One broker that is its own controller; `start` returns its `kafka://` URL."""

    def __init__(self, place: KafkaHome, *, detached: bool = False) -> None:
        place = replace(place, home=place.home.absolute(), lib=place.lib.absolute())
        launch = partial(_launch, place, detached=detached)
        super().__init__(place.home, launch, grace_s=_GRACE_S, detached=detached)


def stop_recorded(record: Path) -> bool:
    """End the detached broker that `record` names; False if it is gone or not ours."""
    return end_recorded(record, _GRACE_S)


def _launch(place: KafkaHome, *, detached: bool) -> Launch:
    end_recorded(place.record, _GRACE_S)  # it may hold the port that is asked for
    java = java_at_least(_JAVA_VERSION)
    port = free_port(place.preferred_port)
    _write_properties(place, port, _other_free_port(port))
    _format_storage(place, java)
    spec = ChildSpec(
        name="Kafka",
        command=(*_java(place, java), "kafka.Kafka", str(place.properties)),
        cwd=place.home,
        log=place.home / "server.log",
        record=place.record,
        env=plain_environment(),
        detached=detached,
    )
    return Launch(
        spec=spec,
        ready=lambda: _STARTED in spec.log.read_text("utf-8", "replace"),
        start_s=_START_S,
        address=f"kafka://127.0.0.1:{port}",
    )


def _other_free_port(port: int) -> int:
    while (other := free_port()) == port:
        pass
    return other


def _write_properties(place: KafkaHome, port: int, controller_port: int) -> None:
    listener, controller = f"CLIENT://127.0.0.1:{port}", f"127.0.0.1:{controller_port}"
    settings = {
        **_SETTINGS,
        "listeners": f"{listener},CONTROLLER://{controller}",
        "advertised.listeners": listener,
        "controller.quorum.voters": f"1@{controller}",
        "log.dirs": str(place.home / "data"),
        **place.settings,
    }
    place.properties.unlink(missing_ok=True)
    place.properties.touch(mode=0o600)
    lines = (f"{key}={_escaped(value)}\n" for key, value in settings.items())
    place.properties.write_text("".join(lines), "utf-8")


def _escaped(value: str) -> str:
    """As Java reads a properties file, Latin-1 and with backslashes."""
    escaped = value.replace("\\", "\\\\").replace("\n", "\\n")
    units = escaped.encode("utf-16-be")
    codes = (int.from_bytes(units[at : at + 2], "big") for at in range(0, len(units), 2))
    return "".join(chr(code) if 0x20 <= code < 0x7F else f"\\u{code:04x}" for code in codes)


def _format_storage(place: KafkaHome, java: str) -> None:
    if (place.home / "data" / "meta.properties").exists():
        return
    cluster = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
    # Joined by "=": one id in 64 begins with "-", and would be taken for an option.
    tool = ("kafka.tools.StorageTool", "format", f"--cluster-id={cluster}")
    done = subprocess.run(
        (*_java(place, java), *tool, "-c", str(place.properties)),
        env=plain_environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=_FORMAT_S,
    )
    if done.returncode != 0:
        said = (done.stdout + done.stderr).strip()
        raise StorygraftError(f"Kafka could not prepare {place.home / 'data'}: {said}")


def _java(place: KafkaHome, java: str) -> tuple[str, ...]:
    return (java, *_JVM_FLAGS, *place.jvm_flags, "-cp", f"{place.lib}/*")
