"""How the client of Milvus behaves towards a server."""

from __future__ import annotations

from collections.abc import Sequence

import grpc
import pytest

from graph.milvus.connection import Connection

pytestmark = pytest.mark.real


def test_a_server_is_pinged_no_oftener_than_grpc_lets_a_client(
    milvus_uri: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: dict[str, object] = {}
    made = grpc.insecure_channel

    def noted(target: str, options: Sequence[tuple[str, object]]) -> grpc.Channel:
        told.update(options)
        return made(target, options=options)

    monkeypatch.setattr(grpc, "insecure_channel", noted)
    connection = Connection(milvus_uri)
    assert connection.client().list_collections() is not None
    connection.close()
    assert told["grpc.keepalive_time_ms"] == 300_000
    assert not told["grpc.keepalive_permit_without_calls"]
