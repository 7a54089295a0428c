"""The term indexes of the works last asked about, brought up to date when a work has moved."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from neo4j import AsyncTransaction

from contracts.ports import PassageCounts
from graph.bolt import statements
from graph.bolt.packing import unpacked_counts
from graph.bolt.reading import commit_seq, grouped, undisturbed, whole
from graph.bolt.recent import Recent
from graph.bolt.transactions import Transactions, rows_of
from graph.term_index import CountedChapter, TermIndex

_WORKS: Final = 16  # some 40 MB for a serial of three thousand chapters
_TABLES_AT_ONCE: Final = 64  # taking them in holds up everybody else, for some 50 ms


@dataclass(slots=True)
class _Entry:
    """A work's index, and the commit up to which it goes."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    seq: int = -1
    index: TermIndex = field(default_factory=TermIndex)


class TermCounts:
    """Counts passages by term; of each work, what was read once is not read again."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._works = Recent(_Entry, _WORKS)

    async def count(self, key: str, terms: Collection[str], as_of: int) -> PassageCounts:
        """Count passages of the work's live chapters at or below `as_of`."""
        entry = self._works.of(key)
        # One at a time, or two would add the same chapters.
        async with entry.lock:
            if entry.index.is_worn:
                entry.index, entry.seq = TermIndex(), -1
            await self._transactions.read(
                f"counting the terms of {key}", lambda tx: _bring_up_to_date(tx, key, entry)
            )
            return entry.index.count(terms, as_of)


async def _bring_up_to_date(transaction: AsyncTransaction, key: str, entry: _Entry) -> None:
    """Read what changed since; when read again after a failure, what was added stays added."""
    if await commit_seq(transaction, key) == entry.seq:
        return

    async def read(seq: int) -> tuple[int, dict[str, CountedChapter]]:
        found = await rows_of(transaction, statements.COUNTED_CHAPTERS, work=key)
        chapters = {
            each["key"]: CountedChapter(each["place"], each["passages"], each["content"])
            for each in found
        }
        await _add_unknown(transaction, entry.index, chapters)
        return seq, chapters

    entry.seq, chapters = await undisturbed(transaction, key, read)
    entry.index.settle(chapters)


async def _add_unknown(
    transaction: AsyncTransaction, index: TermIndex, chapters: dict[str, CountedChapter]
) -> None:
    unknown = index.unknown(chapters)
    for start in range(0, len(unknown), _TABLES_AT_ONCE):
        some = unknown[start : start + _TABLES_AT_ONCE]
        found = await rows_of(transaction, statements.TERM_TABLES, keys=some)
        for chapter, parts in grouped(found, "key").items():
            index.add(chapter, chapters[chapter], unpacked_counts(whole(parts)))
