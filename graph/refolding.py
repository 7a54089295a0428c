"""A work's tree written anew from its stored scenes, whatever state it is in; pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from contracts.ids import ChapterId
from contracts.tree import ChapterInputs, GraftRecord, RowChanges
from contracts.works import Checkpoint, Commit, WorkRecord
from graph import checkpoints, fold, projection, registers


def folded(work: WorkRecord, stored: Mapping[ChapterId, ChapterInputs]) -> tuple[GraftRecord, ...]:
    """Return the graft records that folding the stored scenes from nothing gives."""
    return tuple(record for record, _ in _steps(work, told(work, stored)))


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
    records, marks = [], []
    for nth, (record, state) in enumerate(_steps(after, told(after, stored)), start=1):
        records.append(record)
        if nth % checkpoints.EVERY == 0:
            data = checkpoints.encode(state)
            marks.append(Checkpoint(record.chapter_id, record.digest, data))
    return Commit(
        work=after,
        expected_seq=work.commit_seq,
        drop_tree=True,
        chapters_put=chapters,
        contents_deleted=tuple(each.chapter_id for each in blank),
        records_put=tuple(records),
        checkpoints_put=tuple(marks),
        rows=RowChanges(puts=projection.project(records)),
    )


def _steps(
    work: WorkRecord, chapters: Iterable[ChapterInputs]
) -> Iterator[tuple[GraftRecord, fold.FoldState]]:
    state = fold.start(work.work_id)
    for chapter in chapters:
        state, record = fold.graft(state, chapter)
        yield record, state
