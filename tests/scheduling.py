"""Which tests run in one process: those that share servers, so that few are started."""

from __future__ import annotations

from typing import Final

from xdist.scheduler import LoadScopeScheduling

_ON_NEO4J: Final = (
    "tests/contract/",
    "tests/e2e/kafka/test_distributed.py",
    "tests/e2e/test_histories.py",
    "tests/e2e/test_purge_servers.py",
    "tests/e2e/test_stage_stores.py",
)
_ON_KAFKA: Final = ("tests/e2e/kafka/",)
"""Each of the two takes about a third of the time of all tests; a third process has the rest."""


class SharedServersScheduling(LoadScopeScheduling):  # type: ignore[misc]  # it has no types
    """As `--dist loadscope`, but all that use the servers of `tests/conftest.py` stay together."""

    def _split_scope(self, nodeid: str) -> str:
        if nodeid.startswith(_ON_NEO4J):
            return "on Neo4j"
        if nodeid.startswith(_ON_KAFKA):
            return "on Kafka"
        scope: str = super()._split_scope(nodeid)
        return scope
