"""The hide stage: readers lose a withdrawn text at once, the tree a moment later.

A withdrawal commits twice. The first commit, here, is small and needs no model: after it no
reading statement returns anything of the text. The second is that of the graft.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from contracts.errors import TransientError
from contracts.events import ChapterEvent, ChapterWithdrawn, WorkWithdrawn
from contracts.ids import FIRST_GENERATION, Generation, WorkId
from contracts.ports import TreeStore
from contracts.works import Commit, WorkRecord
from graph.grafting_plan import changed
from graph.hiding import hidden

_ATTEMPTS: Final = 8  # a graft in full swing commits again and again; a hide takes milliseconds


@dataclass(frozen=True, slots=True)
class Hider:
    """Hides from readers what a withdrawal takes away, before the tree is folded again.

    It hides in one generation, live or not: what is withdrawn while an index is built must not be
    read after the swap. It may run any distance ahead of the grafter, or behind it, and any event
    may come again.
    """

    tree: TreeStore
    generation: Generation = FIRST_GENERATION

    async def __call__(self, events: Sequence[tuple[ChapterEvent, int]]) -> None:
        """Hide what those of `events` (with positions, one work) withdraw that are withdrawals.

        Raises:
            TransientError: the store is down, or others keep committing.
        """
        withdrawals = [
            (event, position)
            for event, position in events
            if isinstance(event, ChapterWithdrawn | WorkWithdrawn)
        ]
        if not withdrawals:
            return
        work_id = withdrawals[0][0].work_id
        for _ in range(_ATTEMPTS):
            before = await self._load(work_id)
            after = before
            for event, position in withdrawals:
                after = hidden(after, event, position)
            if after == before or await self.tree.commit(_commit(before, after)):
                return
        raise TransientError(
            f"work {work_id}: others keep committing while a withdrawal is to be hidden; "
            "trying again later"
        )

    async def _load(self, work_id: WorkId) -> WorkRecord:
        known = await self.tree.load(work_id, self.generation)
        return known or WorkRecord(work_id=work_id, generation=self.generation)


def _commit(before: WorkRecord, after: WorkRecord) -> Commit:
    return Commit(
        work=after.model_copy(update={"commit_seq": before.commit_seq + 1}),
        expected_seq=before.commit_seq,
        chapters_put=tuple(changed(before, after)),
    )
