"""What an estimate is told beforehand."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from contracts.frozen import Frozen


class Prices(Frozen):
    """What a million tokens cost, in a currency that may have any name."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    currency: str = ""


class Terms(Frozen):
    """Prices, tokens a second of one call, and calls that are under way at once.

    Without prices there is no money; without a rate that of past calls is taken.
    """

    prices: Prices | None = None
    tokens_a_s: float | None = Field(default=None, gt=0)
    at_once: int = Field(default=1, ge=1)


class Reindexing(Frozen):
    """A new generation that is only asked about: from which messages, and on what terms."""

    source: Literal["chapters", "scenes"]
    terms: Terms = Terms()
