"""Whether the kept states of a work's fold are those after their chapters."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from contracts.ports import TreeStore
from contracts.tree import GraftRecord
from contracts.works import WorkRecord
from graph import checkpoints


async def checkpoint_faults(
    tree: TreeStore, work: WorkRecord, records: Sequence[GraftRecord]
) -> AsyncIterator[str]:
    """Say of which chapters the checkpoint is not the state that the chapter's record left.

    Nothing is folded from such a one: it costs time, and no answer is wrong.
    """
    digests = {record.chapter_id: record.digest for record in records}
    for chapter_id in sorted(await tree.checkpointed(work.work_id, work.generation)):
        stored = await tree.checkpoint(work.work_id, work.generation, chapter_id)
        if stored is None or stored.digest != digests.get(chapter_id):
            yield f"the checkpoint after chapter {chapter_id!r} is not of its graft record"
            continue
        try:
            saved = checkpoints.read(stored.data)
            scenes = await tree.scenes(work.work_id, work.generation, saved.scenes)
            saved.state(work.work_id, stored.digest, scenes)
        except ValueError as error:
            yield f"the checkpoint after chapter {chapter_id!r} is of no use: {error}"
