"""What remembers: works, chapters, scenes and storylines."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from contracts.ids import ChapterId, Generation, SceneId, WorkId
from contracts.ordinals import Ordinal
from contracts.ports.views import BoundStory
from contracts.tree import (
    ChapterInputs,
    GraftRecord,
    SceneInputs,
    TreeRow,
)
from contracts.works import ChapterContent, Checkpoint, Commit, WorkRecord


class TreeStore(Protocol):
    """Works, chapters, scenes and storylines, written in one transaction a commit."""

    async def prepare(self) -> None:
        """Bring the store to this program's format; safe to run again, and by two at once.

        A store of a newer format is a `PermanentError`, and is left as it is.
        """

    async def live(self) -> Generation:
        """Return the generation that the pointer names; the first where nobody ever moved it."""

    async def point(self, to: Generation, instead_of: Generation) -> bool:
        """Make `to` the live generation if `instead_of` is; say whether it was.

        It is one write: a reader that binds finds the one or the other, and never both.
        """

    async def works(self, generation: Generation | None = None) -> tuple[WorkRecord, ...]:
        """Return every work of a generation, None for the live one, by work id.

        Withdrawn works too.
        """

    async def load(
        self, work_id: WorkId, generation: Generation | None = None
    ) -> WorkRecord | None:
        """Return the work in a generation, None for the live one; None if it is not known there."""

    async def inputs(
        self,
        work_id: WorkId,
        generation: Generation,
        chapter_ids: Collection[ChapterId] | None = None,
    ) -> Mapping[ChapterId, ChapterInputs]:
        """Return the fold's inputs of every chapter that has text and a place, live or not.

        With `chapter_ids` of those chapters only, at a cost that does not depend on the others.
        """

    async def records(
        self,
        work_id: WorkId,
        generation: Generation,
        chapter_ids: Collection[ChapterId] | None = None,
    ) -> tuple[GraftRecord, ...]:
        """Return the graft records in story order.

        With `chapter_ids` of those chapters only, at a cost that does not depend on the others.
        """

    async def scenes(
        self, work_id: WorkId, generation: Generation, scene_ids: Collection[SceneId]
    ) -> Mapping[SceneId, SceneInputs]:
        """Return the fold's inputs of those of `scene_ids` that are there, live or not."""

    async def checkpointed(self, work_id: WorkId, generation: Generation) -> frozenset[ChapterId]:
        """Return the chapters that have a checkpoint."""

    async def checkpoint(
        self, work_id: WorkId, generation: Generation, chapter_id: ChapterId
    ) -> Checkpoint | None:
        """Return the chapter's checkpoint as it was put, if it has one."""

    async def rows(self, work_id: WorkId, generation: Generation) -> tuple[TreeRow, ...]:
        """Return every row of the tree as it is stored, ends after any as-of included.

        Nothing is left out, nothing is masked: a row that is there twice comes twice.
        """

    async def contents(
        self, work_id: WorkId, generation: Generation, chapter_ids: Collection[ChapterId]
    ) -> Mapping[ChapterId, ChapterContent]:
        """Return the texts and scenes of those of `chapter_ids` that have a text, live or not.

        A text that cannot be read is left out, as one that is not there; term counts that are
        not there are empty.
        """

    async def linking(self) -> tuple[tuple[WorkId, Generation], ...]:
        """Return the works, each with its generation, that link rows of the vector store."""

    async def commit(self, commit: Commit) -> bool:
        """Write `commit` in one transaction, all or nothing.

        Returns False, changing nothing, when the work's `commit_seq` is not
        `commit.expected_seq` (0 for a work never heard of). Of competing commits exactly one
        wins. When it returns True the effect is durable.

        Raises:
            PermanentError: the commit is unfit, and nothing was changed: a content, record or
                checkpoint of a chapter that is not known, a row put that refers to a scene,
                storyline or character that is not there (afterwards), or a deleted storyline
                or character that other rows still refer to.
        """

    async def view(
        self, work_id: WorkId, as_of: Ordinal | None, generation: Generation | None = None
    ) -> BoundStory | None:
        """Bind a generation, None for the live one, and an as-of, None for the head.

        Returns None when the work has no live chapter at all.
        """

    async def erase(self, work_id: WorkId, generation: Generation, most: int) -> bool:
        """Delete about `most` nodes of a work that is not live; say whether any may be left.

        The work itself goes last, so that what was cut off is found again by `works`.

        Raises:
            PermanentError: the generation is live.
        """

    async def close(self) -> None:
        """Let go of the store; a second call does nothing."""
