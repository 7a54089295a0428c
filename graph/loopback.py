"""What a local server needs of this machine: a free port and an environment of its own."""

import os
import socket

_KEPT = ("PATH", "HOME", "TMPDIR")


def free_port(preferred: int = 0) -> int:
    """`preferred`, else any loopback TCP port that nobody listens on now.

    Another process may take it before you do.
    """
    with socket.socket() as probe:
        # As servers do: a port whose last connections still time out counts as free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", preferred))
        except OSError:
            probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def port_open(port: int) -> bool:
    """Whether something on this machine accepts connections on `port`."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1.0).close()
    except OSError:
        return False
    return True


def plain_environment() -> dict[str, str]:
    """An environment in which nothing of ours changes a Java server's settings.

    UTF-8 is forced: under the C locale a JVM cannot open a path like `/home/josé`.
    """
    return {key: os.environ[key] for key in _KEPT if key in os.environ} | {"LC_ALL": "C.UTF-8"}
