"""A real vLLM, started once; `make test-vllm` installs what it needs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.vllm_server import VllmHome, VllmServer

CACHE = Path(__file__).parents[2] / ".cache" / "vllm"
KEY = "sk-swordfish-0123456789"


@pytest.fixture(scope="session")
def vllm_url() -> Iterator[str]:
    server = VllmServer(VllmHome(CACHE / "venv", CACHE / "home"), KEY)
    try:
        yield server.start()
    finally:
        server.stop()
