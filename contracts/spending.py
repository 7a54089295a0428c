"""What calls of models have cost, summed: what a memo's ledger tells.

Each payment is in two sums, so that no answer has to be read to know them: one a day, one a work.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final, Self

from contracts.frozen import Frozen
from contracts.ids import Generation, WorkId

NO_GENERATION: Final = Generation("")
"""Of calls that build no generation of the index."""

_MS: Final = 1_000


class Payment(Frozen):
    """For which generation an answer was asked, when it came (ms since 1970), how long it took."""

    generation: Generation = NO_GENERATION
    at_ms: int
    took_ms: int = 0

    @property
    def day(self) -> str:
        """The UTC day on which it was paid, as "2026-11-30"."""
        return utc_day(self.at_ms)


class Spent(Frozen):
    """A sum over calls. `took_ms` is the time that they took, one after the other."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    took_ms: int = 0

    @property
    def tokens(self) -> int:
        """Tokens of input and output together."""
        return self.input_tokens + self.output_tokens

    @classmethod
    def total(cls, parts: Iterable[Spent]) -> Self:
        """Return the sum of `parts`."""
        every = list(parts)
        return cls(
            calls=sum(each.calls for each in every),
            input_tokens=sum(each.input_tokens for each in every),
            output_tokens=sum(each.output_tokens for each in every),
            took_ms=sum(each.took_ms for each in every),
        )


class SpentOnDay(Spent):
    """What was spent on a UTC day for a generation; `purpose` is as in `contracts.memo.Asked`."""

    generation: Generation
    day: str
    purpose: str


class SpentOnWork(Spent):
    """What was spent on a work for a generation."""

    generation: Generation
    work_id: WorkId
    purpose: str


def utc_day(at_ms: int) -> str:
    """Return the UTC day of a time in ms since 1970, as "2026-11-30"."""
    return datetime.fromtimestamp(at_ms / _MS, UTC).date().isoformat()
