"""The one transaction of a commit."""

from __future__ import annotations

from neo4j import AsyncTransaction

from contracts.errors import PermanentError
from contracts.works import Commit
from graph.bolt import statements
from graph.bolt.keys import work_key
from graph.bolt.packing import Row, batches
from graph.bolt.planning import Step, steps
from graph.bolt.transactions import rows_of


async def write(transaction: AsyncTransaction, commit: Commit, token: str) -> bool:
    """Write `commit` if the work is where it expects; `token` is nobody else's.

    The first statement takes the work's lock: what it finds after that nobody changes. A commit
    whose acknowledgement was lost finds its own token, and is done.

    Raises:
        PermanentError: the commit refers to what is not there, or deletes what is in use.
    """
    key = work_key(commit.work.generation, commit.work.work_id)
    await rows_of(transaction, statements.TAKE_LOCK, work=key, token=token)
    found = (await rows_of(transaction, statements.COMMIT_SEQ, work=key))[0]
    if found["writer"] == token:
        return True
    if found["seq"] != commit.expected_seq:
        await transaction.rollback()
        return False
    dropped = statements.DROP_ALL if commit.drop_all else ()
    for statement in (*dropped, *(statements.DROP_TREE if commit.drop_tree else ())):
        await rows_of(transaction, statement, work=key)
    for step in steps(commit, token):
        for batch in batches(step.rows):
            await _run(transaction, key, step, batch)
    return True


async def _run(transaction: AsyncTransaction, key: str, step: Step, batch: list[Row]) -> None:
    found = await rows_of(transaction, step.statement, work=key, rows=batch)
    if step.unless_all and found[0]["n"] != len(batch):
        raise PermanentError(f"{key}: {step.unless_all}")
    if step.unless_none and found[0]["n"] != 0:
        raise PermanentError(f"{key}: {step.unless_none}")
