"""Runs a command: quietly, with every error as one sentence and an exit code."""

from __future__ import annotations

import logging
import os
import sys
import warnings
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Final, NoReturn

import typer

from contracts.errors import PermanentError, StorygraftError, TransientError
from streams.cli.exit_codes import ExitCode
from streams.cli.options import Common

if TYPE_CHECKING:
    import structlog

    from streams.operations import Caller
    from streams.settings import Settings

Command = Callable[[], Coroutine[Any, Any, ExitCode]]

_QUIET_ABOVE: Final = logging.CRITICAL


def run(command: Command, common: Common) -> NoReturn:
    """Run `command` and end with its exit code."""
    _set_up_logging(debug=common.debug)
    raise typer.Exit(_run(command, debug=common.debug))


def _run(command: Command, *, debug: bool) -> int:
    import asyncio

    from streams.cli.output import print_error

    try:
        return asyncio.run(command())
    except KeyboardInterrupt:
        print_error("Stopped. What is done is kept; the same command goes on from there.")
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has seen enough; nothing more can be written, at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.OK
    except StorygraftError as error:
        if debug:
            raise
        print_error(str(error))
        return exit_code(error)
    except Exception as error:  # whoever uses it must not meet a traceback
        if debug:
            raise
        print_error(
            f"A defect of storygraft: {type(error).__name__}. Run it again with --debug and "
            "report what it shows."
        )
        return ExitCode.INTERNAL


def exit_code(error: StorygraftError) -> ExitCode:
    """Return the exit code of an error."""
    from graph.child_process import StartFailed
    from graph.locking import AlreadyInUse
    from streams.home_lock import HomeInUse
    from streams.inputs.values import UnusableInput
    from streams.not_found import NotFound
    from streams.purge.purge_ordering import PurgeRefused
    from streams.settings import UnusableSettings

    match error:
        case NotFound():
            return ExitCode.NOT_FOUND
        case UnusableInput() | UnusableSettings() | PurgeRefused():
            return ExitCode.USAGE
        case HomeInUse() | AlreadyInUse():
            return ExitCode.BUSY
        case TransientError() | StartFailed():
            return ExitCode.HELD
        case PermanentError():
            return ExitCode.UNUSABLE
        case _:
            return ExitCode.INTERNAL


@asynccontextmanager
async def connected(
    settings: Settings, common: Common, *, must_exist: bool = True, repairing: bool = False
) -> AsyncIterator[Caller]:
    """Connect to the home, with a sign of life while its owner or its server starts."""
    from streams.cli.output import err
    from streams.owner import connecting

    shown = err.is_terminal and not common.json
    status = err.status("Opening the index…") if shown else nullcontext()
    told = ["--config", str(common.config.absolute())] if common.config else []
    connection = connecting.connected(settings, told, must_exist=must_exist, repairing=repairing)
    with status:
        caller = await connection.__aenter__()
    try:
        yield caller
    finally:
        await connection.__aexit__(*sys.exc_info())


def _writing_to_stderr(*_: object) -> structlog.WriteLogger:
    """Make a logger when something is said: stderr may have been replaced since it was set up."""
    import structlog

    return structlog.WriteLogger(sys.stderr)


def log_as_service(*, debug: bool) -> None:
    """Write what is done to stderr, one JSON object a line; libraries keep quiet unless asked."""
    import structlog

    _log_to_stderr(
        logging.DEBUG if debug else logging.INFO,
        structlog.processors.JSONRenderer(ensure_ascii=False),
    )


def _set_up_logging(*, debug: bool) -> None:
    """Send our log to stderr when asked for; libraries keep quiet otherwise."""
    import structlog

    _log_to_stderr(
        logging.DEBUG if debug else _QUIET_ABOVE,
        structlog.dev.ConsoleRenderer(colors=False),
    )
    logging.basicConfig(level=logging.WARNING if debug else _QUIET_ABOVE, stream=sys.stderr)
    if not debug:
        logging.disable(logging.ERROR)
        warnings.simplefilter("ignore")


def _log_to_stderr(level: int, renderer: structlog.typing.Processor) -> None:
    import structlog

    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=_writing_to_stderr,
    )
