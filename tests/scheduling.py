"""Which tests run in one process: those that share servers, so that each server starts once."""

from __future__ import annotations

from typing import Final

from xdist.scheduler import LoadScopeScheduling

_ON_SHARED_SERVERS: Final = (
    "tests/contract/",
    "tests/e2e/kafka/",
    "tests/e2e/test_histories.py",
    "tests/e2e/test_purge_servers.py",
    "tests/e2e/test_stage_stores.py",
)
"""Together less than half of the time of all tests; the other process has the rest."""


class SharedServersScheduling(LoadScopeScheduling):  # type: ignore[misc]  # it has no types
    """As `--dist loadscope`, but all that use the servers of `tests/conftest.py` stay together."""

    def _split_scope(self, nodeid: str) -> str:
        if nodeid.startswith(_ON_SHARED_SERVERS):
            return "shared servers"
        scope: str = super()._split_scope(nodeid)
        return scope
