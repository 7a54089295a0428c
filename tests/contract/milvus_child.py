"""A process that writes rows to a Milvus Lite directory and never lets go of it by itself."""

from __future__ import annotations

import asyncio
import sys

from contracts.ids import FIRST_GENERATION, WorkId
from graph.milvus import MilvusVectorStore
from tests.contract.rows import a_book, a_scope, unit

WORK = WorkId("a work of a process that dies")
FLUSHED, IN_MEMORY = 120, 40


async def main(directory: str) -> None:
    """Write rows of which some are flushed and some are not, say so, and wait for the end."""
    store = MilvusVectorStore(directory)
    book = a_book(FLUSHED + IN_MEMORY)
    await store.upsert(WORK, FIRST_GENERATION, book[:FLUSHED])
    await store.search_dense(a_scope(WORK), unit(1), 5)
    await store.upsert(WORK, FIRST_GENERATION, book[FLUSHED:])
    await store.delete(WORK, FIRST_GENERATION, [book[0].key, book[-1].key])
    print("written", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
