"""The suite that every tree store passes: each sentence of the ports' docstrings is a test."""

from __future__ import annotations

from tests.contract.tree_checkpoints import CheckpointContract, SelectionContract
from tests.contract.tree_commits import CommitContract
from tests.contract.tree_generations import GenerationContract
from tests.contract.tree_hiding import HidingContract
from tests.contract.tree_outlines import OutlineContract
from tests.contract.tree_raw import RawContract
from tests.contract.tree_refusals import RefusalContract
from tests.contract.tree_restoring import RestoringContract
from tests.contract.tree_snapshots import SnapshotContract
from tests.contract.tree_story_graph import StoryGraphContract
from tests.contract.tree_texts import TextContract
from tests.contract.tree_views import ViewContract


class TreeStoreContract(
    CommitContract,
    RefusalContract,
    RestoringContract,
    ViewContract,
    HidingContract,
    OutlineContract,
    SnapshotContract,
    StoryGraphContract,
    TextContract,
    RawContract,
    CheckpointContract,
    SelectionContract,
    GenerationContract,
):
    """Subclasses give a `store` fixture: a prepared store of their kind."""
