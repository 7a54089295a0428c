"""Results as values, and readings that no commit can come in the middle of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from neo4j import AsyncTransaction

from contracts.ids import ChapterId, Generation
from contracts.ordinals import Ordinal
from contracts.scenes import Scene
from contracts.tree import ChapterInputs, GraftRecord, SceneInputs, graft_record
from contracts.works import ChapterRecord, WorkRecord
from graph.bolt import statements
from graph.bolt.keys import works_prefix
from graph.bolt.packing import expanded, joined
from graph.bolt.pointing import live_generation
from graph.bolt.rows import Columns
from graph.bolt.transactions import rows_of
from graph.bolt.translation import StoryMovedError

_Result = TypeVar("_Result")


async def commit_seq(transaction: AsyncTransaction, key: str) -> int:
    """Return the number of the work's last commit, 0 if there is none."""
    found = await rows_of(transaction, statements.COMMIT_SEQ, work=key)
    return int(found[0]["seq"]) if found else 0


async def undisturbed(
    transaction: AsyncTransaction, key: str, body: Callable[[int], Awaitable[_Result]]
) -> _Result:
    """Run the reads of `body`, given the work's commit number, between two looks at it.

    Servers are read-committed: each statement sees the newest commit, so that two of them may
    see two states of the work.

    Raises:
        StoryMovedError: a commit came in between.
    """
    seq = await commit_seq(transaction, key)
    result = await body(seq)
    if await commit_seq(transaction, key) != seq:
        raise StoryMovedError
    return result


async def read_work(transaction: AsyncTransaction, key: str) -> WorkRecord | None:
    """Return the work with its chapters, by chapter id."""
    found = await rows_of(transaction, statements.WORK, work=key)
    if not found:
        return None
    return _work(found[0], await rows_of(transaction, statements.CHAPTERS, work=key))


async def read_works(
    transaction: AsyncTransaction, generation: Generation | None
) -> tuple[WorkRecord, ...]:
    """Return every work of a generation, None for the live one, by work id."""
    wanted = generation or await live_generation(transaction)
    works = await rows_of(transaction, statements.WORKS, generation=wanted)
    found = await rows_of(transaction, statements.CHAPTERS_OF_ALL, prefix=works_prefix(wanted))
    chapters = grouped(found, "work")
    return tuple(
        _work(work, chapters.get(work["work"], ()))
        for work in sorted(works, key=lambda work: str(work["work_id"]))
    )


async def read_inputs(
    transaction: AsyncTransaction, key: str, keys: Sequence[str] | None
) -> Mapping[ChapterId, ChapterInputs]:
    """Return the fold's inputs of the chapters of `keys`, or of all, with text and a place."""
    if keys is None:
        chapters = await rows_of(transaction, statements.INPUT_CHAPTERS, work=key)
        found = await rows_of(transaction, statements.INPUT_SCENES, work=key)
    else:
        chapters = await rows_of(transaction, statements.CHOSEN_CHAPTERS, keys=keys)
        found = await rows_of(transaction, statements.CHOSEN_SCENES, keys=keys)
    scenes = grouped(found, "chapter_id")
    return {
        chapter["chapter_id"]: ChapterInputs(
            chapter["chapter_id"],
            Ordinal(chapter["place"]),
            chapter["language"],
            tuple(
                SceneInputs(scene_of(each), bytes(each["dense"]))
                for each in in_order(scenes.get(chapter["chapter_id"], ()))
            ),
        )
        for chapter in chapters
    }


async def read_records(
    transaction: AsyncTransaction, key: str, keys: Sequence[str] | None
) -> tuple[GraftRecord, ...]:
    """Return the graft records of the chapters of `keys`, or of all, in story order."""
    if keys is None:
        found = await rows_of(transaction, statements.RECORDS, work=key)
    else:
        found = await rows_of(transaction, statements.CHOSEN_RECORDS, keys=keys)
    records = (graft_record.validate_json(expanded(bytes(each["data"]))) for each in found)
    return tuple(sorted(records, key=lambda record: (record.ordinal, record.chapter_id)))


def chapter_of(columns: Columns) -> ChapterRecord:
    """Return the chapter that a record of a result holds as JSON."""
    return ChapterRecord.model_validate_json(columns["record"])


def scene_of(columns: Columns) -> Scene:
    """Return the scene that a record of a result holds as JSON."""
    return Scene.model_validate_json(columns["record"])


def grouped(found: Iterable[Columns], column: str) -> Mapping[str, Sequence[Columns]]:
    """Return the records of a result by what stands in `column`."""
    groups: dict[str, list[Columns]] = defaultdict(list)
    for columns in found:
        groups[columns[column]].append(columns)
    return groups


def in_order(found: Iterable[Columns]) -> Sequence[Columns]:
    """Return records of a result by their `nth`."""
    return sorted(found, key=lambda columns: int(columns["nth"]))


def whole(parts: Iterable[Columns]) -> bytes:
    """Return the bytes that were stored in parts."""
    return joined((int(part["nth"]), bytes(part["data"])) for part in parts)


def _work(columns: Columns, chapters: Iterable[Columns]) -> WorkRecord:
    records = sorted(map(chapter_of, chapters), key=lambda chapter: chapter.chapter_id)
    work = WorkRecord.model_validate_json(columns["record"])
    return work.model_copy(update={"chapters": tuple(records)})
