"""Which format a store has: its nodes, constraints and indexes, noted in the store itself.

So opening it again costs one look, an older store is lifted to this program's format, and one of
a newer format is refused before anything of it is misread.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from neo4j import AsyncTransaction

from contracts.errors import PermanentError
from contracts.words import folded
from graph.bolt import statements
from graph.bolt.schema_changes import make
from graph.bolt.transactions import Transactions, rows_of

_NAMES_AT_ONCE: Final = 1_000
_FIRST: Final = 1
"""What stores have that were written before formats were numbered."""


@dataclass(frozen=True, slots=True)
class StoreFormat:
    """A format by its number, and how a store comes to it.

    `schema` is of constraints and indexes, each statement harmless when it is run again;
    `digest` names exactly it. `upgrades` hold by number what lifts a store from that format to
    the next: statements of one transaction, which run once, in order.
    """

    number: int
    schema: tuple[str, ...]
    digest: str
    upgrades: Mapping[int, tuple[str, ...]]


CURRENT: Final = StoreFormat(
    number=_FIRST,
    schema=statements.SCHEMA,
    digest=statements.SCHEMA_DIGEST,
    upgrades={},  # the first format has nothing before it
)


@dataclass(frozen=True, slots=True)
class _Noted:
    """What a store says of itself; no number where it was written before there were numbers."""

    number: int | None
    digest: str


async def prepare(transactions: Transactions, wanted: StoreFormat = CURRENT) -> None:
    """Bring the store to the wanted format; a store that has it is left alone.

    Several programs at once, and one that was cut short before, leave it as one does.

    Raises:
        PermanentError: the store has a newer format, or an older one that cannot be lifted.
        TransientError: the server cannot be used now.
    """
    deed = "preparing the graph"
    noted = await transactions.read(deed, _noted)
    if noted == _Noted(wanted.number, wanted.digest):
        return
    _steps(noted, wanted)  # refused before anything is changed
    for statement in wanted.schema:
        await make(transactions, statement)
    while await transactions.write(deed, _fold_names):
        pass
    await transactions.write(deed, lambda tx: _upgrade(tx, wanted))


async def _upgrade(transaction: AsyncTransaction, wanted: StoreFormat) -> None:
    # A nonce: whoever sets it first has the lock, and the next one sees what was noted.
    await rows_of(transaction, statements.TAKE_SCHEMA_LOCK, token=str(uuid.uuid4()))
    for step in _steps(await _noted(transaction), wanted):
        for statement in step:
            await rows_of(transaction, statement)
    await rows_of(transaction, statements.NOTE_PREPARED, format=wanted.number, token=wanted.digest)


async def _fold_names(transaction: AsyncTransaction) -> int:
    """Give some names that an earlier release wrote what they are looked for by; return how many.

    None is left when it returns 0. It is not worth a format: whoever knows nothing of it reads
    on, and the digest of who does tells that there may be more.
    """
    found = await rows_of(transaction, statements.UNFOLDED, limit=_NAMES_AT_ONCE)
    rows = [{"key": each["key"], "folded": folded(each["alias"])} for each in found]
    await rows_of(transaction, statements.FOLD, rows=rows)
    return len(rows)


async def _noted(transaction: AsyncTransaction) -> _Noted | None:
    """Return what is noted, None in a store that nobody has prepared to its end."""
    found = await rows_of(transaction, statements.PREPARED)
    if not found or found[0]["digest"] is None:
        return None
    number = found[0]["format"]
    return _Noted(None if number is None else int(str(number)), str(found[0]["digest"]))


def _steps(noted: _Noted | None, wanted: StoreFormat) -> list[tuple[str, ...]]:
    """Return what lifts the store to the wanted format, a step a number."""
    if noted is None:
        return []
    number = noted.number or _FIRST
    if number > wanted.number:
        raise PermanentError(
            f"The graph store has format {number}, this program knows {wanted.number}: use "
            "the newer storygraft that wrote it."
        )
    try:
        return [wanted.upgrades[each] for each in range(number, wanted.number)]
    except KeyError as error:
        raise PermanentError(
            f"The graph store has format {number}, which this program cannot lift to "
            f"{wanted.number}: open it once with a storygraft between the two, or index its log "
            "into an empty store."
        ) from error
