"""Milvus Lite as a server of its own: several processes reach one directory over gRPC."""

import sys
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from deploy.local_server import Launch, LocalServer
from graph.child_process import ChildSpec, end_recorded
from graph.loopback import free_port, plain_environment, port_open

_START_S = 60.0
_GRACE_S = 5.0  # it does not always end when it is asked to, and keeps a log of what it was told

# What is still in memory is searched row by row: have it write out early.
_WRITTEN_OUT_BYTES = 300_000


@dataclass(frozen=True, slots=True)
class MilvusHome:
    """Where one server keeps its data and log. It asks nobody for a password: loopback only."""

    home: Path
    preferred_port: int = 0

    @property
    def record(self) -> Path:
        """Names the running process."""
        return self.home / "server.pid.json"


class MilvusServer(LocalServer):
    """A Milvus Lite that clients reach as they reach a Milvus; `start` returns its URL."""

    def __init__(self, place: MilvusHome, *, detached: bool = False) -> None:
        place = replace(place, home=place.home.absolute())
        launch = partial(_launch, place, detached=detached)
        super().__init__(place.home, launch, grace_s=_GRACE_S, detached=detached)


def stop_recorded(record: Path) -> bool:
    """End the detached server that `record` names; False if it is gone or not ours."""
    return end_recorded(record, _GRACE_S)


def _launch(place: MilvusHome, *, detached: bool) -> Launch:
    end_recorded(place.record, _GRACE_S)  # it may hold the port that is asked for
    port = free_port(place.preferred_port)
    where = ("--data-dir", str(place.home / "data"), "--host", "127.0.0.1", "--port", str(port))
    spec = ChildSpec(
        name="Milvus Lite",
        command=(sys.executable, "-m", "milvus_lite.cmdline", "server", *where),
        cwd=place.home,
        log=place.home / "server.log",
        record=place.record,
        env=plain_environment()
        | {"MILVUS_LITE_MEMTABLE_MEMORY_LIMIT_BYTES": str(_WRITTEN_OUT_BYTES)},
        detached=detached,
    )
    return Launch(spec, lambda: port_open(port), _START_S, f"http://127.0.0.1:{port}")
