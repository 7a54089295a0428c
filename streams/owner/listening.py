"""A socket on this machine alone."""

from __future__ import annotations

import socket
from typing import Final

from contracts.errors import TransientError

HOST: Final = "127.0.0.1"


def listening_on(port: int) -> socket.socket:
    """Return a socket that queues connections from now on, before anybody is told of it.

    Raises:
        TransientError: the port is taken.
    """
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((HOST, port))
        listening.listen()
    except OSError as error:
        listening.close()
        raise TransientError(
            f"Port {port} cannot be listened on: {error.strerror}; give another --port."
        ) from error
    return listening
