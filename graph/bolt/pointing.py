"""The pointer: one node of the graph that names the live generation."""

from __future__ import annotations

from neo4j import AsyncTransaction

from contracts.ids import FIRST_GENERATION, Generation
from graph.bolt import statements
from graph.bolt.transactions import rows_of


async def live_generation(transaction: AsyncTransaction) -> Generation:
    """Return the generation that the pointer names; the first while nobody ever moved it."""
    found = await rows_of(transaction, statements.POINTER)
    return Generation(found[0]["generation"]) if found else FIRST_GENERATION


async def point(
    transaction: AsyncTransaction, to: Generation, instead_of: Generation, token: str
) -> bool:
    """Move the pointer if it names `instead_of`; say whether it names `to` now.

    The first statement takes the pointer's lock. A move whose acknowledgement was lost finds
    itself done.
    """
    await rows_of(transaction, statements.TAKE_POINTER, token=token)
    held = await live_generation(transaction)
    if held == to:
        return True
    if held != instead_of:
        await transaction.rollback()
        return False
    await rows_of(transaction, statements.POINT, generation=to)
    return True
