"""The graft stage: one work's messages become one fold and one graph transaction.

Read what is known, decide (`draft`, `fold`, `grafting_plan`), write: rows under new keys first,
then the commit point, then the deletion of exactly the rows that nothing links any more.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from contracts.crash_points import CrashPoint, Reached, go_on
from contracts.errors import PermanentError, TransientError
from contracts.ids import FIRST_GENERATION, ChapterId, Generation, WorkId, row_key
from contracts.messages import ChapterEmbedded, ChapterGrafted, EmbeddedMessage
from contracts.ports import TreeStore, VectorStore
from contracts.vectors import VectorRow
from contracts.works import ChapterContent, ChapterRecord, WorkRecord
from graph import fold, grafting_plan, unlinking
from graph.advising import Advising
from graph.checkpoints import EVERY
from graph.draft import Draft, MovedRows, draft
from graph.folding import Change, Folding, ScenesMissingError
from graph.placement_weights import WEIGHTS, Weights
from graph.story import Story, retold, story_of

_ATTEMPTS: Final = 5  # a lost race means that somebody else committed; five in a row is no race
_WARM_WORKS: Final = 8  # works kept in memory; of another one a checkpoint is read


@dataclass(frozen=True, slots=True)
class _Known:
    """A work as this grafter last read or committed it, and what it knows of its fold.

    `state` is the one at the end of the story, `marks` are the chapters with a checkpoint; None
    stands for unknown. Of a work that is `cleaned` all rows are deleted that commits unlinked; of
    one that was read this is not known.
    """

    work: WorkRecord
    story: Story
    state: fold.FoldState | None = None
    marks: frozenset[ChapterId] | None = None
    cleaned: bool = False


@dataclass(frozen=True, slots=True)
class Grafter:
    """Grafts batches of consecutive messages of one work into one generation, live or not.

    Delivering a message again changes nothing. Two grafters at once are harmless: of competing
    commits one wins, the other reads again and decides anew.
    """

    tree: TreeStore
    vectors: VectorStore
    reached: Reached = go_on
    checkpoint_every: int = EVERY
    advising: Advising | None = None
    weights: Weights = WEIGHTS
    generation: Generation = FIRST_GENERATION
    _warm: OrderedDict[WorkId, _Known] = field(default_factory=OrderedDict, repr=False)

    async def __call__(self, batch: Sequence[EmbeddedMessage]) -> tuple[ChapterGrafted, ...]:
        """Apply `batch` (not empty, one work) and say what each message did.

        Raises:
            TransientError: a store is down, or rows or scenes that should be there are not.
            PermanentError: the batch holds messages of more than one work.
        """
        work_id = _one_work(batch)
        # Nothing is remembered again until the batch is done to its end: after a failure on the
        # way it is not known which rows are left.
        known = self._warm.pop(work_id, None)
        moved: list[MovedRows] = []  # rows that a lost attempt wrote again
        why = f"work {work_id}: another worker keeps committing; trying again later"
        for attempt in range(_ATTEMPTS):
            # What is remembered may be out of date: after the first attempt it is read again.
            if known is None or attempt > 0:
                known = await self._read(work_id, known)
            drafted = draft(known.work, batch)
            drafted.moved.extend(moved)
            if drafted.result() != known.work:
                try:
                    done = await self._settle(known, drafted, batch)
                except ScenesMissingError as error:
                    done, why = None, str(error)
                if done is not None:
                    return done
                moved = drafted.moved
            elif not known.cleaned:
                await self._clean(known, known.work, drafted, batch)
                return grafting_plan.report(drafted, batch, known.work.commit_seq, None)
        raise TransientError(why)

    async def _read(self, work_id: WorkId, known: _Known | None) -> _Known:
        """Read the work; what is known of its fold stays where the story is the same."""
        work = await self.tree.load(work_id, self.generation)
        work = work or WorkRecord(work_id=work_id, generation=self.generation)
        story = story_of(work)
        same = known is not None and known.story == story
        return _Known(work, story, known.state if known and same else None)

    async def _settle(
        self, known: _Known, drafted: Draft, batch: Sequence[EmbeddedMessage]
    ) -> tuple[ChapterGrafted, ...] | None:
        """Write what was drafted; None when another commit came first."""
        before = known.work
        await self._place_rows(drafted)
        unlinking.note_unlinked(drafted, cleaned=known.cleaned)
        commit_seq = before.commit_seq + 1
        after = drafted.result().model_copy(update={"commit_seq": commit_seq})
        contents = await self._contents(after, drafted)
        self.reached(CrashPoint.AFTER_ROWS)
        story = retold(known.story, drafted.changed(), drafted.left())
        folding = Folding(
            self.tree,
            after.work_id,
            after.generation,
            self.checkpoint_every,
            self.advising,
            self.weights,
        )
        folded = await folding(
            Change(
                old=known.story,
                new=story,
                fresh=contents,
                head=known.state,
                marks=known.marks,
                forgets=grafting_plan.forgets_all(drafted),
            )
        )
        plan = grafting_plan.commit_of(before, after, drafted, contents, folded)
        self.reached(CrashPoint.BEFORE_COMMIT)
        if not await self.tree.commit(plan):
            return None
        self.reached(CrashPoint.AFTER_COMMIT)
        await self._clean(known, after, drafted, batch)
        self._remember(_Known(after, story, folded.state, folded.marks, cleaned=True))
        return grafting_plan.report(drafted, batch, after.commit_seq, folded)

    async def _place_rows(self, drafted: Draft) -> None:
        """Write rows again, under the moving event's position, where the ordinal changed."""
        for chapter in drafted.changed():
            if (
                chapter.in_story
                and grafting_plan.written_ordinal(chapter, drafted) != chapter.place
            ):
                moved = await self._move_rows(drafted.work, chapter)
                drafted.chapters[chapter.chapter_id] = moved

    async def _move_rows(self, work: WorkRecord, chapter: ChapterRecord) -> ChapterRecord:
        token = chapter.registers.ordinal
        position = token[1] if token else chapter.row_position
        moved = [
            replace(
                row,
                key=row_key(work.generation, row.item_id, position),
                position=position,
                ordinal=int(chapter.story_place),
            )
            for row in await self._linked_rows(work, chapter)
        ]
        await self.vectors.upsert(work.work_id, work.generation, moved)
        return chapter.model_copy(update={"row_position": position})

    async def _linked_rows(self, work: WorkRecord, chapter: ChapterRecord) -> list[VectorRow]:
        """Return the chapter's rows, all of which must be there."""
        keys = grafting_plan.linked_keys(work, [chapter])
        found = await self.vectors.fetch(work.work_id, work.generation, keys)
        if len(found) < len(keys):
            raise TransientError(
                f"work {work.work_id}, chapter {chapter.chapter_id}: {len(keys) - len(found)} of "
                f"{len(keys)} rows are missing in the vector store"
            )
        return [found[key] for key in keys]

    async def _contents(self, after: WorkRecord, drafted: Draft) -> dict[ChapterId, ChapterContent]:
        """Return the text nodes of the batch's winning texts; their rows are seen to be there."""
        return {
            chapter_id: grafting_plan.content_of(
                message, await self._linked_rows(after, drafted.chapters[chapter_id])
            )
            for chapter_id, message in drafted.texts.items()
            if drafted.chapters[chapter_id].in_story
        }

    async def _clean(
        self, known: _Known, after: WorkRecord, drafted: Draft, batch: Sequence[EmbeddedMessage]
    ) -> None:
        """Delete what `after` does not link any more, and what earlier deliveries have left."""
        self.reached(CrashPoint.BEFORE_CLEANUP)
        unlinked = unlinking.unlinked_keys(after, drafted, batch)
        if unlinked:
            await self.vectors.delete(after.work_id, after.generation, unlinked)
        left = unlinking.Left() if known.cleaned else unlinking.left_behind(known.work, batch)
        if left:
            await self._delete_left(after, left)

    async def _delete_left(self, work: WorkRecord, left: unlinking.Left) -> None:
        """Delete the rows that are `left`: nobody knows their keys, so all are looked through.

        Only after the commit: until then another grafter may be about to link what lies there.
        """
        keys = await self.vectors.keys(work.work_id, work.generation)
        unlinked = keys.difference(grafting_plan.linked_keys(work, work.chapters))
        rows = await self.vectors.fetch(work.work_id, work.generation, unlinked)
        gone = [row.key for row in rows.values() if left.has(row)]
        if gone:
            await self.vectors.delete(work.work_id, work.generation, gone)

    def _remember(self, known: _Known) -> None:
        self._warm[known.work.work_id] = known
        self._warm.move_to_end(known.work.work_id)
        while len(self._warm) > _WARM_WORKS:
            self._warm.popitem(last=False)


def _one_work(batch: Sequence[EmbeddedMessage]) -> WorkId:
    works = {
        message.segmented.head.work_id
        if isinstance(message, ChapterEmbedded)
        else message.event.work_id
        for message in batch
    }
    if len(works) != 1:
        raise PermanentError(f"a graft takes messages of exactly one work, not of {len(works)}")
    return works.pop()
