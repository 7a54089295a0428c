"""What a graft writes, decided from values alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from contracts.ids import ChapterId, RowKey, row_key
from contracts.messages import (
    ChapterEmbedded,
    ChapterGrafted,
    EmbeddedMessage,
    Outcome,
)
from contracts.order import Registers
from contracts.ordinals import Ordinal
from contracts.tree import (
    AttachScene,
    GraftRecord,
    MoveScene,
    OpenStoryline,
    SceneInputs,
)
from contracts.vectors import VectorRow
from contracts.works import ChapterContent, ChapterRecord, Commit, WorkRecord
from graph import projection
from graph.draft import Draft, position_of
from graph.folding import Folded
from graph.scene_vectors import scene_vectors


def forgets_all(drafted: Draft) -> bool:
    """Say whether nothing stored of the work outlives the batch."""
    return drafted.dropped_all and all(
        chapter.chapter_id in drafted.texts
        for chapter in drafted.chapters.values()
        if chapter.in_story
    )


def content_of(message: ChapterEmbedded, rows: Sequence[VectorRow]) -> ChapterContent:
    """Return the chapter's text node; scenes get their vectors from the chapter's rows."""
    segmented, vectors = message.segmented, scene_vectors(rows)
    return ChapterContent(
        chapter_id=segmented.head.chapter_id,
        text=segmented.text,
        term_counts=message.term_counts,
        scenes=tuple(SceneInputs(scene, vectors[scene.scene_id]) for scene in segmented.scenes),
    )


def written_ordinal(chapter: ChapterRecord, drafted: Draft) -> Ordinal:
    """Return the ordinal that stands in the rows which the chapter has at its `row_position`."""
    message = drafted.texts.get(chapter.chapter_id)
    if message is not None:
        return message.segmented.head.ordinal
    return drafted.known[chapter.chapter_id].story_place


def linked_keys(work: WorkRecord, chapters: Iterable[ChapterRecord]) -> list[RowKey]:
    """Return the keys of the rows that `chapters` link."""
    return [
        row_key(work.generation, item, chapter.row_position)
        for chapter in chapters
        for item in chapter.items
    ]


def changed(before: WorkRecord, after: WorkRecord) -> list[ChapterRecord]:
    """Return the chapters of `after` that `before` has not, or has otherwise."""
    old = {chapter.chapter_id: chapter for chapter in before.chapters}
    return [chapter for chapter in after.chapters if old.get(chapter.chapter_id) != chapter]


def commit_of(
    before: WorkRecord,
    after: WorkRecord,
    drafted: Draft,
    contents: Mapping[ChapterId, ChapterContent],
    folded: Folded,
) -> Commit:
    """Return the one transaction that takes the stores from `before` to `after`."""
    drop_all = forgets_all(drafted)
    changed_now = drafted.changed()
    silent = [
        each
        for each in sorted(drafted.touched)
        if _has_text(drafted.known.get(each)) and not _has_text(drafted.chapters.get(each))
    ]
    same = _common_prefix(folded.old, folded.new)
    new_ids = {record.chapter_id for record in folded.new}
    gone = [record.chapter_id for record in folded.old if record.chapter_id not in new_ids]
    return Commit(
        work=after,
        expected_seq=before.commit_seq,
        drop_all=drop_all,
        chapters_put=after.chapters if drop_all else (*changed_now, *_forgotten(drafted)),
        contents_put=tuple(contents[key] for key in sorted(contents)),
        contents_deleted=() if drop_all else tuple(silent),
        records_put=_differing(folded.old, folded.new),
        records_deleted=tuple(gone),
        checkpoints_put=folded.puts,
        checkpoints_deleted=folded.deletes,
        rows=projection.suffix_changes(folded.old[same:], folded.new[same:]),
    )


def report(
    drafted: Draft, batch: Sequence[EmbeddedMessage], commit_seq: int, folded: Folded | None
) -> tuple[ChapterGrafted, ...]:
    """Say of each message what it did; the tree's figures stand with the chapter's last message."""
    records = {record.chapter_id: record for record in folded.new} if folded else {}
    refolded = len(folded.new) if folded and folded.old else 0
    reports = [
        _reported(message, outcome, commit_seq, records.get(chapter_of(message)))
        for message, outcome in zip(batch, drafted.outcomes, strict=True)
    ]
    of_batch = {"refolded_chapters": refolded, "model_calls": folded.calls if folded else 0}
    reports[-1] = reports[-1].model_copy(update=of_batch)
    return tuple(reports)


def _reported(
    message: EmbeddedMessage, outcome: Outcome, commit_seq: int, record: GraftRecord | None
) -> ChapterGrafted:
    operations = record.operations if record else ()
    event = message.segmented.head if isinstance(message, ChapterEmbedded) else message.event
    return ChapterGrafted(
        work_id=event.work_id,
        chapter_id=chapter_of(message) or None,
        position=position_of(message),
        outcome=outcome,
        commit_seq=commit_seq,
        scenes=sum(isinstance(operation, AttachScene) for operation in operations),
        storylines_opened=sum(isinstance(operation, OpenStoryline) for operation in operations),
        scenes_moved=sum(isinstance(operation, MoveScene) for operation in operations),
        placement_tokens=record.tokens if record else 0,
    )


def chapter_of(message: EmbeddedMessage) -> ChapterId:
    """Return the chapter that the message is about; of a whole work an empty id."""
    if isinstance(message, ChapterEmbedded):
        return message.segmented.head.chapter_id
    return getattr(message.event, "chapter_id", ChapterId(""))


def _forgotten(drafted: Draft) -> list[ChapterRecord]:
    """Return, as never known, the chapters that a withdrawn work left behind."""
    return [
        ChapterRecord(chapter_id=chapter.chapter_id, registers=Registers())
        for chapter in drafted.left()
    ]


def _has_text(chapter: ChapterRecord | None) -> bool:
    return chapter is not None and bool(chapter.content_hash)


def _differing(old: Iterable[GraftRecord], new: Iterable[GraftRecord]) -> tuple[GraftRecord, ...]:
    known = {record.chapter_id: record for record in old}
    return tuple(record for record in new if known.get(record.chapter_id) != record)


def _common_prefix(old: Sequence[GraftRecord], new: Sequence[GraftRecord]) -> int:
    count = 0
    for was, now in zip(old, new, strict=False):
        if was != now:
            break
        count += 1
    return count
