"""A work's tree written anew from its stored scenes, whatever state it is in; pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from contracts.ids import ChapterId
from contracts.tree import ChapterInputs, GraftRecord, RowChanges, TreeRow
from contracts.works import Commit, WorkRecord
from graph import fold, grafting_plan, projection, registers


def folded(work: WorkRecord, stored: Mapping[ChapterId, ChapterInputs]) -> tuple[GraftRecord, ...]:
    """Return the graft records that folding the stored scenes from nothing gives."""
    _, records = grafting_plan.graft_all(fold.start(work.work_id), told(work, stored))
    return records


def told(work: WorkRecord, stored: Mapping[ChapterId, ChapterInputs]) -> Sequence[ChapterInputs]:
    """Return the inputs of the story's chapters, as far as they are stored, in story order."""
    return [
        grafting_plan.inputs_of(chapter, {}, stored)
        for chapter in work.story_chapters()
        if chapter.chapter_id in stored
    ]


def refolded(
    work: WorkRecord,
    stored: Mapping[ChapterId, ChapterInputs],
    forgotten: Collection[ChapterId] = (),
) -> Commit:
    """Return the commit that drops the tree and writes the one that folding gives.

    With it the chapters `forgotten` become chapters that no event ever named: their events can
    be taken through the stages again.
    """
    blank = tuple(registers.unknown(each) for each in sorted(forgotten))
    kept = [each for each in work.chapters if each.chapter_id not in forgotten]
    chapters = tuple(sorted([*kept, *blank], key=lambda chapter: chapter.chapter_id))
    after = work.model_copy(update={"chapters": chapters, "commit_seq": work.commit_seq + 1})
    records = folded(after, stored)
    return Commit(
        work=after,
        expected_seq=work.commit_seq,
        drop_tree=True,
        chapters_put=chapters,
        contents_deleted=tuple(each.chapter_id for each in blank),
        records_put=records,
        rows=RowChanges(puts=_rows(records)),
    )


def _rows(records: Sequence[GraftRecord]) -> dict[str, TreeRow]:
    return projection.project(records)
