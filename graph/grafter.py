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
from contracts.ids import FIRST_GENERATION, ChapterId, WorkId, row_key
from contracts.messages import ChapterEmbedded, ChapterGrafted, EmbeddedMessage
from contracts.ports import TreeStore, VectorStore
from contracts.vectors import VectorRow
from contracts.works import ChapterContent, ChapterRecord, WorkRecord
from graph import fold, grafting_plan, unlinking
from graph.draft import Draft, draft
from graph.grafting_plan import Folded

_ATTEMPTS: Final = 5  # a lost race means that somebody else committed; five in a row is no race
_WARM_WORKS: Final = 8  # works kept in memory; of another one the fold runs again from the store


@dataclass(frozen=True, slots=True)
class _Warm:
    """A work and its fold as this grafter last committed them."""

    work: WorkRecord
    state: fold.FoldState


@dataclass(frozen=True, slots=True)
class Grafter:
    """Grafts batches of consecutive messages of one work.

    Delivering a message again changes nothing. Two grafters at once are harmless: of competing
    commits one wins, the other reads again and decides anew.
    """

    tree: TreeStore
    vectors: VectorStore
    reached: Reached = go_on
    _warm: OrderedDict[WorkId, _Warm] = field(default_factory=OrderedDict, repr=False)

    async def __call__(self, batch: Sequence[EmbeddedMessage]) -> tuple[ChapterGrafted, ...]:
        """Apply `batch` (not empty, one work) and say what each message did.

        Raises:
            TransientError: a store is down, or rows that should be there are not.
            PermanentError: the batch holds messages of more than one work.
        """
        work_id = _one_work(batch)
        warm = self._warm.get(work_id)
        moved: list[tuple[tuple[str, ...], int]] = []  # rows that a lost attempt wrote again
        for attempt in range(_ATTEMPTS):
            # What is remembered may be out of date: after the first attempt it is read again.
            remembered = warm is not None and attempt == 0
            before = warm.work if warm and remembered else await self._read(work_id)
            if not remembered:
                await self._delete_left(before, batch)
            drafted = draft(before, batch)
            drafted.moved.extend(moved)
            after = drafted.result()
            if after != before:
                done = await self._settle(before, after, drafted, batch)
                if done is not None:
                    return done
                moved = drafted.moved
            elif not remembered:
                await self._delete_unlinked(before, before, drafted, batch)
                return grafting_plan.report(drafted, batch, before.commit_seq, None)
        raise TransientError(f"work {work_id}: another worker keeps committing; trying again later")

    async def _read(self, work_id: WorkId) -> WorkRecord:
        """Read the work; what is remembered of its fold stays where the story is the same."""
        known = await self.tree.load(work_id)
        work = known or WorkRecord(work_id=work_id, generation=FIRST_GENERATION)
        warm = self._warm.pop(work_id, None)
        if warm is not None and grafting_plan.same_story(warm.work, work):
            self._remember(work, warm.state)
        return work

    async def _settle(
        self,
        before: WorkRecord,
        after: WorkRecord,
        drafted: Draft,
        batch: Sequence[EmbeddedMessage],
    ) -> tuple[ChapterGrafted, ...] | None:
        """Write what was drafted; None when another commit came first."""
        after = after.model_copy(update={"commit_seq": before.commit_seq + 1})
        after = await self._place_rows(before, after, drafted)
        after = unlinking.with_unlinked(before, after)
        contents = await self._contents(after, drafted)
        self.reached(CrashPoint.AFTER_ROWS)
        folded = await self._fold(before, after, drafted, contents)
        plan = grafting_plan.commit_of(before, after, drafted, contents, folded)
        self.reached(CrashPoint.BEFORE_COMMIT)
        if not await self.tree.commit(plan):
            return None
        self.reached(CrashPoint.AFTER_COMMIT)
        self._remember(after, folded.state)
        await self._delete_unlinked(before, after, drafted, batch)
        return grafting_plan.report(drafted, batch, after.commit_seq, folded)

    async def _place_rows(
        self, before: WorkRecord, after: WorkRecord, drafted: Draft
    ) -> WorkRecord:
        """Write rows again, under the moving event's position, where the ordinal changed."""
        old = {chapter.chapter_id: chapter for chapter in before.chapters}
        chapters = []
        for chapter in after.chapters:
            stay = (
                not chapter.in_story
                or grafting_plan.written_ordinal(chapter, old, drafted) == chapter.place
            )
            chapters.append(chapter if stay else await self._move_rows(after, chapter))
        return after.model_copy(update={"chapters": tuple(chapters)})

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
            chapter.chapter_id: grafting_plan.content_of(
                drafted.texts[chapter.chapter_id], await self._linked_rows(after, chapter)
            )
            for chapter in after.story_chapters()
            if chapter.chapter_id in drafted.texts
        }

    async def _fold(
        self,
        before: WorkRecord,
        after: WorkRecord,
        drafted: Draft,
        contents: dict[ChapterId, ChapterContent],
    ) -> Folded:
        """Append to the fold where the story only grew at its head; else fold it all again."""
        old, story = before.story_chapters(), after.story_chapters()
        warm = self._warm.get(after.work_id)
        if grafting_plan.only_grew(before, after, drafted) and (warm or not old):
            state = warm.state if warm and old else fold.start(after.work_id)
            grown = [grafting_plan.inputs_of(each, contents, {}) for each in story[len(old) :]]
            state, records = grafting_plan.graft_all(state, grown)
            return Folded(state, (), records)
        stored = await self.tree.inputs(after.work_id, after.generation)
        whole = [grafting_plan.inputs_of(each, contents, stored) for each in story]
        state, records = grafting_plan.graft_all(fold.start(after.work_id), whole)
        if grafting_plan.forgets_all(after, drafted):
            return Folded(state, (), records)
        return Folded(state, await self.tree.records(after.work_id, after.generation), records)

    async def _delete_unlinked(
        self,
        before: WorkRecord,
        after: WorkRecord,
        drafted: Draft,
        batch: Sequence[EmbeddedMessage],
    ) -> None:
        self.reached(CrashPoint.BEFORE_CLEANUP)
        unlinked = unlinking.unlinked_keys(before, after, drafted, batch)
        if unlinked:
            await self.vectors.delete(after.work_id, after.generation, unlinked)

    async def _delete_left(self, work: WorkRecord, batch: Sequence[EmbeddedMessage]) -> None:
        """Delete rows that a delivery of `batch` unlinked whose process died before it could.

        Their keys are known to nobody any more, so the work's rows are looked through; only where
        a chapter of the batch once linked others, or the work was withdrawn.
        """
        left = unlinking.left_positions(work, batch)
        floor = work.floor if unlinking.withdraws_again(work, batch) else -1
        if not left and floor < 0:
            return
        keys = await self.vectors.keys(work.work_id, work.generation)
        unlinked = keys.difference(grafting_plan.linked_keys(work, work.chapters))
        rows = await self.vectors.fetch(work.work_id, work.generation, unlinked)
        gone = [
            row.key
            for row in rows.values()
            if row.position < floor or (row.chapter_id, row.position) in left
        ]
        if gone:
            await self.vectors.delete(work.work_id, work.generation, gone)

    def _remember(self, work: WorkRecord, state: fold.FoldState) -> None:
        self._warm[work.work_id] = _Warm(work, state)
        self._warm.move_to_end(work.work_id)
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
