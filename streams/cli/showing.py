"""Asks the home of a work as of an ordinal, and prints what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from streams.cli.exit_codes import ExitCode
from streams.cli.running import connected, run

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import RenderableType

    from contracts.frozen import Frozen
    from streams.cli.options import Common
    from streams.operations import Operation


Q = TypeVar("Q", bound="Frozen")
A = TypeVar("A", bound="Frozen")


def show(
    common: Common,
    operation: Operation[Q, A],
    request: Callable[[], Q],
    shown: Callable[[A], RenderableType],
) -> None:
    """Print the answer: as JSON, or as a person reads it, with how to go on."""

    async def command() -> ExitCode:
        from streams.cli.output import print_result

        asked = request()
        async with connected(common.settings(), common) as index:
            found = await index.call(operation, asked)
        _say_as_of(asked, found)
        print_result(found, shown, json=common.json)
        if not common.json:
            _say_next(found)
        return ExitCode.OK

    run(command, common)


def _say_as_of(asked: Frozen, found: Frozen) -> None:
    """Say what "now" is, since nobody said."""
    from contracts.requests import HEAD
    from streams.cli.output import print_note

    if getattr(asked, "as_of", None) != HEAD:
        return
    bound = getattr(found, "as_of", None)
    if getattr(asked, "after", None) is None:
        print_note(f"As of chapter {bound}, the newest; --as-of N asks as of an earlier one.")
    else:
        print_note(f"As of chapter {bound}, as the page before.")


def _say_next(found: Frozen) -> None:
    """Say how a list goes on that is longer than the page."""
    from streams.cli.output import print_note

    after = getattr(found, "next", None)
    if after is not None:
        print_note(f"There is more: --after {after}, or a higher --limit.")
