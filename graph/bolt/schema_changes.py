"""Constraints and indexes, made whole whoever died at it before."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from contracts.errors import TransientError
from graph.bolt.transactions import Transactions
from graph.bolt.translation import NameTakenError

_LOOKS: Final = 10
_LOOK_S: Final = 0.5  # ten of them are longer than a constraint takes on an empty store


async def make(transactions: Transactions, statement: str) -> None:
    """Make a constraint or an index, unless it is there.

    Neo4j makes a constraint's index first, in a transaction of its own. A program that dies
    before the constraint is made leaves an index that belongs to nothing and that no IF NOT EXISTS
    gets past. It is dropped, unless another program turns out to be at it; an index that belongs
    to a constraint cannot be dropped.

    Raises:
        TransientError: the server cannot be used now.
    """
    for looks in range(1, 2 * _LOOKS):
        with suppress(NameTakenError):
            await transactions.change_schema(statement)
            return
        if looks == _LOOKS:
            _create, _constraint, name, *_ = statement.split()
            with suppress(TransientError):  # another was quicker, and it belongs to a constraint
                await transactions.change_schema(f"DROP INDEX {name} IF EXISTS")
        await asyncio.sleep(_LOOK_S)
    await transactions.change_schema(statement)
