"""What is stored as it is stored, for who looks whether it is sound: no view, no as-of."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence

from neo4j import AsyncTransaction

from contracts.ids import ChapterId, Generation, WorkId
from contracts.tree import SceneInputs, TreeRow
from contracts.works import ChapterContent
from graph.bolt import statements
from graph.bolt.keys import parts_of_work_key
from graph.bolt.packing import expanded, unpacked_counts
from graph.bolt.reading import grouped, in_order, scene_of, whole
from graph.bolt.rows import Columns, row_of
from graph.bolt.transactions import rows_of


async def read_rows(transaction: AsyncTransaction, key: str) -> tuple[TreeRow, ...]:
    """Return every row of the tree."""
    return tuple(
        [
            row_of(kind, columns)
            for kind, statement in statements.EVERY_ROW.items()
            for columns in await rows_of(transaction, statement, work=key)
        ]
    )


async def read_contents(
    transaction: AsyncTransaction, keys: Sequence[str]
) -> Mapping[ChapterId, ChapterContent]:
    """Return the texts and scenes of the chapters of these keys that have a readable text."""
    texts = grouped(await rows_of(transaction, statements.CONTENT_TEXTS, keys=keys), "key")
    terms = grouped(await rows_of(transaction, statements.TERM_TABLES, keys=keys), "key")
    scenes = grouped(await rows_of(transaction, statements.CONTENT_SCENES, keys=keys), "key")
    found: dict[ChapterId, ChapterContent] = {}
    for key in sorted(texts):
        text = _text(texts[key])
        if text is not None:
            chapter_id = ChapterId(texts[key][0]["chapter_id"])
            found[chapter_id] = ChapterContent(
                chapter_id,
                text,
                _counts(terms.get(key, ())),
                tuple(
                    SceneInputs(scene_of(each), bytes(each["dense"]))
                    for each in in_order(scenes.get(key, ()))
                ),
            )
    return found


async def read_linking(transaction: AsyncTransaction) -> tuple[tuple[WorkId, Generation], ...]:
    """Return the works that link rows of the vector store."""
    found = await rows_of(transaction, statements.LINKING)
    parts = (parts_of_work_key(each["work"]) for each in found)
    return tuple(sorted((work_id, generation) for generation, work_id in parts))


def _text(parts: Sequence[Columns]) -> str | None:
    try:
        return expanded(whole(parts))
    except (zlib.error, UnicodeDecodeError):
        return None


def _counts(parts: Sequence[Columns]) -> Mapping[str, int]:
    try:
        return unpacked_counts(whole(parts)) if parts else {}
    except (zlib.error, ValueError):
        return {}
