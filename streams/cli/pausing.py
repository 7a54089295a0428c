"""`pause` and `resume`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from streams.cli import options
from streams.cli.exit_codes import ExitCode
from streams.cli.options import Common
from streams.cli.running import connected, run

if TYPE_CHECKING:
    from contracts.reports import PausedWork
    from contracts.requests import Pausing
    from streams.operations import Operation


def pause(
    work: options.Work,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Let a work's events wait, and cost nothing, while the others go on.

    None of them is lost: they wait in the log, in their order, until `storygraft resume`. What is
    cut into scenes already is still indexed; a withdrawal hides its chapter at once all the same.

    Example: storygraft pause treasure-island
    """
    from streams.operations import PAUSE

    _call(PAUSE, work, Common(home, config, debug, json))


def resume(
    work: options.Work,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Let a paused work go on: first what waits, in its order, then what is new.

    Example: storygraft resume treasure-island
    """
    from streams.operations import RESUME

    _call(RESUME, work, Common(home, config, debug, json))


def _call(operation: Operation[Pausing, PausedWork], work: str, common: Common) -> NoReturn:
    async def command() -> ExitCode:
        from contracts.ids import WorkId
        from contracts.requests import Pausing
        from streams.cli.output import print_result
        from streams.cli.standing import paused_shown

        async with connected(common.settings(), common) as index:
            told = await index.call(operation, Pausing(work_id=WorkId(work)))
        print_result(told, paused_shown, json=common.json)
        return ExitCode.OK

    run(command, common)
