"""Checkpoints of the fold, and the scenes that they name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from neo4j import AsyncTransaction

from contracts.ids import ChapterId, SceneId
from contracts.tree import SceneInputs
from contracts.works import Checkpoint
from graph.bolt import statements
from graph.bolt.reading import scene_of, whole
from graph.bolt.transactions import rows_of


async def read_scenes(
    transaction: AsyncTransaction, keys: Sequence[str]
) -> Mapping[SceneId, SceneInputs]:
    """Return the scenes of these keys that are there."""
    found = await rows_of(transaction, statements.SCENES, keys=keys)
    return {
        SceneId(each["id"]): SceneInputs(scene_of(each), bytes(each["dense"])) for each in found
    }


async def read_checkpointed(transaction: AsyncTransaction, key: str) -> frozenset[ChapterId]:
    """Return the chapters of the work that have a checkpoint."""
    found = await rows_of(transaction, statements.CHECKPOINTED, work=key)
    return frozenset(ChapterId(each["chapter_id"]) for each in found)


async def read_checkpoint(
    transaction: AsyncTransaction, key: str, chapter_id: ChapterId
) -> Checkpoint | None:
    """Return the checkpoint of the chapter with this key, if it has one."""
    found = await rows_of(transaction, statements.CHECKPOINT, key=key)
    if not found:
        return None
    return Checkpoint(chapter_id, str(found[0]["digest"]), whole(found))
