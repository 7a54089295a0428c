"""Run the real servers of distributed mode on this machine, without Docker: Kafka, Neo4j, Milvus.

`python -m deploy.services up` starts each one detached and prints its address, `status` tells
what runs, `env` prints the settings that reach it, `down` ends what the recorded pid and start
time prove to be ours, and nothing else. All of them listen on 127.0.0.1 alone.
"""

import argparse
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from contracts.errors import StorygraftError
from deploy import kafka_server, milvus_server, neo4j_server
from deploy.kafka_server import KafkaHome, KafkaServer
from deploy.maven import fetched_jars
from deploy.milvus_server import MilvusHome, MilvusServer
from deploy.neo4j_server import Neo4jHome, Neo4jServer
from graph import process_identity
from graph.locking import exclusive
from graph.secret_file import kept_secret

DEFAULT_DIR = Path(__file__).parents[1] / ".cache" / "services"

_LOCK_WAIT_S = 600.0  # another `up` may be fetching jars
_SOME_DOWN = 3  # what init scripts return for "not running"


@dataclass(frozen=True, slots=True)
class Service:
    """One row: how a server is started in its folder, and how a recorded one is ended.

    `start` takes the folder and the port to prefer (0: any free one), returns the line that
    tells a person how to reach it, and leaves the running process recorded in the folder's
    `server.pid.json`.
    """

    name: str
    port: int
    start: Callable[[Path, int], str]
    stop: Callable[[Path], bool]
    settings: tuple[str, ...]
    """Settings of storygraft that are its address."""
    password_setting: str = ""
    """One that is the text of the folder's file `password`."""


def _start_kafka(home: Path, port: int) -> str:
    lib = fetched_jars(kafka_server.POM, jar_cache(home.parent, "kafka"), print)
    return KafkaServer(KafkaHome(home, lib, preferred_port=port), detached=True).start()


def _start_neo4j(home: Path, port: int) -> str:
    lib = fetched_jars(neo4j_server.POM, jar_cache(home.parent, "neo4j"), print)
    secret = home / "password"
    place = Neo4jHome(home, lib, kept_secret(secret), preferred_port=port)
    uri = Neo4jServer(place, detached=True).start()
    return f"{uri}  user {neo4j_server.USER}, password in {secret}"


def _start_milvus(home: Path, port: int) -> str:
    return MilvusServer(MilvusHome(home, preferred_port=port), detached=True).start()


SERVICES = (
    Service("kafka", 9092, _start_kafka, kafka_server.stop_recorded, ("LOG",)),
    Service(
        "neo4j",
        7687,
        _start_neo4j,
        neo4j_server.stop_recorded,
        ("GRAPH", "MEMO"),
        password_setting="GRAPH_PASSWORD",  # noqa: S106 - a name
    ),
    Service("milvus", 19530, _start_milvus, milvus_server.stop_recorded, ("VECTORS",)),
)


def jar_cache(directory: Path, name: str) -> Path:
    """Where the jars of a service are kept; servers' own data lies elsewhere."""
    return directory / "jars" / name


def up(directory: Path, *, free_ports: bool = False) -> int:
    """Start what does not run yet, at its usual port where that is free, or at any free one."""
    for service in SERVICES:
        home = directory / service.name
        if _running(home) is None:
            home.mkdir(mode=0o700, parents=True, exist_ok=True)
            print(f"{service.name:8} starting; its log is {home / 'server.log'}")
            _address(home).unlink(missing_ok=True)
            _address(home).write_text(
                service.start(home, 0 if free_ports else service.port), "utf-8"
            )
        print(_line(service, home))
    return 0


def down(directory: Path) -> int:
    """End what runs."""
    for service in SERVICES:
        ended = service.stop(_record(directory / service.name))
        print(f"{service.name:8} {'ended' if ended else 'was not running'}")
    return 0


def status(directory: Path) -> int:
    """Tell what runs."""
    for service in SERVICES:
        print(_line(service, directory / service.name))
    all_up = all(_running(directory / service.name) for service in SERVICES)
    return 0 if all_up else _SOME_DOWN


def env(directory: Path) -> int:
    """Print the settings that reach what runs, for a shell's `eval`; no secret is printed."""
    for service in SERVICES:
        home = directory / service.name
        if _running(home) is None or not _address(home).exists():
            print(f"{service.name} does not run: run `up` first.", file=sys.stderr)
            return _SOME_DOWN
        address = _address(home).read_text("utf-8").split()[0]
        for name in service.settings:
            print(f"export STORYGRAFT_{name}={shlex.quote(address)}")
        if service.password_setting:
            kept = shlex.quote(str(home / "password"))
            print(f'export STORYGRAFT_{service.password_setting}="$(cat {kept})"')
    return 0


def _line(service: Service, home: Path) -> str:
    pid = _running(home)
    if pid is None:
        return f"{service.name:8} down"
    if not _address(home).exists():
        return f"{service.name:8} half up: its start was interrupted; run `down`, then `up`"
    return f"{service.name:8} up    {_address(home).read_text('utf-8')}, pid {pid}"


def _running(home: Path) -> int | None:
    identity = process_identity.read(_record(home))
    return None if identity is None else identity.pid


def _record(home: Path) -> Path:
    return home / "server.pid.json"


def _address(home: Path) -> Path:
    return home / "address"


_WITHOUT_START = {"down": down, "status": status, "env": env}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m deploy.services", description=__doc__)
    parser.add_argument("command", choices=("up", *_WITHOUT_START))
    parser.add_argument("--dir", type=Path, default=DEFAULT_DIR, help="pid files, logs, data, jars")
    parser.add_argument(
        "--free-ports", action="store_true", help="of `up`: any free port, not the usual ones"
    )
    chosen = parser.parse_args(arguments)
    directory = chosen.dir.absolute()
    try:
        with exclusive(directory / "lock", wait_s=_LOCK_WAIT_S):
            if chosen.command == "up":
                return up(directory, free_ports=chosen.free_ports)
            return _WITHOUT_START[chosen.command](directory)
    except StorygraftError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
