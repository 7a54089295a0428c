"""What `--dry-run` prints, whatever the command."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contracts.forecasts import Forecast
    from contracts.requests import Chapters, EventFile, Withdrawal
    from streams.operations import Caller


async def foretell(
    caller: Caller, change: Chapters | EventFile | Withdrawal, *, json: bool
) -> Forecast:
    """Ask what `change` would do, print it, and return it."""
    from contracts.forecasts import Proposal
    from streams.cli.output import print_result
    from streams.cli.standing import forecast_shown
    from streams.operations import FORECAST

    foretold = await caller.call(FORECAST, Proposal(change=change))
    print_result(foretold, forecast_shown, json=json)
    return foretold
