"""What is wrong with a work's texts and vector rows, as findings."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterator

from contracts.ids import ChapterId, RowKey, WorkId
from contracts.reports import Finding, FindingKind
from contracts.works import WorkRecord
from graph.grafting_plan import linked_keys
from streams.doctor.row_states import RowState, Waiting, row_states, stray_rows
from streams.session import Home


async def row_findings(
    home: Home, work_id: WorkId, work: WorkRecord | None, keys: Collection[RowKey], waiting: Waiting
) -> AsyncIterator[Finding]:
    """Yield what is wrong with texts and rows; `keys` are the rows that are there."""
    if work is None:
        return
    linked = linked_keys(work, work.chapters)
    if linked and not keys:
        yield Finding(
            kind=FindingKind.ROW_LOST, text=f"none of its {len(linked)} vector rows is there"
        )
    async for state in row_states(home, work):
        for finding in chapter_findings(state, name_lost=bool(keys)):
            yield finding
    for row in await stray_rows(home, work_id, work, keys, waiting):
        yield Finding(
            kind=FindingKind.ROW_STRAY,
            chapter_id=ChapterId(row.chapter_id),
            text=f"vector row {row.key} is there but not linked",
        )


def chapter_findings(state: RowState, *, name_lost: bool) -> Iterator[Finding]:
    """Yield what is wrong with a chapter's text and rows; rows that are gone if `name_lost`."""
    chapter_id = state.chapter.chapter_id
    if not state.has_text:
        yield Finding(
            kind=FindingKind.TEXT_LOST,
            chapter_id=chapter_id,
            text=f"chapter {chapter_id!r} has no text that can be read",
        )
    if state.fault:
        yield Finding(
            kind=FindingKind.TEXT_WRONG,
            chapter_id=chapter_id,
            text=f"chapter {chapter_id!r}: {state.fault}",
        )
    for row in state.lost if name_lost else ():
        yield Finding(
            kind=FindingKind.ROW_LOST,
            chapter_id=chapter_id,
            text=f"vector row {row.key} is linked but not there",
        )
    for row in state.wrong:
        yield Finding(
            kind=FindingKind.ROW_WRONG,
            chapter_id=chapter_id,
            text=f"vector row {row.key} is not what chapter {chapter_id!r} gives",
        )
