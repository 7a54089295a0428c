"""Whether what is stored is sound: the tree's invariants, and rows that agree with the graph."""

from __future__ import annotations

from collections.abc import Sequence

from contracts.ordinals import Ordinal
from contracts.reports import DoctorReport, WorkFindings
from contracts.tree import ChapterInputs, TreeRow
from contracts.works import WorkRecord
from graph.grafting_plan import linked_keys
from graph.invariants import row_violations, violations
from graph.projection import project
from graph.snapshots import snapshot
from streams.session import Home, NotFound, not_found


async def check(home: Home, work_id: str | None = None) -> DoctorReport:
    """Return what is wrong with every work, or with one.

    Raises:
        NotFound: nobody has heard of the work.
        TransientError: a store is down.
    """
    works = await home.tree.works()
    chosen = tuple(work for work in works if work_id in (None, work.work_id))
    if work_id is not None and not chosen:
        raise NotFound(not_found(work_id, works, home.settings))
    return DoctorReport(works=tuple([await _findings(home, work) for work in chosen]))


async def _findings(home: Home, work: WorkRecord) -> WorkFindings:
    generation = work.generation
    stored = await home.tree.inputs(work.work_id, generation)
    told = work.story_chapters()
    chapters = [stored[chapter.chapter_id] for chapter in told if chapter.chapter_id in stored]
    records = await home.tree.records(work.work_id, generation)
    rows = tuple(project(records).values())
    linked = linked_keys(work, work.chapters)
    found = [
        *(f"chapter {c.chapter_id} has no text" for c in told if c.chapter_id not in stored),
        *violations(work.work_id, chapters, records, rows),
        *await _unlike_stored(home, work, chapters, rows),
        *row_violations(linked, await home.vectors.keys(work.work_id, generation)),
    ]
    return WorkFindings(work_id=work.work_id, findings=tuple(found))


async def _unlike_stored(
    home: Home, work: WorkRecord, chapters: Sequence[ChapterInputs], rows: Sequence[TreeRow]
) -> list[str]:
    """Compare what the store shows, as of every chapter, with what the records say."""
    found: list[str] = []
    for ordinal in sorted({chapter.ordinal for chapter in chapters}):
        view = await home.tree.view(work.work_id, Ordinal(ordinal))
        if view is not None and await view.snapshot() != snapshot(rows, ordinal):
            found.append(f"as of {ordinal} the stored tree is not that of its graft records")
    return found
