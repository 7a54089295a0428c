"""A store's survivors, written through the ports into a fresh one: nothing is computed anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from contracts.errors import PermanentError
from contracts.ports import TreeStore, VectorStore
from contracts.tree import RowChanges
from contracts.works import ChapterContent, ChapterRecord, Checkpoint, Commit, WorkRecord
from graph.exporting import export
from graph.grafting_plan import linked_keys
from graph.projection import project

T = TypeVar("T")

_CHAPTERS_AT_ONCE: Final = 256  # texts of one commit: some 10 MB of a serial
_ROWS_AT_ONCE: Final = 512


async def copy_tree(source: TreeStore, target: TreeStore) -> int:
    """Write every work of `source` into `target`, which is empty; return how many there were.

    The pointer to the live generation comes first, for what is compared is what it names.

    Raises:
        PermanentError: a text is missing in `source`, or a copy does not read like its original.
        TransientError: a store is down.
    """
    works = await source.works()
    if set(await source.linking()) - {(work.work_id, work.generation) for work in works}:
        raise PermanentError("Another generation of the index is kept: drop it, then purge again.")
    await target.point(await source.live(), await target.live())
    for work in works:
        await _copy_work(source, target, work)
        await _compare(source, target, work)
    return len(works)


async def copy_rows(tree: TreeStore, source: VectorStore, target: VectorStore) -> int:
    """Write the rows that `tree` links, and no others, into `target`; return how many.

    Raises:
        PermanentError: a row is missing in `source`.
        TransientError: a store is down.
    """
    copied = 0
    for work in await tree.works():
        keys = linked_keys(work, work.chapters)
        for some in _chunks(keys, _ROWS_AT_ONCE):
            found = await source.fetch(work.work_id, work.generation, some)
            if len(found) < len(some):
                raise _lacking(work, f"{len(some) - len(found)} rows")
            await target.upsert(work.work_id, work.generation, [found[key] for key in some])
        if await target.keys(work.work_id, work.generation) != frozenset(keys):
            raise PermanentError(f"The copied rows of work {work.work_id!r} are not its rows.")
        copied += len(keys)
    return copied


async def _copy_work(source: TreeStore, target: TreeStore, work: WorkRecord) -> None:
    """Copy in as many commits as the texts need; the last one has the tree and the work's number.

    Until then the copy is a work without its tree; nobody reads it before it is whole.
    """
    batches = list(_chunks(work.story_chapters(), _CHAPTERS_AT_ONCE)) or [()]
    if len(batches) > work.commit_seq:  # there is no number for each
        batches = [work.story_chapters()]
    rest = tuple(chapter for chapter in work.chapters if not chapter.in_story)
    for nth, batch in enumerate(batches):
        seq = work.commit_seq - len(batches) + nth + 1
        commit = Commit(
            work=work.model_copy(update={"commit_seq": seq}),
            expected_seq=seq - 1 if nth else 0,
            restores=nth == 0,
            chapters_put=tuple(batch),
            contents_put=await _contents(source, work, batch),
        )
        if nth == len(batches) - 1:
            records = await source.records(work.work_id, work.generation)
            commit = replace(
                commit,
                chapters_put=(*batch, *rest),
                records_put=records,
                checkpoints_put=await _checkpoints(source, work),
                rows=RowChanges(puts=project(records)),
            )
        if not await target.commit(commit):
            raise PermanentError(f"The copy of work {work.work_id!r} is being written by others.")


async def _checkpoints(source: TreeStore, work: WorkRecord) -> tuple[Checkpoint, ...]:
    """Return the kept states of the fold; one that has gone in the meantime is made again later."""
    chapters = sorted(await source.checkpointed(work.work_id, work.generation))
    found = [await source.checkpoint(work.work_id, work.generation, each) for each in chapters]
    return tuple(checkpoint for checkpoint in found if checkpoint is not None)


async def _contents(
    source: TreeStore, work: WorkRecord, chapters: Sequence[ChapterRecord]
) -> tuple[ChapterContent, ...]:
    ids = [chapter.chapter_id for chapter in chapters]
    found = await source.contents(work.work_id, work.generation, ids)
    if len(found) < len(ids):
        raise _lacking(work, f"{len(ids) - len(found)} texts")
    return tuple(found[chapter_id] for chapter_id in ids)


async def _compare(source: TreeStore, target: TreeStore, work: WorkRecord) -> None:
    there, here = [await _told(store, work) for store in (source, target)]
    if there != here or await target.load(work.work_id) != work:
        raise PermanentError(
            f"The copy of work {work.work_id!r} does not read like its original: see what "
            "`storygraft doctor` finds, then purge again."
        )


async def _told(store: TreeStore, work: WorkRecord) -> bytes | None:
    view = await store.view(work.work_id, None)
    return None if view is None else (await export(view, with_text=True)).to_json()


def _lacking(work: WorkRecord, what: str) -> PermanentError:
    return PermanentError(
        f"Work {work.work_id!r} cannot be copied, {what} of it are missing: run "
        "`storygraft doctor --repair`, then purge again."
    )


def _chunks(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
