"""Explicit transactions with a deadline, run again where that helps.

Autocommit is not atomic on ArcadeDB, and no server's own time limit can be relied on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

import stamina
from neo4j import (
    READ_ACCESS,
    WRITE_ACCESS,
    AsyncGraphDatabase,
    AsyncTransaction,
    NotificationMinimumSeverity,
)

from graph.bolt.rows import Columns
from graph.bolt.translation import may_help, translated

_Result = TypeVar("_Result")

_ATTEMPTS: Final = 6
_NEW_ATTEMPTS_S: Final = 30.0  # no attempt begins later than this after the first
_FIRST_WAIT_S: Final = 0.02  # a lost race is over within one commit
_LONGEST_WAIT_S: Final = 2.0
_JITTER_S: Final = 0.05
_READ_DEADLINE_S: Final = 60.0
_WRITE_DEADLINE_S: Final = 180.0  # a batch of 64 MB, or a whole work dropped
_CONNECT_S: Final = 5.0
_POOL_S: Final = 20.0


class Transactions:
    """One driver to one database; `close` it before the server ends.

    A body may run several times, so it must do nothing but run statements; it may roll back.
    Where the server is `restarted` after it died, a transaction waits for that, instead of
    giving up after a few attempts.
    """

    def __init__(
        self,
        uri: str,
        auth: tuple[str, str] | None,
        database: str | None,
        *,
        restarted: bool = False,
    ) -> None:
        self._database = database
        self._attempts = None if restarted else _ATTEMPTS
        self._driver = AsyncGraphDatabase.driver(
            uri,
            auth=auth,
            connection_timeout=_CONNECT_S,
            connection_acquisition_timeout=_POOL_S,
            # A label that no node has yet is a warning to the server; to us it is an empty work.
            notifications_min_severity=NotificationMinimumSeverity.OFF,
        )

    async def read(
        self, deed: str, body: Callable[[AsyncTransaction], Awaitable[_Result]]
    ) -> _Result:
        """Run `body` in a transaction that only reads; `deed` names it in errors."""
        return await self._run(deed, body, READ_ACCESS)

    async def write(
        self, deed: str, body: Callable[[AsyncTransaction], Awaitable[_Result]]
    ) -> _Result:
        """Run `body` and commit what it wrote; an error of any kind leaves nothing."""
        return await self._run(deed, body, WRITE_ACCESS)

    async def change_schema(self, statement: str) -> None:
        """Run one statement that creates a constraint or an index."""
        await self._run("preparing the graph", lambda tx: rows_of(tx, statement), WRITE_ACCESS)

    async def close(self) -> None:
        """Close every connection; a second call does nothing."""
        await self._driver.close()

    async def _run(
        self, deed: str, body: Callable[[AsyncTransaction], Awaitable[_Result]], access: str
    ) -> _Result:
        with translated(deed):
            async for attempt in stamina.retry_context(
                on=may_help,
                attempts=self._attempts,
                timeout=_NEW_ATTEMPTS_S,
                wait_initial=_FIRST_WAIT_S,
                wait_max=_LONGEST_WAIT_S,
                wait_jitter=_JITTER_S,
            ):
                with attempt:
                    return await self._once(body, access)
        raise AssertionError("the last attempt returns or raises")

    async def _once(
        self, body: Callable[[AsyncTransaction], Awaitable[_Result]], access: str
    ) -> _Result:
        deadline = _READ_DEADLINE_S if access == READ_ACCESS else _WRITE_DEADLINE_S
        session = self._driver.session(database=self._database, default_access_mode=access)
        async with (
            asyncio.timeout(deadline),
            session,
            await session.begin_transaction() as transaction,
        ):
            result = await body(transaction)
            if not transaction.closed():
                await transaction.commit()
            return result


async def rows_of(
    transaction: AsyncTransaction, statement: str, **parameters: object
) -> Sequence[Columns]:
    """Run one statement and return its whole result."""
    result = await transaction.run(statement, parameters)
    return [record async for record in result]
