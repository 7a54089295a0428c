"""The suite that every tree store passes: each sentence of the ports' docstrings is a test."""

from __future__ import annotations

from tests.contract.tree_commits import CommitContract
from tests.contract.tree_refusals import RefusalContract
from tests.contract.tree_snapshots import SnapshotContract
from tests.contract.tree_texts import TextContract
from tests.contract.tree_views import ViewContract


class TreeStoreContract(
    CommitContract, RefusalContract, ViewContract, SnapshotContract, TextContract
):
    """Subclasses give a `store` fixture: a prepared store of their kind."""
