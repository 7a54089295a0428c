"""What models cost: what was spent, and what will be."""

from __future__ import annotations

from typing import Literal

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


class Money(Frozen):
    """What is due, in whole hundredths."""

    amount: float
    currency: str


class Foretold(Frozen):
    """Calls of one purpose, one answer a question, none of them invalid.

    `remembered` of them are in the memo and cost nothing; the `due` tokens are those of the rest.
    """

    purpose: str
    calls: int
    remembered: int
    input_tokens: int
    output_tokens: int
    due_input_tokens: int
    due_output_tokens: int


class Duration(Frozen):
    """How long it takes in seconds: that of the model and that of the stages without it.

    None is what nobody has measured. `how` says in sentences how each was measured.
    """

    model_s: float | None
    local_s: float | None
    how: tuple[str, ...]


class EstimateReport(Frozen):
    """What indexing an input will cost, before anything is spent.

    The counts are sums over `parts`. `counted` says that the model's server counted the tokens of
    the questions about texts; else they are estimated by length, as those of answers always are.
    """

    segmenter: str
    model: str
    chapters: int
    words: int
    calls: int
    remembered: int
    input_tokens: int
    output_tokens: int
    tokens: int
    due_tokens: int
    counted: bool
    parts: tuple[Foretold, ...] = ()
    money: Money | None = None
    time: Duration
    problems: tuple[str, ...] = ()


class ReindexEstimate(EstimateReport):
    """What a new generation will cost, from the live one's `works` and their live chapters.

    From `scenes` nothing is segmented. The chapters that were `rehearsed` were placed as they
    will be, on the scenes that they have now; of the others placing is taken to cost as theirs, or
    as a novel's where none was.
    """

    source: Literal["chapters", "scenes"]
    works: int
    rehearsed: int
