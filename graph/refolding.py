"""A work's tree written anew from its stored scenes, whatever state it is in."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from contracts.ids import ChapterId
from contracts.tree import ChapterInputs, GraftRecord, RowChanges
from contracts.works import Commit, WorkRecord
from graph import fold, projection, registers
from graph.advising import Advising
from graph.folding import Walk
from graph.placement_weights import Weights


def folded(
    work: WorkRecord,
    stored: Mapping[ChapterId, ChapterInputs],
    records: Iterable[GraftRecord],
    weights: Weights,
) -> tuple[GraftRecord, ...]:
    """Return the graft records that folding the stored scenes from nothing gives.

    What was advised is taken from the stored `records`: nobody is asked.
    """
    advised = {record.chapter_id: record.advised for record in records}
    state, made = fold.start(work.work_id), list[GraftRecord]()
    for chapter in told(work, stored):
        state, record = fold.graft(state, chapter, advised.get(chapter.chapter_id), weights=weights)
        made.append(record)
    return tuple(made)


def told(work: WorkRecord, stored: Mapping[ChapterId, ChapterInputs]) -> Sequence[ChapterInputs]:
    """Return the inputs of the story's chapters, as far as they are stored, in story order."""
    return [
        ChapterInputs(
            chapter.chapter_id,
            chapter.story_place,
            chapter.language,
            stored[chapter.chapter_id].scenes,
        )
        for chapter in work.story_chapters()
        if chapter.chapter_id in stored
    ]


async def refolded(
    work: WorkRecord,
    stored: Mapping[ChapterId, ChapterInputs],
    advising: Advising | None,
    weights: Weights,
    forgotten: Collection[ChapterId] = (),
) -> Commit:
    """Return the commit that drops the tree and writes the one that folding gives.

    With it the chapters `forgotten` become chapters that no event ever named: their events can
    be taken through the stages again.

    Raises:
        TransientError, PermanentError: as who advises raises them.
    """
    blank = tuple(registers.unknown(each) for each in sorted(forgotten))
    kept = [each for each in work.chapters if each.chapter_id not in forgotten]
    chapters = tuple(sorted([*kept, *blank], key=lambda chapter: chapter.chapter_id))
    after = work.model_copy(update={"chapters": chapters, "commit_seq": work.commit_seq + 1})
    walk = Walk(fold.start(work.work_id), advising=advising, weights=weights)
    records = [await walk.graft(chapter) for chapter in told(after, stored)]
    return Commit(
        work=after,
        expected_seq=work.commit_seq,
        drop_tree=True,
        chapters_put=chapters,
        contents_deleted=tuple(each.chapter_id for each in blank),
        records_put=tuple(records),
        checkpoints_put=tuple(walk.puts),
        rows=RowChanges(puts=projection.project(records)),
    )
