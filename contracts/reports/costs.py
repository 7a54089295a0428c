"""What models cost: what was spent."""

from __future__ import annotations

from contracts.frozen import Frozen
from contracts.ids import WorkId
from contracts.spending import Spent, SpentOnDay, SpentOnWork


class SpendingReport(Frozen):
    """What the memo's ledger tells: of all works by day, or of one work.

    It begins with the release that keeps it; what was paid before is in no sum. Answers that a
    process was killed before it could store are not known.
    """

    work_id: WorkId | None
    total: Spent
    by_day: tuple[SpentOnDay, ...] = ()
    by_work: tuple[SpentOnWork, ...] = ()
