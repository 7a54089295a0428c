"""Deletes a work of a generation that nobody reads any more, a few nodes a transaction.

One transaction that deletes a long work whole takes hundreds of megabytes of the server's memory.
"""

from __future__ import annotations

from neo4j import AsyncTransaction

from contracts.ids import Generation
from graph import tree_rules
from graph.bolt import statements
from graph.bolt.pointing import live_generation
from graph.bolt.transactions import rows_of


async def erase(transaction: AsyncTransaction, key: str, generation: Generation, most: int) -> bool:
    """Delete up to `most` nodes of a kind of the work; say whether any may be left.

    Raises:
        PermanentError: the generation is live.
    """
    tree_rules.check_erasable(generation, await live_generation(transaction))
    for statement in statements.ERASE:
        found = await rows_of(transaction, statement, work=key, limit=most)
        if found and found[0]["n"]:
            return True
    await rows_of(transaction, statements.ERASE_WORK, work=key)
    return False
