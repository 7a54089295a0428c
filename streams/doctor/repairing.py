"""`doctor --repair`: what is wrong is made again from what is right.

Rows come from the graph's texts, the tree from the graph's scenes, and what the graph has lost
from the log. Each step is one write, or writes that may be done again, so whoever repairs once
more after a kill finishes. No step asks a model what the memo has the answer to.
"""

from __future__ import annotations

from contracts.reports import FindingKind, RepairReport, WorkFindings, WorkRepairs
from streams.doctor.checking import check, findings_of, history_of, read_log
from streams.doctor.history import History
from streams.doctor.log_mending import mend_log
from streams.doctor.losses import lost_store
from streams.doctor.mending import Mending
from streams.session import Home

_FROM_THE_LOG = frozenset({FindingKind.CHAPTER_LOST, FindingKind.TEXT_LOST, FindingKind.TEXT_WRONG})
_TREE = frozenset({FindingKind.RECORD_WRONG, FindingKind.TREE_WRONG})


async def repair(home: Home, work_id: str | None = None, *, dry_run: bool = False) -> RepairReport:
    """Mend what `check` finds, in every work or in one, and check again.

    With `dry_run` nothing is changed, and the report tells what would be done.

    Raises:
        NotFound: nobody has heard of the work.
        TransientError: a store is down; the same call, later, goes on from there.
    """
    found = await check(home, work_id)
    log_done = await mend_log(home) if found.log and not dry_run else ()
    past, log = await read_log(home, work_id)
    if log_done:  # what the log tells can be read only now
        found = await check(home, work_id)
    works = [
        await _mended(home, each, history_of(past, each.work_id), dry_run=dry_run)
        for each in found.works
        if each.findings
    ]
    if not dry_run:
        home.losses.told = await lost_store(home)
    return RepairReport(dry_run=dry_run, works=tuple(works), log_done=log_done, log=log)


async def _mended(
    home: Home, found: WorkFindings, history: History | None, *, dry_run: bool
) -> WorkRepairs:
    mending = Mending(home, found.work_id, history, dry_run)
    kinds = {finding.kind for finding in found.findings}
    if kinds & _FROM_THE_LOG:
        await mending.tell_again(found.findings)
    # What was told again grew on a tree that may be wrong: it is looked at in any case.
    if kinds & _TREE or not dry_run:
        await mending.fold_again()
    await mending.write_rows()
    return WorkRepairs(
        work_id=found.work_id,
        done=tuple(mending.done),
        not_mendable=tuple(mending.not_mendable),
        findings=found.findings if dry_run else await findings_of(home, found.work_id, history),
    )
