"""The memo's ledger over Bolt: sums that are kept in the transaction of the put.

A sum of a day is kept in parts, chosen by the call's key, and added up when it is read: workers
that pay at the same time seldom wait for each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Final, TypeVar

from neo4j import AsyncTransaction

from contracts.ids import Generation, WorkId
from contracts.memo import MemoEntry
from contracts.spending import Payment, Spent, SpentOnDay, SpentOnWork
from graph.bolt.rows import Columns
from graph.bolt.transactions import rows_of

S = TypeVar("S", SpentOnDay, SpentOnWork)

SCHEMA: Final = (
    "CREATE CONSTRAINT memoday_key IF NOT EXISTS FOR (n:MemoDay) REQUIRE n.key IS UNIQUE",
    "CREATE CONSTRAINT memowork_key IF NOT EXISTS FOR (n:MemoWork) REQUIRE n.key IS UNIQUE",
    "CREATE CONSTRAINT memoagain_key IF NOT EXISTS FOR (n:MemoAgain) REQUIRE n.key IS UNIQUE",
    "CREATE INDEX memoday_generation IF NOT EXISTS FOR (n:MemoDay) ON (n.generation)",
    "CREATE INDEX memowork_generation IF NOT EXISTS FOR (n:MemoWork) ON (n.generation)",
    "CREATE INDEX memowork_work IF NOT EXISTS FOR (n:MemoWork) ON (n.work)",
    "CREATE INDEX memoagain_answer IF NOT EXISTS FOR (n:MemoAgain) ON (n.answer)",
)
# Taken first, then added to: a sum that is read before it is locked loses what others add.
_TAKE: Final = "MERGE (n:{label} {{key: $key}}) SET n.taken_by = $token"
_ADD: Final = (
    "MATCH (n:{label} {{key: $key}}) SET n.generation = $generation, n.{of} = $of, "
    "n.purpose = $purpose, n.calls = coalesce(n.calls, 0) + 1, "
    "n.input_tokens = coalesce(n.input_tokens, 0) + $input_tokens, "
    "n.output_tokens = coalesce(n.output_tokens, 0) + $output_tokens, "
    "n.took_ms = coalesce(n.took_ms, 0) + $took_ms RETURN count(n) AS n"
)
_SUMS: Final = (
    "RETURN n.generation AS generation, n.{of} AS {name}, n.purpose AS purpose, n.calls AS calls, "
    "n.input_tokens AS input_tokens, n.output_tokens AS output_tokens, n.took_ms AS took_ms"
)
_AGAIN: Final = "MATCH (n:MemoAgain {key: $key}) RETURN count(n) AS n"
_NOTE_AGAIN: Final = "CREATE (n:MemoAgain {key: $key, answer: $answer})"
FORGET: Final = "MATCH (n:MemoAgain) WHERE n.answer IN $keys DELETE n"


@dataclass(frozen=True, slots=True)
class _Sum:
    """A node that is added to: its label, what it is of, and which part of the sum it is."""

    label: str
    of: str
    value: str
    part: str = ""


async def enter(
    tx: AsyncTransaction, entry: MemoEntry, stored: Payment | None, token: str, *, new: bool
) -> None:
    """Enter what was paid for `entry`, unless that was done; `token` takes the locks.

    `stored` is the payment of the answer that the memo has, `new` whether it is this one.
    """
    if entry.paid is None or (entry.paid == stored and not new):
        return
    paid, key = entry.paid, entry.asked.key
    if not new:
        again = f"{key}:{paid.generation}:{paid.at_ms}:{paid.took_ms}"
        if (await rows_of(tx, _AGAIN, key=again))[0]["n"]:
            return
        await rows_of(tx, _NOTE_AGAIN, key=again, answer=key)
    day = _Sum("MemoDay", "day", paid.day, key[0])
    work = _Sum("MemoWork", "work", entry.charged)
    for each in (day, work):
        await _add(tx, each, entry, paid, token)


async def by_day(tx: AsyncTransaction, generation: Generation | None) -> tuple[SpentOnDay, ...]:
    """Return the sums of each day."""
    rows = await _rows(tx, "MemoDay", "day", "day", {"generation": generation})
    return tuple(_united(SpentOnDay.model_validate(dict(row)) for row in rows))


async def by_work(
    tx: AsyncTransaction, generation: Generation | None, work_id: WorkId | None
) -> tuple[SpentOnWork, ...]:
    """Return the sums of one work, or of each."""
    wanted = {"generation": generation, "work": work_id}
    rows = await _rows(tx, "MemoWork", "work", "work_id", wanted)
    return tuple(_united(SpentOnWork.model_validate(dict(row)) for row in rows))


async def _add(tx: AsyncTransaction, to: _Sum, entry: MemoEntry, paid: Payment, token: str) -> None:
    named = (to.part, paid.generation, to.value, entry.asked.purpose)
    key = "".join(f"{len(each)}:{each}" for each in named)
    await rows_of(tx, _TAKE.format(label=to.label), key=key, token=token)
    await rows_of(
        tx,
        _ADD.format(label=to.label, of=to.of),
        key=key,
        generation=paid.generation,
        of=to.value,
        purpose=entry.asked.purpose,
        input_tokens=entry.input_tokens,
        output_tokens=entry.output_tokens,
        took_ms=paid.took_ms,
    )


async def _rows(
    tx: AsyncTransaction, label: str, of: str, name: str, wanted: Mapping[str, str | None]
) -> Iterable[Columns]:
    told = {column: value for column, value in wanted.items() if value is not None}
    where = " AND ".join(f"n.{column} = ${column}" for column in told) or "n.calls > 0"
    statement = f"MATCH (n:{label}) WHERE {where} {_SUMS.format(of=of, name=name)}"
    return await rows_of(tx, statement, **told)


def _united(parts: Iterable[S]) -> Iterator[S]:
    """Yield the sums in order, those of one place as one."""
    for _, same in groupby(sorted(parts, key=_place), _place):
        group = list(same)
        yield group[0].model_copy(update=Spent.total(group).model_dump())


def _place(sum_: SpentOnDay | SpentOnWork) -> tuple[str, str, str]:
    of = sum_.day if isinstance(sum_, SpentOnDay) else sum_.work_id
    return sum_.generation, of, sum_.purpose
