"""Which schema a store has: noted once it is made, so that opening it again costs one look."""

from __future__ import annotations

from neo4j import AsyncTransaction

from graph.bolt import statements
from graph.bolt.transactions import rows_of


async def prepared_schema(transaction: AsyncTransaction) -> str | None:
    """Return the digest of the schema that was made last and to its end, None if none was."""
    found = await rows_of(transaction, statements.PREPARED)
    return str(found[0]["digest"]) if found else None


async def note_schema(transaction: AsyncTransaction) -> None:
    """Note that the schema of this program is made."""
    await rows_of(transaction, statements.NOTE_PREPARED, token=statements.SCHEMA_DIGEST)
