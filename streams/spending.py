"""What was spent, as the memo's ledger tells it."""

from __future__ import annotations

from contracts.ids import Generation, WorkId
from contracts.ports import Memo
from contracts.reports import SpendingReport
from contracts.spending import Spent


async def spending(
    memo: Memo, generation: Generation | None, work_id: WorkId | None
) -> SpendingReport:
    """Return what was spent for a generation (None: for all), on a work or on all by day.

    Raises:
        TransientError: the memo cannot be reached.
    """
    if work_id is None:
        days = await memo.spent_by_day(generation)
        return SpendingReport(work_id=None, total=Spent.total(days), by_day=days)
    works = await memo.spent_by_work(generation, work_id)
    return SpendingReport(work_id=work_id, total=Spent.total(works), by_work=works)
