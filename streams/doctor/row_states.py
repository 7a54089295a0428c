"""How the vector store's rows stand against those that the graph's texts give."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from contracts.ids import RowKey, WorkId
from contracts.vectors import VectorRow
from contracts.works import ChapterRecord, WorkRecord
from graph.grafting_plan import linked_keys
from streams.doctor.remaking import Remade, Remaker
from streams.session import Home

_CHAPTERS_AT_ONCE: Final = 16  # their texts and rows are in memory together
_KEYS_AT_ONCE: Final = 1_000

Waiting = Collection[int] | None
"""Positions of events that are not finished; None where nobody can tell."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class RowState:
    """A chapter's rows: those that are lost and those that say something else, as they should be.

    `has_text` is false, or `fault` set, where the stored text gives no rows to compare with.
    """

    chapter: ChapterRecord
    has_text: bool = True
    fault: str | None = None
    lost: tuple[VectorRow, ...] = ()
    wrong: tuple[VectorRow, ...] = ()


async def row_states(home: Home, work: WorkRecord) -> AsyncIterator[RowState]:
    """Yield how the rows of every chapter of the story stand, in story order.

    Raises:
        TransientError: a store or the embedder is down.
    """
    remake = Remaker(home, work.work_id, work.generation)
    for chapters in _chunks(work.story_chapters(), _CHAPTERS_AT_ONCE):
        ids = [chapter.chapter_id for chapter in chapters]
        contents = await home.tree.contents(work.work_id, work.generation, ids)
        keys = linked_keys(work, chapters)
        found = await home.vectors.fetch(work.work_id, work.generation, keys)
        for chapter in chapters:
            content = contents.get(chapter.chapter_id)
            if content is None:
                yield RowState(chapter, has_text=False)
            else:
                yield _compared(chapter, await remake(chapter, content), found)


async def stray_rows(
    home: Home, work_id: WorkId, work: WorkRecord | None, keys: Collection[RowKey], waiting: Waiting
) -> tuple[VectorRow, ...]:
    """Return those rows among `keys` that nothing links and that no waiting event will link.

    Nothing is stray where nobody knows what waits, or where the graph does not know the work.
    """
    if work is None or waiting is None:
        return ()
    stray: list[VectorRow] = []
    unlinked = sorted(set(keys).difference(linked_keys(work, work.chapters)))
    for some in _chunks(unlinked, _KEYS_AT_ONCE):
        rows = await home.vectors.fetch(work_id, home.generation, some)
        stray.extend(row for row in rows.values() if row.position not in waiting)
    return tuple(sorted(stray, key=lambda row: row.key))


def _compared(
    chapter: ChapterRecord, remade: Remade, found: Mapping[RowKey, VectorRow]
) -> RowState:
    if remade.fault:
        return RowState(chapter, fault=remade.fault)
    there = [(row, found.get(row.key)) for row in remade.rows]
    return RowState(
        chapter,
        lost=tuple(row for row, stored in there if stored is None),
        wrong=tuple(row for row, stored in there if stored is not None and stored != row),
    )


def _chunks(sequence: Sequence[_T], size: int) -> Iterator[Sequence[_T]]:
    for start in range(0, len(sequence), size):
        yield sequence[start : start + size]
