"""What the outlines of the works last asked about are cut from, read again when a work moves."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from neo4j import AsyncTransaction

from contracts.ids import ChapterId, SceneId
from contracts.ordinals import Ordinal
from contracts.outline import Outline
from graph.bolt import statements
from graph.bolt.reading import commit_seq, grouped, in_order, undisturbed
from graph.bolt.recent import Recent
from graph.bolt.rows import Columns, row_of
from graph.bolt.transactions import Transactions, rows_of
from graph.outlines import OUTLINE_ROWS, OutlineChapter, SceneWords, Told, outline

_WORKS: Final = 8  # some 20 MB for a serial of two thousand chapters
_ORDINALS: Final = 4
"""Outlines kept of a work: readers ask as of the head, or several times as of one chapter."""

_CHAPTERS_AT_ONCE: Final = 64
_NOTHING: Final = Told((), (), frozenset(), frozenset())


@dataclass(slots=True)
class _Entry:
    """A work as it was at a commit; scenes by the name of the content that they stand in."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    seq: int = -1
    told: Told = _NOTHING
    scenes: dict[str, tuple[SceneWords, ...]] = field(default_factory=dict)
    outlines: OrderedDict[Ordinal, Outline] = field(default_factory=OrderedDict)


class Outlines:
    """Reads outlines; of each work, a scene that was read once is not read again.

    The same outline is the same object, as long as the work does not move.
    """

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._works = Recent(_Entry, _WORKS)

    async def outline(self, key: str, as_of: Ordinal) -> Outline:
        """Return the outline of the work in its newest state, as of an ordinal."""
        entry = self._works.of(key)
        async with entry.lock:
            await self._transactions.read(
                f"reading the outline of {key}", lambda tx: _bring_up_to_date(tx, key, entry)
            )
            if as_of not in entry.outlines:
                entry.outlines[as_of] = outline(entry.told, as_of)
            entry.outlines.move_to_end(as_of)
            while len(entry.outlines) > _ORDINALS:
                entry.outlines.popitem(last=False)
            return entry.outlines[as_of]


async def _bring_up_to_date(transaction: AsyncTransaction, key: str, entry: _Entry) -> None:
    if await commit_seq(transaction, key) == entry.seq:
        return

    async def read(seq: int) -> tuple[int, dict[str, tuple[SceneWords, ...]], Told]:
        found = await rows_of(transaction, statements.COUNTED_CHAPTERS, work=key)
        chapters = {each["key"]: each for each in found if each["content"] is not None}
        scenes = await _scenes(transaction, chapters, entry.scenes)
        return seq, scenes, await _told(transaction, key, chapters, scenes)

    entry.seq, entry.scenes, entry.told = await undisturbed(transaction, key, read)
    entry.outlines.clear()


async def _scenes(
    transaction: AsyncTransaction,
    chapters: Mapping[str, Columns],
    known: Mapping[str, tuple[SceneWords, ...]],
) -> dict[str, tuple[SceneWords, ...]]:
    """Return the scenes of every chapter by the name of its content, reading what is new."""
    names = {key: _name(key, chapter) for key, chapter in chapters.items()}
    scenes = {name: known[name] for name in names.values() if name in known}
    unknown = [key for key, name in names.items() if name not in scenes]
    for start in range(0, len(unknown), _CHAPTERS_AT_ONCE):
        some = unknown[start : start + _CHAPTERS_AT_ONCE]
        found = grouped(await rows_of(transaction, statements.OUTLINE_SCENES, keys=some), "key")
        for key in some:
            scenes[names[key]] = tuple(map(_words, in_order(found.get(key, ()))))
    return scenes


def _name(key: str, chapter: Columns) -> str:
    return f"{chapter['content']}:{key}"  # one commit gives all it writes the same name


def _words(columns: Columns) -> SceneWords:
    record = json.loads(columns["record"])
    return SceneWords(SceneId(columns["id"]), str(record["title"]), str(record["synopsis"]))


async def _told(
    transaction: AsyncTransaction,
    key: str,
    chapters: Mapping[str, Columns],
    scenes: Mapping[str, tuple[SceneWords, ...]],
) -> Told:
    rows = [
        row_of(kind, columns)
        for kind in OUTLINE_ROWS
        for columns in await rows_of(transaction, statements.EVERY_ROW[kind], work=key)
    ]
    absent = await rows_of(transaction, statements.ABSENT, work=key)
    told = (
        OutlineChapter(
            ChapterId(chapter["chapter_id"]),
            Ordinal(chapter["place"]),
            scenes[_name(chapter_key, chapter)],
        )
        for chapter_key, chapter in chapters.items()
    )
    return Told(
        tuple(sorted(told, key=lambda each: (each.ordinal, each.chapter_id))),
        tuple(rows),
        frozenset(str(each["chapter_id"]) for each in absent),
        frozenset(int(each["ordinal"]) for each in absent),
    )
